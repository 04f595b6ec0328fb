import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Renders the page of a bundle: self-contained and reproducible. Only pages of databases have a script.
///
/// Form of the page, which tests verify:
/// 1. The content policy is the first element of the head.
/// 2. There is one `h1`, the item's title, and the landmarks `nav`, `main` and `footer`.
/// 3. `lang` and `dir` of the document are the item's; archiver's own text has a separate `lang`.
/// 4. Every highlight in the list has the id `note-` and its own id, and links to `hl-` and its id,
/// or to its words if the body has no such mark.
/// 5. No script runs except, on the page of a database, that of `TableScript`.
/// 6. No text of a source is unescaped except `ReadingPageContent.Body.html`.
package enum ReadingPage {
  /// Returns the page as UTF-8.
  package static func render(
    _ content: ReadingPageContent, words: Words = .english
  ) -> [UInt8] {
    ReadingPageRenderer(content: content, words: words).page()
  }

  /// The content security policy for a page with everything embedded as `data:` URLs.
  package static let singleFilePolicy = ContentPolicy.single

  /// Returns the body with which a page was rendered; `nil` if it has none.
  package static func body(of page: [UInt8]) -> [UInt8]? {
    range(of: page, from: bodyStart, to: bodyEnd).map {
      KeyboardScrolling.removed(from: Array(page[$0]))
    }
  }

  /// Returns a page with another body, other parents, other neighbours in its series and another
  /// list of backlinks, otherwise unchanged. The inserted parts are in the page's language.
  package static func mended(
    _ page: [UInt8], body: [UInt8]?, parents: [ReadingPageContent.Link] = [],
    backlinks: [ReadingPageContent.Link], series: [ReadingPageContent.Neighbour] = []
  ) -> [UInt8] {
    let words = words(of: page)
    var result: [UInt8] = []
    var copied = 0
    func replace(_ range: Range<Int>?, by content: [UInt8]) {
      guard let range else { return }
      result += page[copied..<range.lowerBound]
      result += content
      copied = range.upperBound
    }
    replace(
      range(of: page, from: parentsStart, to: parentsEnd),
      by: bytes { ReadingPageRenderer.parents(parents, words, &$0) })
    replace(
      range(of: page, from: seriesStart, to: seriesEnd),
      by: bytes { ReadingPageAppendix.neighbours(series, words, &$0) })
    if let body {
      replace(
        range(of: page, from: bodyStart, to: bodyEnd), by: KeyboardScrolling.added(to: body))
    }
    let list = bytes { ReadingPageAppendix.backlinks(backlinks, words, &$0) }
    if let former = range(of: page, from: backlinksStart, to: backlinksEnd, after: copied) {
      replace(former, by: list)
    } else if let end = page.firstIndex(of: "</main>", from: copied) {
      // An older page without such a list.
      replace(end..<end, by: Array(backlinksStart.utf8) + list + Array(backlinksEnd.utf8))
    }
    return result + page[copied...]
  }

  /// Returns a page with another list of versions, otherwise unchanged.
  package static func listing(versions: [String], in page: [UInt8]) -> [UInt8] {
    let list = bytes {
      ReadingPageAppendix.versions(versions, words(of: page), own: ownLanguage(page), &$0)
    }
    let start = range(of: page, from: bodyStart, to: bodyEnd)?.upperBound ?? 0
    let section = "<section class=\"after versions\""
    let sectionEnd = "</section>\n"
    if let first = page.firstIndex(of: section, from: start),
      let end = page.firstIndex(of: sectionEnd, from: first)
    {
      return page[..<first] + list + page[(end + sectionEnd.utf8.count)...]
    }
    let followers = ["<section class=\"after missing\"", "<section class=\"after notes\""]
    let place = (followers + [backlinksStart, "</main>"]).lazy
      .compactMap { page.firstIndex(of: $0, from: start) }.min()
    guard let place else { return page }
    return page[..<place] + list + page[place...]
  }

  /// Returns a page as that of an earlier version, two directories deeper: with another body, without
  /// links to pages beside it, and with a banner that links to the current version.
  package static func earlierVersion(of page: [UInt8], body: [UInt8]) -> [UInt8] {
    let words = words(of: page)
    let plain = listing(versions: [], in: mended(page, body: body, backlinks: []))
    let main = "<main id=\"content\">"
    guard let body = range(of: plain, from: bodyStart, to: bodyEnd),
      let start = plain.firstIndex(of: main).map({ $0 + main.utf8.count }),
      start < body.lowerBound,
      let footer = plain.firstIndex(of: "<footer class=\"foot\"", from: body.upperBound),
      let time = range(of: plain, from: "<time ", to: "</time>", after: footer)
    else { return plain }
    let date = plain[time].drop { $0 != UInt8(ascii: ">") }.dropFirst()
    let text = words.text("page.earlierVersion", String(decoding: date, as: UTF8.self))
    let banner = bytes {
      ReadingPageRenderer.banner(text, "../../index.html", words, own: ownLanguage(page), &$0)
    }
    return deeper(plain[..<start]) + banner + deeper(plain[start..<body.lowerBound])
      + plain[body] + deeper(plain[body.upperBound...])
  }

  /// Returns a part of a page with the links to the library two directories longer.
  private static func deeper(_ part: ArraySlice<UInt8>) -> [UInt8] {
    Array(part).replacing("href=\"../../index.html", with: "href=\"../../../../index.html")
  }

  /// Returns the strings in the language of archiver's own text on a page.
  private static func words(of page: [UInt8]) -> Words {
    let document = range(of: page, from: "<html lang=\"", to: "\"").map {
      String(decoding: page[$0], as: UTF8.self)
    }
    return Words.of(ownLanguage(page) ?? document ?? "")
  }

  /// Returns the language of archiver's own text, if the page declares that it differs from the document's.
  private static func ownLanguage(_ page: [UInt8]) -> String? {
    range(of: page, from: "href=\"#content\" target=\"_self\" lang=\"", to: "\"").map {
      String(decoding: page[$0], as: UTF8.self)
    }
  }

  private static func range(
    of page: [UInt8], from start: String, to end: String, after place: Int = 0
  ) -> Range<Int>? {
    guard
      let start = page.firstIndex(of: start, from: place).map({ $0 + start.utf8.count }),
      let end = page.firstIndex(of: end, from: start)
    else { return nil }
    return start..<end
  }

  private static func bytes(_ write: (inout HTMLWriter) -> Void) -> [UInt8] {
    var html = HTMLWriter()
    write(&html)
    return html.bytes
  }

  /// Markers around the parts that can be replaced later. Sanitised bodies contain no comments, and
  /// therefore no markers.
  static let parentsStart = "<!--parents-->"
  static let parentsEnd = "<!--/parents-->"
  static let seriesStart = "<!--series-->"
  static let seriesEnd = "<!--/series-->"
  static let backlinksStart = "<!--backlinks-->"
  static let backlinksEnd = "<!--/backlinks-->"
  fileprivate static let bodyStart = "<!--body-->"
  fileprivate static let bodyEnd = "<!--/body-->"
}

