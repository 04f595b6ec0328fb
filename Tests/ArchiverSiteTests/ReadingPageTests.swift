import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverSite

@Suite struct ReadingPageTests {
  private func content(
    _ html: String = "<p>Words.</p>", _ change: (inout CatalogItem) -> Void = { _ in }
  ) -> ReadingPageContent {
    var sample = SampleArchive()
    var item = sample.item(3)
    change(&item)
    return ReadingPageContent(item: item, body: .html(Array(html.utf8)))
  }

  private func render(_ content: ReadingPageContent, _ words: Words = .english) -> String {
    String(decoding: ReadingPage.render(content, words: words), as: UTF8.self)
  }

  @Test func `begins its head with a policy that allows no script, frame, form or connection`() {
    let page = render(content())
    let start = "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    #expect(page.contains(start))
    #expect(page.contains("form-action 'none'"))
    #expect(!ContentPolicy.reading.contains("script-src"))
    #expect(!ContentPolicy.reading.contains("connect-src"))
    #expect(!ContentPolicy.reading.contains("frame-src"))
    #expect(!page.contains("<script"))
    #expect(!page.contains("<link rel=\"stylesheet\""))
  }

  @Test func `a database's page runs the one script that sorts its tables`() {
    let page = render(content { $0.metadata.kind = .database })
    let script = String(decoding: TableScript.text, as: UTF8.self)
    #expect(page.contains("; script-src '\(TableScript.hash)'\""))
    #expect(TableScript.hash.hasPrefix("sha256-") && TableScript.hash.utf8.count == 51)
    #expect(page.contains("<script data-filter=\"Filter rows\">\(script)</script>"))
    #expect(page.components("<script") == 2)
    #expect(!script.contains("</") && !script.contains("http"))
  }

  @Test func `has the rules for the classes of the source's HTML`() {
    var content = content()
    content.style = ".n-c-red{color:#b83228}"
    #expect(render(content).contains(".n-c-red{color:#b83228}</style>"))
    content.style = ".x{}</style><script>alert(1)</script>"
    #expect(!render(content).contains("alert"))
  }

  @Test func `keys reach code, formulas and outer tables, and the body stays as it was sanitised`()
  {
    let body =
      "<pre><code>a &lt;pre></code></pre><table class=\"x\"><tr><td><table><tr><td>1</td></tr></table></td></tr></table><table></table><p>prelude</p><pre lang=\"en\">b</pre><p><math><mi>x</mi></math></p><math display=\"block\"><mi>y</mi></math>"
    let content = content(body)
    let page = ReadingPage.render(content)
    #expect(ReadingPage.body(of: page) == Array(body.utf8))
    let text = String(decoding: page, as: UTF8.self)
    #expect(text.components("<pre tabindex=\"0\"") == 3)
    #expect(text.components("<table tabindex=\"0\"") == 3)
    #expect(text.contains("<td><table><tr>"))
    #expect(text.contains("<math tabindex=\"0\" display=\"block\"><mi>y</mi>"))
    #expect(text.contains("<p><math><mi>x</mi>"))
    #expect(text.contains("<table tabindex=\"0\" class=\"x\">"))
    let mended = ReadingPage.mended(page, body: Array(body.utf8), backlinks: [])
    #expect(mended == page)
  }

