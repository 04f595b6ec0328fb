import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// What a book's style may not do to its pages, in a real browser.
@Suite(.serialized) struct BookStyleInBrowserTests {
  private static func size(_ width: Int, _ height: Int, _ browser: WebDriver) async throws {
    try await browser.devTools(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(width), "height": .integer(height), "deviceScaleFactor": 1,
        "mobile": false,
      ])
  }

  @Test func `no style of html or body cuts the text off`() async throws {
    let styles = [
      "html{max-height:28em}", "html{height:10em;overflow:hidden}",
      "body{max-height:20em !important;overflow:hidden}", "body{column-count:2;height:90vh}",
      "p{white-space:nowrap}", "body{position:absolute;left:900px}", "body{transform:scale(3)}",
      "html{writing-mode:vertical-rl;max-height:28em}",
      "body{writing-mode:vertical-rl;height:8em;overflow:hidden}",
    ]
    let text = "'<p>%s <i>end</i></p>' % ('words of it ' * 60) * 8"
    let pages = styles.enumerated().map { number, style in
      "page('p\(number).xhtml', \(text), head='<style>\(style)</style>')"
    }
    try await BookInBrowserTests.read(pages.joined(separator: "\n")) { browser, page in
      try await Self.size(1_280, 800, browser)
      for (number, style) in styles.enumerated() {
        try await browser.open(page(number + 1))
        let seen = try await browser.run(
          """
          return [...document.querySelectorAll(".sheet i")].map(one => {
            one.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
            const box = one.getBoundingClientRect();
            return document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2) === one;
          });
          """)
        #expect(seen.array == Array(repeating: true, count: 8), "\(style): \(seen)")
      }
    }
  }

  @Test func `margins of html and body are those of the page`() async throws {
    let styles = [
      "html,body{margin:0;padding:0}", "body{margin:5em;padding:3em}", ":root{width:99em}",
    ]
    let pages = styles.enumerated().map { number, style in
      "page('p\(number).xhtml', '<p>%s</p>' % ('words ' * 90), head='<style>\(style)</style>')"
    }
    try await BookInBrowserTests.read(pages.joined(separator: "\n")) { browser, page in
      for (width, left, text) in [(360, 16, 328), (1_280, 320, 640)] {
        try await Self.size(width, 740, browser)
        for (number, style) in styles.enumerated() {
          try await browser.open(page(number + 1))
          let box = try await browser.run(
            "const box = document.querySelector('.sheet p').getBoundingClientRect(); return [box.left, box.width];"
          )
          let off = [
            abs((box[0]?.number ?? 0) - Double(left)), abs((box[1]?.number ?? 0) - Double(text)),
          ]
          #expect(off.allSatisfy { $0 < 20 }, "\(style) at \(width): \(box)")
        }
      }
    }
  }

  @Test func `the frame of a table is as wide as its cells, and a wide table scrolls`() async throws
  {
    try await BookInBrowserTests.read(
      """
      page("a.xhtml", '<table border="1" style="border:1px solid"><tr><td>cell</td></tr></table>')
      page("b.xhtml", '<table border="1"><tr><td>%s</td></tr></table>' % ('w' * 400))
      """
    ) { browser, page in
      try await Self.size(360, 740, browser)
      let widths = """
        const box = one => document.querySelector(one).getBoundingClientRect().width;
        return [box(".sheet table") - box(".sheet td"), document.documentElement.scrollWidth];
        """
      try await browser.open(page(1))
      let narrow = try await browser.run(widths)
      #expect(abs(narrow[0]?.number ?? 999) < 12, "\(narrow)")
      try await browser.open(page(2))
      let wide = try await browser.run(widths)
      #expect((wide[1]?.number ?? 999) <= 360, "\(wide)")
    }
  }

  @Test func `parts that scroll have the focus for keys, and no others have`() async throws {
    try await BookInBrowserTests.read(
      """
      sum = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>%s</mi></math>'
      page("a.xhtml", '<p>short ' + sum % 'x' + '</p><p>' + sum % ('wide' * 99) + '</p><p>last</p>')
      """
    ) { browser, page in
      try await Self.size(360, 740, browser)
      try await browser.open(page(1))
      let places = try await browser.run(
        "return [...document.querySelectorAll('.sheet p')].map(one => one.tabIndex);")
      #expect(places == [-1, 0, -1], "\(places)")
    }
  }

  @Test func `a link in running text is underlined whatever the book says`() async throws {
    try await BookInBrowserTests.read(
      """
      style = '<style>a, .x { text-decoration: none !important }</style>'
      page("a.xhtml", '<p>Words <a class="x" href="a.xhtml">one</a> words</p><p><a href="a.xhtml">two</a></p>', head=style)
      """
    ) { browser, page in
      try await browser.open(page(1))
      let lines = try await browser.run(
        "return [...document.querySelectorAll('.sheet a')].map(one => getComputedStyle(one).textDecorationLine);"
      )
      #expect(lines == ["underline", "none"], "\(lines)")
    }
  }

  @Test func `columns scroll by keys and wheel, and then the page turns`() async throws {
    try await BookInBrowserTests.read(
      """
      style = '<style>html{writing-mode:vertical-rl}</style>'
      page("a.xhtml", '<p>縦書きの文章です。</p>' * 200, head=style)
      page("b.xhtml", '<p>次</p>', head=style)
      """
    ) { browser, page in
      try await Self.size(1_000, 700, browser)
      let place = "Math.abs(document.querySelector('.vertical').scrollLeft)"
      for key in ["ArrowLeft", "PageDown", " "] {
        try await browser.open(page(1))
        let press = """
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "\(key)", bubbles: true, cancelable: true }));
          return \(place);
          """
        #expect((try await browser.run(press).number ?? 0) > 500, "\(key)")
        let wheel = try await browser.run(
          """
          const start = \(place);
          document.querySelector(".sheet").dispatchEvent(new WheelEvent("wheel", { deltaY: 120, bubbles: true, cancelable: true }));
          return \(place) - start;
          """)
        #expect(wheel.number == 120)
        var presses = 0
        while try await browser.run("return location.href;").string == page(1), presses < 40 {
          _ = try? await browser.run(press)
          presses += 1
        }
        // A page whose direction is not said is turned to the right by arrows, and by screens onwards.
        #expect(presses > 5, "\(key)")
        if key != "ArrowLeft" {
          #expect(try await browser.run("return location.href;").string == page(2))
        }
      }
    }
  }

  private static func press(_ key: String, _ browser: WebDriver) async throws {
    _ = try? await browser.run(
      """
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "\(key)", bubbles: true, cancelable: true }));
      """)
  }

  /// Whether the browser is at an address within half a second.
  private static func arrives(_ address: String, _ browser: WebDriver) async throws -> Bool {
    for _ in 0..<10 {
      if try await browser.run("return location.href;").string == address { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  @Test
  func `keys that scroll turn the page at its end, and Home and End lead to the ends of columns`()
    async throws
  {
    try await BookInBrowserTests.read(
      """
      page("a.xhtml", '<p>one</p>' * 200)
      page("b.xhtml", '<p>two</p>')
      page("c.xhtml", '<p>縦書きの文章です。</p>' * 200, head='<style>html{writing-mode:vertical-rl}</style>')
      """
    ) { browser, page in
      for key in [" ", "PageDown"] {
        try await browser.open(page(1))
        try await Self.press(key, browser)
        #expect(!(try await Self.arrives(page(2), browser)), "a page with more below")
        // The bar of links below the text need not be seen.
        _ = try await browser.run(
          """
          const rest = document.getElementById("content").getBoundingClientRect().bottom - innerHeight;
          scrollBy({ top: rest, behavior: "instant" });
          return 1;
          """)
        try await Self.press(key, browser)
        #expect(try await Self.arrives(page(2), browser))
        try await Self.press("PageUp", browser)
        #expect(try await Self.arrives(page(1), browser))
      }
      try await browser.open(page(3))
      let rest = """
        const one = document.querySelector(".vertical");
        return one.scrollWidth - one.clientWidth - Math.abs(one.scrollLeft);
        """
      let start = try #require(try await browser.run(rest).number)
      try await Self.press("End", browser)
      let end = try #require(try await browser.run(rest).number)
      #expect(start > 1_000 && end < 2)
      try await Self.press("Home", browser)
      let home = try #require(try await browser.run(rest).number)
      #expect(abs(home - start) < 2)
    }
  }

  @Test func `brackets of formulas stretch with any of the usual fonts for formulas`() async throws
  {
    try await BookInBrowserTests.read(
      """
      page("a.xhtml", '<p><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math></p>')
      """
    ) { browser, page in
      try await browser.open(page(1))
      let fonts = try await browser.run(
        "return getComputedStyle(document.querySelector('math')).fontFamily;")
      for font in ["STIX Two Math", "Latin Modern Math", "Cambria Math", "DejaVu Math TeX Gyre"] {
        #expect(fonts.string?.contains(font) == true, "\(font)")
      }
    }
  }

  @Test func `a wide formula scrolls by itself`() async throws {
    let formula = "<mi>x</mi><mo>+</mo>"
    try await BookInBrowserTests.read(
      """
      wide = '\(formula)' * 90
      math = '<math xmlns="http://www.w3.org/1998/Math/MathML"%s>' + wide + '</math>'
      page("a.xhtml", '<p class="a">' + math % '' + '</p><div class="b">' + math % ' display="block"' + '</div><p>A <math xmlns="http://www.w3.org/1998/Math/MathML"><mi>y</mi></math>.</p>')
      """
    ) { browser, page in
      try await Self.size(600, 700, browser)
      try await browser.open(page(1))
      let found = try await browser.run(
        """
        return [".b-a", ".b-b"].map(name => {
          const one = document.querySelector(name);
          one.scrollLeft = 9999;
          return one.scrollWidth > 1000 && one.scrollLeft > 400;
        }).concat([document.querySelector(".sheet").scrollWidth <= document.querySelector(".sheet").clientWidth]);
        """)
      #expect(found == [true, true, true])
    }
  }

  @Test func `two pages of fixed layout are next to each other and turn together`() async throws {
    try await BookInBrowserTests.read(
      """
      metadata = '<meta property="rendition:layout">pre-paginated</meta>'
      for name in 'abcd':
          page(name + '.xhtml', '<p>' + name + '</p>', head='<meta name="viewport" content="width=600, height=800"/>')
      """
    ) { browser, page in
      let seen = """
        const boxes = [...document.querySelectorAll(".book, .mate")].map(one => one.getBoundingClientRect());
        return boxes.filter(box => box.width).map(box => [box.left, box.width, box.height].map(Math.round)).join(" ");
        """
      for (width, boxes) in [(390, "15,360,480"), (1_280, "88,552,736 640,552,736")] {
        try await Self.size(width, 800, browser)
        try await browser.open(page(2))
        #expect(try await browser.run(seen).string == boxes)
      }
      let frame = try await browser.run(
        """
        const frame = document.querySelector('.mate');
        const next = [...document.querySelectorAll('.top a[rel=next]')].filter(one => one.offsetHeight);
        return [frame.getAttribute('src'), next.map(one => one.getAttribute('href')).join()];
        """)
      let next = frame[1]?.string?.hasSuffix("/0004.html") ?? false
      #expect(frame[0]?.string == "0003.html#alone" && next, "\(frame)")
      try await browser.open(page(3) + "#alone")
      let bars = try await browser.run(
        "return [...document.querySelectorAll('.bar, .mate')].filter(one => one.offsetHeight).length"
      )
      #expect(bars.integer == 0, "\(bars)")
    }
  }
}
