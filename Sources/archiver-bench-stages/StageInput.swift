import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// What the stages work on: the same bytes in every run.
struct StageInput {
  /// A page of 1 MB such as the archive sees: paragraphs, links, lists, a table, and a picture
  /// now and then.
  let article: [UInt8]
  /// 4 MB of text without a picture.
  let words: [UInt8]
  let addresses: [String]
  let base = WebURL("https://example.org/articles/one")
  let clean: SanitizedHTML
  let slots: [ImageSlot]
  let content: ReadingPageContent

  init() throws {
    article = StageInput.article(byteCount: 1_000_000)
    words = Array("<p>".utf8) + StageInput.words(4_000_000) + Array("</p>".utf8)
    addresses = (0..<1000).map { "../pictures/\($0)/wide.jpg?width=\($0 % 7)#top" }
    clean = try HTMLSanitizer().sanitize(article, baseURL: base)
    slots = ImageExtractor.references(in: clean.bytes).slots
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    content = ReadingPageContent(
      item: CatalogItem(
        key: ItemKey(source: "bench", id: "one"), revision: "1", folder: "bench/one-00000000",
        metadata: ItemMetadata(kind: .article, title: "One article"), firstArchived: date,
        lastArchived: date,
        contentHash: ""),
      body: .html(clean.bytes))
  }

  private static func article(byteCount: Int) -> [UInt8] {
    var html = "<article>"
    var number = 0
    while html.utf8.count < byteCount {
      number += 1
      html += section(number)
    }
    return Array(html.utf8)
  }

  private static func section(_ number: Int) -> String {
    var html = "<h2 id=\"s\(number)\">Section \(number) &amp; more</h2>\n"
    for part in 0..<4 {
      html += "<p class=\"x\">" + String(decoding: words(700), as: UTF8.self)
      html += " <a href=\"https://example.org/page/\(number)?p=\(part)\">a link</a> and "
      html += "<em>some emphasis</em>, “quoted” — with <code>code &lt;T&gt;</code>.</p>\n"
    }
    html += "<figure><img src=\"/img/\(number).jpg\" srcset=\"/img/\(number)-640.jpg 640w, "
    html += "/img/\(number)-1280.jpg 1280w\" alt=\"A picture\">"
    html += "<figcaption>Caption \(number)</figcaption></figure>\n<ul>"
    for item in 0..<5 { html += "<li>Item \(item) of the list with a few words in it</li>\n" }
    html += "</ul>\n<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>\n"
    return html
  }

  private static func words(_ count: Int) -> [UInt8] {
    let sentence = Array(
      "The archive of the web keeps every word of this sentence, and nobody minds. ".utf8)
    return (0..<count).map { sentence[$0 % sentence.count] }
  }
}