  @Test func `a page updated is the page that rendering would have given`() {
    var content = content("<p>Old</p>")
    let old = ReadingPage.render(content)
    content.body = .html(Array("<p>New</p>".utf8))
    content.backlinks = [.init(path: "../../a/b c/index.html", title: "A & B")]
    let new = ReadingPage.render(content)
    let mended = ReadingPage.mended(
      old, body: Array("<p>New</p>".utf8), backlinks: content.backlinks)
    #expect(mended == new)
    #expect(
      String(decoding: new, as: UTF8.self).contains(
        "<li><a href=\"../../a/b%20c/index.html\"><bdi>A &amp; B</bdi></a></li>"))
    // A page of a version without such lists.
    let plain = String(decoding: old, as: UTF8.self)
      .replacing("<!--backlinks--><!--/backlinks-->", with: "")
    #expect(
      ReadingPage.mended(Array(plain.utf8), body: nil, backlinks: []) == old)
  }

  @Test func `escapes untrusted text everywhere`() {
    let hostile = "</title></style><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    var content = content("<p>x</p>") { item in
      item.metadata.title = hostile
      item.metadata.siteName = hostile
      item.metadata.authors = [hostile]
      item.metadata.labels = [hostile]
      item.metadata.language = hostile
      item.metadata.url = "javascript:alert(1)//\"><script>"
      item.metadata.properties = [ItemProperty(hostile, hostile)]
      item.annotations = [Annotation(id: hostile, text: hostile, note: hostile, color: hostile)]
      item.versions = [hostile]
      item.key = ItemKey(source: hostile, id: hostile)
    }
    content.cover = .init(path: hostile, alt: hostile)
    content.iconPath = hostile
    content.files = [.init(path: hostile, name: hostile, mediaType: hostile, byteCount: 1)]
    content.missingImages = [.init(url: hostile, reason: hostile)]
    content.notes = [hostile]
    content.headings = (0..<5).map { _ in .init(level: 2, id: hostile, text: hostile) }
    content.currentVersionPath = nil
    let page = render(content)
    #expect(!page.contains("<script"))
    #expect(!page.contains("<img src=x"))
    #expect(!page.contains("href=\"javascript:"))
    #expect(page.components("</title>") == 2)
    #expect(page.components("</style>") == 2)
  }

  @Test func `holds nothing that a terminal obeys, as pages are searched there too`() {
    let tricks = "\u{1B}[2J\u{0}a\u{8}b\u{7}\u{7F}\u{B}c"
    var content = content("<p>x</p>") { item in
      item.metadata.title = tricks
      item.metadata.siteName = tricks
      item.metadata.authors = [tricks]
      item.metadata.labels = [tricks]
      item.metadata.properties = [ItemProperty(tricks, tricks)]
      item.annotations = [Annotation(id: tricks, text: tricks, note: tricks, color: nil)]
    }
    content.files = [.init(path: "a", name: tricks, mediaType: tricks, byteCount: 1)]
    content.notes = [tricks]
    let page = render(content)
    #expect(page.contains("<h1 dir=\"auto\">[2Jabc</h1>"))
    #expect(!page.utf8.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F })
  }

  @Test func `has one title heading and the landmarks`() {
    let page = render(content("<h2 id=\"c-a\">A</h2>"))
    for element in ["<h1", "<main", "<footer", "<nav"] {
      #expect(page.components(element) == 2, "\(element)")
    }
  }

  @Test func `takes language and direction from the item`() {
    let page = render(content { $0.metadata.language = "ar" })
    #expect(page.contains("<html lang=\"ar\" dir=\"rtl\">"))
    let given = render(
      content {
        $0.metadata.language = "en"
        $0.metadata.direction = .rightToLeft
      })
    #expect(given.contains("<html lang=\"en\" dir=\"rtl\">"))
    let latin = render(content { $0.metadata.language = "ug-Latn" })
    #expect(latin.contains("<html lang=\"ug-Latn\" dir=\"ltr\">"))
  }

  @Test(arguments: [
    ("قهوة الصباح", "rtl"), ("12: שלום", "rtl"), ("\u{1E900}", "rtl"), ("Le 3 – مرحبا", "ltr"),
    ("中文", "ltr"), ("2025!", "ltr"), ("", "ltr"),
  ])
  func `without a language, the direction is that of the title's first letter`(
    title: String, direction: String
  ) {
    for language in [nil, ""] as [String?] {
      let page = render(
        content {
          $0.metadata.title = title
          $0.metadata.language = language
          $0.metadata.direction = nil
        })
      #expect(page.contains("dir=\"\(direction)\">"), "\(title)")
      #expect(page.firstMatch(of: /<html[^>]*dir="(\w+)"/)?.1 == direction[...], "\(title)")
    }
    let english = render(
      content {
        $0.metadata.title = title
        $0.metadata.language = "en"
      })
    #expect(english.firstMatch(of: /<html[^>]*dir="(\w+)"/)?.1 == "ltr", "\(title)")
  }

  @Test func `lists highlights and links them both ways`() {
    let page = render(
      content("<p><mark id=\"hl-7\">m</mark></p>") {
        $0.annotations = [Annotation(id: "7", text: "marked", note: "why", color: "blue")]
      })
    #expect(page.contains("<li id=\"note-7\" class=\"blue\">"))
    #expect(page.contains("href=\"#hl-7\""))
    #expect(page.contains(">why</p>"))
  }

  @Test func `leads to the words of a highlight that has no mark`() {
    let page = render(
      content("<p>A well-known quick fox</p>") {
        var found = Annotation(id: "7", text: "well-known\u{A0}quick fox\nand more", color: "red")
        found.isUnmarked = true
        $0.annotations = [found]
      })
    #expect(page.contains("href=\"#:~:text=well%2Dknown%20quick%20fox\""))
    #expect(!page.contains("href=\"#hl-7\""))
  }

  @Test func `gives long articles a table of contents and short ones none`() {
    var content = content { $0.metadata.wordCount = 4_000 }
    content.headings = (0..<5).map { .init(level: 2, id: "c-\($0)", text: "Part \($0)") }
    #expect(render(content).contains("<a href=\"#c-3\" target=\"_self\">Part 3</a>"))
    content.item.metadata.wordCount = 300
    #expect(!render(content).contains("#c-3"))
  }

  @Test func `counts one word as one`() {
    var content = content { $0.metadata.wordCount = 1 }
    #expect(render(content).contains("<li>1 word</li>"))
    content.item.metadata.wordCount = 2
    #expect(render(content).contains("<li>2 words</li>"))
  }

  @Test func `says why there is no text and shows the summary then`() {
    var content = content { $0.metadata.summary = "In short." }
    #expect(!render(content).contains("In short."))
    content.body = .none(reason: "The server wanted money.")
    let page = render(content)
    #expect(page.contains("The server wanted money."))
    #expect(page.contains("In short."))
  }

  @Test func `links earlier versions, and from one held back the current`() {
    var content = content { $0.versions = ["20261101T080010Z"] }
    #expect(render(content).contains("href=\"versions/20261101T080010Z/index.html\""))
    #expect(render(content).contains("2026-11-01 08:00"))
    content.currentVersionPath = "../../index.html"
    let page = render(content)
    #expect(page.contains("The archive holds it back"))
    #expect(page.contains("<a href=\"../../index.html\">Go to the current version</a></p>"))
    #expect(!page.contains("versions/20261101"))
  }

  @Test(arguments: [nil, "fr"])
  func `an earlier version says when it was archived, and its links still lead somewhere`(
    language: String?
  ) {
    var content = content("<p>Old <a href=\"../../index.html\">text</a></p>") {
      $0.metadata.language = language
      $0.metadata.labels = ["sea"]
      $0.metadata.kind = .page
      $0.versions = ["20261101T080010Z"]
    }
    content.backlinks = [.init(path: "../../a/b/index.html", title: "Beside")]
    let old = ReadingPage.mended(
      ReadingPage.render(content), body: nil, parents: [.init(path: "../c/index.html", title: "C")],
      backlinks: content.backlinks)
    let body = Array("<p>New <a href=\"../../index.html\">text</a></p>".utf8)
    let version = ReadingPage.earlierVersion(of: old, body: body)
    #expect(ReadingPage.body(of: version) == body)
    let page = String(decoding: version, as: UTF8.self)
    let tag = language == nil ? "" : " lang=\"en\""
    #expect(
      page.contains(
        "<main id=\"content\"><p class=\"banner\" role=\"note\"\(tag)>"
          + "This is an earlier version, archived on 21 November 2026. "
          + "<a href=\"../../index.html\">Go to the current version</a></p><header"))
    #expect(page.contains("<a href=\"../../../../index.html\" rel=\"up\">← Library</a>"))
    #expect(page.contains("href=\"../../../../index.html#label=sea\""))
    #expect(page.components("href=\"../../index.html") == 3)  // the banner and the body
    for link in ["versions/", "a/b/index.html", "../c/index.html"] {
      #expect(!page.contains(link), "\(link)")
    }
    // A page that is not one of the program's stays without a banner.
    #expect(ReadingPage.earlierVersion(of: Array("<p>x".utf8), body: body) == Array("<p>x".utf8))
  }

  @Test func `is the same for the same item and differs by language`() {
    #expect(render(content()) == render(content()))
    #expect(render(content(), .german).contains("Archiviert am"))
    #expect(render(content(), .german).contains("21. November 2026"))
  }

  @Test(arguments: [nil, "fr", "de"])
  func `what a page is given later is in its own language`(language: String?) {
    let content = content { $0.metadata.language = language }
    let page = ReadingPage.render(content, words: .german)
    let mended = ReadingPage.mended(
      page, body: nil, backlinks: [.init(path: "../a/index.html", title: "A")])
    let listed = ReadingPage.listing(versions: ["20261101T080010Z"], in: mended)
    let text = String(decoding: listed, as: UTF8.self)
    #expect(text.contains("<h2 id=\"backlinks-title\" lang=\"de\">Verlinkt von</h2>"))
    let tag = language == nil ? "" : " lang=\"de\""
    #expect(text.contains("<h2 id=\"versions-title\"\(tag)>Frühere Fassungen</h2>"))
    let version = ReadingPage.earlierVersion(of: listed, body: Array("<p>x</p>".utf8))
    #expect(
      String(decoding: version, as: UTF8.self).contains(
        "role=\"note\"\(tag)>Dies ist eine frühere Fassung, archiviert am 21. November 2026. "))
    // As if it had been rendered so.
    let removed = ReadingPage.listing(
      versions: [], in: ReadingPage.mended(listed, body: nil, backlinks: []))
    #expect(removed == page)
  }

  @Test func `returns its body unchanged`() {
    let page = ReadingPage.render(content("<p>One &amp; two</p>"))
    #expect(ReadingPage.body(of: page) == Array("<p>One &amp; two</p>".utf8))
    #expect(ReadingPage.body(of: Array("<html>".utf8)) == nil)
  }
}

extension String {
  /// The number of parts of the text between separators.
  func components(_ separator: String) -> Int {
    var count = 1
    var rest = self[...]
    while let found = rest.firstRange(of: separator) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
