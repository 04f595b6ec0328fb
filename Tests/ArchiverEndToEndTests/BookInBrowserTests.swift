import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Pages of a book in a real browser, from disk.
@Suite(.serialized) struct BookInBrowserTests {
  /// Archives a book and opens its pages one after another.
  static func read(
    _ script: String, cover: [UInt8]? = nil,
    _ body: (WebDriver, (Int) -> String) async throws -> Void
  ) async throws {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    guard let browser = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    if let epub = try await BookShop.epub(script) {
      var book = FakeCatalog.Book(1, epub: epub)
      if let cover { book.cover = cover }
      try await BookShop.with([book]) { shop in
        let run = try await shop.archiver("run", "--source", "books", "--quiet")
        #expect(run.code == 0, "\(run.error)")
        let bundle = try #require(try shop.bundles().first)
        try await body(browser) {
          "file://\(shop.archive)/books/\(bundle)/book/text/000\($0).html"
        }
      }
    }
    await browser.quit()
  }

  /// A GIF of 600 by 900.
  private static let tall =
    Array("GIF89a".utf8) + [0x58, 2, 0x84, 3, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  @Test func `a cover keeps its shape and leaves the way into the book in sight`() async throws {
    try await Self.read("page('a.xhtml', 'A')", cover: Self.tall) { browser, page in
      try await browser.devTools(
        "Emulation.setDeviceMetricsOverride",
        ["width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false])
      try await browser.open(String(page(1).split(separator: "book/text/")[0]) + "index.html")
      let sides = try await browser.run(
        "const box = e => document.querySelector(e).getBoundingClientRect(); return [box('.cover img').width, box('.cover img').height, box('.read').bottom]"
      )
      let (width, height) = (sides[0]?.number ?? 0, sides[1]?.number ?? 1)
      #expect(height > 100 && abs(width / height - 2.0 / 3) < 0.02, "\(sides)")
      #expect((sides[2]?.number ?? 9_999) < 800, "\(sides)")
    }
  }

  @Test(arguments: [
    ("light", "rgb(251, 250, 247)"), ("sepia", "rgb(244, 234, 213)"), ("dark", "rgb(25, 24, 22)"),
  ])
  func `a page opened by itself has the theme of the library`(
    theme: String, ground: String
  ) async throws {
    try await Self.read("page('a.xhtml', 'A')") { browser, page in
      let library = String(page(1).split(separator: "books/")[0]) + "index.html"
      try await browser.open(library)
      try await browser.run(
        """
        const select = document.getElementById("theme");
        select.value = "\(theme)";
        select.dispatchEvent(new Event("change"));
        """)
      try await browser.open(page(1))
      let shown = try await browser.run(
        "return [document.documentElement.dataset.theme, getComputedStyle(document.documentElement).backgroundColor];"
      )
      #expect(shown.array == [.string(theme), .string(ground)])
      // Another value may be that of a later version.
      try await browser.run("localStorage.setItem('archiver.theme', 'x');")
      try await browser.open(page(1))
      #expect(
        try await browser.run("return document.documentElement.dataset.theme ?? 'none';") == "none")
      try await browser.run("localStorage.removeItem('archiver.theme');")
    }
  }

  @Test func `formulas that stand alone are set in one line`() async throws {
    try await Self.read(
      """
      page("a.xhtml", '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mi>E</mi><mo>=</mo><mi>m</mi></math>')
      """
    ) { browser, page in
      try await browser.open(page(1))
      let places = try await browser.run(
        "return [...document.querySelectorAll('math > *')].map(e => e.getBoundingClientRect()).map(r => [r.left, r.top + r.bottom])"
      )
      let (first, last) = (places[0], places[2])
      #expect((first?[0]?.number ?? 0) < (last?[0]?.number ?? 0), "\(places)")
      let height = abs((first?[1]?.number ?? 0) - (last?[1]?.number ?? 99))
      #expect(height < 12, "\(places)")
    }
  }

  @Test func `a book that sets a width fits into a narrow window`() async throws {
    try await Self.read(
      """
      page("a.xhtml", '<div class="w"><p id="p">%s</p></div>' % ("word " * 200), head='<style>body{width:900px;margin:0 20px} .w{width:50em}</style>')
      """
    ) { browser, page in
      try await browser.devTools(
        "Emulation.setDeviceMetricsOverride",
        ["width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": false])
      try await browser.open(page(1))
      let right = try await browser.run(
        "return document.getElementById('c-p').getBoundingClientRect().right")
      #expect((100...360).contains(right.number ?? 0), "\(right)")
    }
  }

  @Test func `text has the page's own foreground and background colours`() async throws {
    try await Self.read(
      """
      page("a.xhtml", '<p id="p">t</p><p id="q">t</p>', head='<style>html{background:#ccc} body{background:#000;color:#fff} #q{background:#ff0;color:#f00}</style>')
      """
    ) { browser, page in
      try await browser.open(page(1))
      let found = try await browser.run(
        "const style = e => getComputedStyle(document.querySelector(e)); return [style('.book').backgroundColor, style('.sheet').backgroundColor, style('#c-p').color === style('body').color, style('#c-q').color]"
      )
      #expect(found[0]?.string == "rgba(0, 0, 0, 0)" && found[0] == found[1], "\(found)")
      #expect(found[2] == .bool(true) && found[3]?.string == "rgb(255, 0, 0)", "\(found)")
    }
  }

  @Test func `notes that the book's style hides are in sight`() async throws {
    try await Self.read(
      """
      page("a.xhtml", '<a epub:type="noteref" href="#n">1</a><div class="h"><aside epub:type="footnote" id="n">note</aside></div><p id="o" class="h">x</p>', head='<style>aside,.h{display:none}</style>')
      """
    ) { browser, page in
      try await browser.open(page(1))
      let heights = try await browser.run(
        "return ['c-n', 'c-o'].map(id => document.getElementById(id).offsetHeight)")
      #expect((heights[0]?.integer ?? 0) > 0 && heights[1]?.integer == 0, "\(heights)")
    }
  }

  @Test func `a note without height is in sight, and what is hidden when a link leads to it`()
    async throws
  {
    try await Self.read(
      """
      page("a.xhtml", '<aside epub:type="footnote" id="n">note</aside><div id="d" style="display:none">d</div><aside id="s">s</aside>', head='<style>aside{max-height:0;overflow:hidden;visibility:hidden} #s{display:none}</style>')
      """
    ) { browser, page in
      for (target, shown) in [("", "n"), ("#c-d", "d"), ("#c-s", "s")] {
        try await browser.open("about:blank")
        try await browser.open(page(1) + target)
        let found = try await browser.run(
          "return ['n', 'd', 's'].filter(id => { const e = document.getElementById('c-' + id); return e.offsetHeight > 0 && getComputedStyle(e).visibility === 'visible' })"
        )
        let all = shown == "n" ? ["n"] : ["n", shown]
        #expect(found.array?.compactMap(\.string) == all, "\(target): \(found)")
      }
    }
  }

  @Test func `text stands in columns where the book's own classes say so, and only there`()
    async throws
  {
    try await Self.read(
      """
      style = '<style>.vrtl{-epub-writing-mode:vertical-rl} .hltr{writing-mode:horizontal-tb} .side{writing-mode:vertical-lr}</style>'
      page("a.xhtml", '<p>縦</p>', root='class="vrtl"', head=style)
      page("b.xhtml", '<p>横</p>', root='class="hltr"', head=style)
      """
    ) { browser, page in
      for (number, mode, kind) in [(1, "vertical-rl", "vertical"), (2, "horizontal-tb", "flow")] {
        try await browser.open(page(number))
        let found = try await browser.run(
          "return [getComputedStyle(document.querySelector('.sheet')).writingMode, document.querySelector('main > div').className]"
        )
        #expect(found[0]?.string == mode && found[1]?.string == kind, "\(found)")
      }
    }
  }

  @Test func `long words are hyphenated on a phone, code is not`() async throws {
    try await Self.read(
      """
      page("a.xhtml", '<p>Donaudampfschifffahrtsgesellschaft</p><pre>code</pre>')
      """
    ) { browser, page in
      for (width, words) in [(360, "auto"), (1_000, "manual")] {
        try await browser.devTools(
          "Emulation.setDeviceMetricsOverride",
          ["width": .integer(width), "height": 700, "deviceScaleFactor": 1, "mobile": false])
        try await browser.open(page(1))
        let found = try await browser.run(
          "return ['p', 'pre'].map(e => getComputedStyle(document.querySelector('.sheet ' + e)).hyphens)"
        )
        #expect(found == [.string(words), "manual"])
      }
    }
  }

  @Test func `columns begin where they are read from, and all of them are printed`() async throws {
    try await Self.read(
      """
      style = '<style>.rl{writing-mode:vertical-rl} .lr{writing-mode:vertical-lr}</style>'
      text = '<h1>はじめに</h1>' + '<p>縦書きの文章です。</p>' * 200
      page("a.xhtml", text, root='class="rl"', head=style)
      page("b.xhtml", text, head=style.replace('.rl', 'body'))
      page("c.xhtml", text, root='class="lr"', head=style)
      """
    ) { browser, page in
      for number in 1...3 {
        try await browser.open(page(number))
        let found = try await browser.run(
          """
          const box = document.querySelector(".sheet h1").getBoundingClientRect();
          const edge = document.documentElement;
          return [box.left >= 0 && box.right <= innerWidth, edge.scrollWidth <= edge.clientWidth];
          """)
        #expect(found == [true, true], "\(number)")
        // On a narrow printed page, columns are stacked.
        try await browser.devTools("Emulation.setEmulatedMedia", ["media": "print"])
        let isPrinted = try await browser.run(
          """
          const last = [...document.querySelectorAll(".sheet p")].at(-1).getBoundingClientRect();
          return last.left >= 0 && last.right <= innerWidth;
          """)
        #expect(isPrinted.bool == true, "\(number)")
        try await browser.devTools("Emulation.setEmulatedMedia", ["media": ""])
      }
    }
  }

  @Test func `SVG images and see-through images stand on light ground on dark pages`() async throws
  {
    try await Self.read(
      """
      page("a.xhtml", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="5">t</text></svg><p><img src="p.png" alt="x"/><a id="n">anchor</a></p>')
      file("p.png", "image/png", b"\\\\x89PNG\\\\r\\\\n\\\\x1a\\\\n")
      """
    ) { browser, page in
      try await browser.devTools(
        "Emulation.setEmulatedMedia",
        ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
      try await browser.open(page(1))
      let found = try await browser.run(
        "return ['svg', 'img'].map(e => getComputedStyle(document.querySelector('.sheet ' + e)).backgroundColor).concat([getComputedStyle(document.querySelector('.sheet a')).color === getComputedStyle(document.querySelector('.sheet p')).color])"
      )
      for index in 0..<2 {
        let red = (found[index]?.string ?? "").split { !$0.isNumber }.first.flatMap { Int($0) }
        #expect((red ?? 0) > 200, "\(found)")
      }
      #expect(found[2] == .bool(true), "an anchor is no link: \(found)")
    }
  }
}