struct ReadingPageRenderer {
  let content: ReadingPageContent
  let words: Words

  var item: ItemMetadata { content.item.metadata }
  var title: String { item.displayTitle(words) }

  /// The language of archiver's own text, if it differs from the document's.
  var ownLanguage: String? { item.language == nil ? nil : words.language }

  /// Whether it is the page of a database, whose tables are sortable.
  private var hasTables: Bool { item.kind == .database }

  func page() -> [UInt8] {
    HTMLWriter.page(
      ["lang": item.language ?? words.language, "dir": item.textDirection.rawValue], head: head
    ) { html in
      body(&html)
      guard hasTables else { return }
      html.element("script", ["data-filter": words.text("page.filter")]) {
        $0.raw(TableScript.text)
      }
    }
  }

  private func head(_ html: inout HTMLWriter) {
    html.metas(policy: hasTables ? ContentPolicy.tables : ContentPolicy.reading)
    // Links leave the frame in which the library's reader shows the page. Without a frame this has no effect.
    html.void("base", ["target": "_top"])
    html.element("title", text: title)
    if let icon = content.iconPath {
      html.void("link", ["rel": "icon", "href": SiteText.path(icon)])
    }
    html.element("style") { html in
      html.raw(StyleSheet.reading)
      // With a `<` in it, a rule could end the element.
      if !content.style.utf8.contains(UInt8(ascii: "<")) { html.raw(content.style) }
    }
  }

  private func body(_ html: inout HTMLWriter) {
    html.element(
      "a", ["class": "skip", "href": "#content", "target": "_self", "lang": ownLanguage],
      text: words.text("page.skip"))
    html.element("div", ["class": "page"]) { html in
      navigation(&html)
      html.raw("\n")
      html.element("main", ["id": "content"]) { html in
        heldBackBanner(&html)
        header(&html)
        cover(&html)
        book(&html)
        facts(&html)
        if SeriesPlace(item) != nil {
          // The neighbours are inserted at the end of the run.
          html.raw("\(ReadingPage.seriesStart)\(ReadingPage.seriesEnd)")
        }
        contents(&html)
        html.raw("\n")
        article(&html)
        html.raw("\n")
        ReadingPageAppendix(page: self).write(&html)
      }
      html.raw("\n")
      footer(&html)
    }
  }

  private func navigation(_ html: inout HTMLWriter) {
    html.element("nav", ["class": "bar", "aria-label": "archiver", "lang": ownLanguage]) { html in
      html.element("a", ["href": SiteText.path(content.libraryPath), "rel": "up"]) {
        $0.text("← \(words.text("library"))")
      }
    }
  }

  private func cover(_ html: inout HTMLWriter) {
    guard let cover = content.cover else { return }
    html.element("figure", ["class": "cover"]) { html in
      html.void(
        "img",
        [
          "src": SiteText.path(cover.path), "alt": cover.alt,
          "width": cover.width.map(String.init), "height": cover.height.map(String.init),
          "decoding": "async",
        ])
    }
  }

  /// Writes the link to the pages of a book in the bundle.
  private func book(_ html: inout HTMLWriter) {
    guard let path = content.readPath else { return }
    html.element("p", ["class": "read", "lang": ownLanguage]) { html in
      html.element("a", ["class": "button", "href": SiteText.path(path)], text: words.text("read"))
      if let contents = content.contentsPath {
        html.text(" ")
        html.element("a", ["href": SiteText.path(contents)], text: words.text("page.contents"))
      }
    }
  }

  private func facts(_ html: inout HTMLWriter) {
    guard !item.properties.isEmpty else { return }
    html.element("dl", ["class": "facts"]) { html in
      for property in item.properties {
        html.element("dt", ["dir": "auto"], text: property.name)
        html.element("dd", ["dir": "auto"], text: property.value)
      }
    }
  }

  /// Writes a table of contents if the page is long enough.
  private func contents(_ html: inout HTMLWriter) {
    let headings = content.headings.filter { !$0.id.isEmpty && !$0.text.isEmpty }
    let top = headings.map(\.level).min() ?? 1
    let shown = headings.filter { $0.level <= top + 1 }
    let isLong = (item.wordCount ?? 1_500) >= 1_000
    guard shown.count >= 4, isLong else { return }
    html.element("nav", ["class": "contents", "aria-labelledby": "contents-title"]) { html in
      html.element("details") { html in
        html.element(
          "summary", ["id": "contents-title", "lang": ownLanguage],
          text: words.text("page.contents"))
        html.element("ol") { html in
          for heading in shown {
            html.element("li", ["class": heading.level == top ? nil : "l3"]) {
              $0.element(
                "a", ["href": "#" + SiteText.fragment(heading.id), "target": "_self"],
                text: heading.text)
            }
          }
        }
      }
    }
  }

  private func article(_ html: inout HTMLWriter) {
    switch content.body {
    case .html(let bytes):
      html.element("article", ["class": "body"]) { html in
        html.raw(ReadingPage.bodyStart)
        html.raw(KeyboardScrolling.added(to: bytes))
        html.raw(ReadingPage.bodyEnd)
      }
    case .none where content.readPath != nil: break  // The text is in the pages of the book.
    case .none(let reason):
      html.element("div", ["class": "absent"]) { html in
        // The content of a book is its file, which is listed below.
        if !SeriesPlace.kinds.contains(item.kind) {
          html.element("p", ["lang": ownLanguage], text: words.text("page.noContent"))
        }
        html.element("p", ["dir": "auto"], text: reason)
      }
    }
  }

  private func footer(_ html: inout HTMLWriter) {
    html.element("footer", ["class": "foot", "lang": ownLanguage]) { html in
      html.element("p") { html in
        html.text(words.text("page.archived"))
        html.text(" ")
        words.writeTime(content.item.lastArchived, &html)
        html.text(" · \(words.text("page.from")) ")
        html.element("bdi", text: content.item.key.source)
        html.text(" · ")
        html.element("bdi", text: content.item.key.id)
      }
      if let url = item.url {
        html.element("p") { html in
          html.text("\(words.text("page.original")): ")
          ReadingPageRenderer.address(url, &html)
        }
      }
      if content.item.state == .deleted { html.element("p", text: words.text("page.gone")) }
    }
  }

  /// Writes a URL, as a link if it is a web address.
  static func address(_ url: String, _ html: inout HTMLWriter) {
    guard SiteText.isWebAddress(url) else {
      html.element("bdi", text: url)
      return
    }
    html.element(
      "a", ["href": url, "rel": "noreferrer noopener external", "dir": "ltr"], text: url)
  }
}
