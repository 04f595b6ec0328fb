import ArchiverCore
import ArchiverMarkup

/// Writes one page of a book.
struct PageWriter {
  let page: PlannedPage
  let references: BookReferences
  let frame: BookFrame
  let previous: BookFrame.Neighbour?
  let next: BookFrame.Neighbour?
  let title: String
  /// The URLs of the page's audio files.
  var sounds: [String] = []
  /// The page beside it in its spread, and the neighbours of the spread.
  var mate: FixedSpreads.Mate?
  var spread: BookFrame.Spread?
  /// The numbers of printed pages by the ids at which they begin, empty for the page's beginning.
  var pageNumbers: [String: String] = [:]

  /// Returns a page that says why it has no content, and links to the file if the book has it.
  func absent(_ reason: String, file: String? = nil) -> [UInt8] {
    frame.page(title: title, styles: [], rules: "", previous: previous, next: next) { html in
      BookFrame.writeTitle(title, &html)
      html.element("div", ["class": "book"]) { html in
        html.element("p", ["class": "absent", "lang": frame.words.language], text: reason)
        if let file {
          let name = EntryPath.name(of: page.entry)
          let saved = ContentVocabulary.isPlain(name) ? name : ""
          html.element("p") { $0.element("a", ["href": file, "download": saved], text: name) }
        }
      }
    }
  }

  /// Returns a page that is one image; `words` are its alternative text, if the book has one.
  func image(words: String? = nil) -> [UInt8] {
    let address = references.asset(entry: page.entry, kinds: [.image]) ?? ""
    return frame.page(title: title, styles: [], rules: "", previous: previous, next: next) { html in
      BookFrame.writeTitle(title, &html)
      html.element("div", ["class": "book whole"]) { html in
        html.element("div", ["class": "sheet"]) {
          $0.void("img", ["src": address, "alt": words ?? title])
        }
      }
    }
  }

  /// Returns a page of text or a drawing.
  func chapter(
    _ document: XMLDocument, sheets: inout BookStyleSheets
  ) throws(EPUBError) -> [UInt8] {
    guard let root = document.root else { return absent(frame.words.missing) }
    let styles = try sheets.linked(from: root, file: page.entry, keepsColors: page.isFixedLayout)
    var writer = ChapterWriter(
      file: page.entry, references: references,
      styles: sheets.filter(for: page.entry, keepsColors: page.isFixedLayout))
    let body = root.child("body")
    writer.levels = ChapterWriter.Levels(body ?? root)
    writer.listNames = [
      "toc": frame.words.contents, "landmarks": frame.words.landmarks,
      "page-list": frame.words.pageList,
    ]
    writer.labels = [frame.book]
    let head = root.child("head")
    for style in head?.children("style") ?? [] { writer.write(style) }
    for script in head?.children("script") ?? [] { writer.countProgram(script) }
    writer.lines = sheets.lines(styles, rules: writer.rules)
    // Pages of fixed layout show their numbers, if they have any.
    if !page.isFixedLayout {
      writer.pageNumbers = pageNumbers
      writer.writeFirstNumber(of: body ?? root)
    }
    if body == nil { writer.write(root) } else { PageWriter.write(root, &writer) }
    var rules = writer.rules
    let size = page.isFixedLayout ? PageSize(root) : nil
    if let size { rules += BookStyle.fixed(size, beside: mate) }
    let isPlaced =
      writer.html.bytes.firstIndex(of: BookStyleSheets.placing) != nil
      || sheets.place(styles, rules: rules)
    let columns =
      writer.styles.inline(body?.attribute("style") ?? "").flatMap { BookStyleSheets.columns($0) }
      ?? sheets.columns(styles, rules: rules, roots: BookStyleSheets.roots(root, body))
    return layout(
      writer, root, body, styles: styles, rules: rules,
      kind: size != nil ? "fixed" : columns ?? (isPlaced ? "flow placed" : nil))
  }

  /// Writes what a document has besides its head: in a document that is not valid, several bodies, or content
  /// beside them.
  private static func write(_ root: XMLElement, _ writer: inout ChapterWriter) {
    var hasBody = false
    for content in root.contents {
      switch content {
      case .text(let text):
        if !text.allSatisfy(\.isWhitespace) { writer.html.text(ChapterWriter.visible(text)) }
      case .element(let element):
        switch element.name.lowercased() {
        case "head": break
        case "body" where hasBody:
          writer.html.open("div", attributes: [])
          writer.writeContents(of: element)
          writer.html.close("div")
        case "body":
          writer.writeContents(of: element)
          hasBody = true
        default: writer.write(element)
        }
      }
    }
  }

  private func layout(
    _ writer: ChapterWriter, _ root: XMLElement, _ body: XMLElement?, styles: [String],
    rules: String, kind: String?
  ) -> [UInt8] {
    let language = ChapterWriter.language(body) ?? ChapterWriter.language(root)
    let direction = body?.attribute("dir") ?? root.attribute("dir")
    var outer: [(name: String, value: String)] = [
      ("class", ["book", ChapterWriter.classNames(root)].compactMap { $0 }.joined(separator: " "))
    ]
    if let language, ContentVocabulary.isPlain(language) { outer.append(("lang", language)) }
    if let direction = direction?.lowercased(), ["ltr", "rtl"].contains(direction) {
      outer.append(("dir", direction))
    }
    var inner: [(name: String, value: String)] = body.map { writer.attributes($0, "div") } ?? []
    inner.removeAll { ["class", "lang", "dir", "role"].contains($0.name) }
    let names = ["sheet", body.flatMap(ChapterWriter.classNames)].compactMap { $0 }
    inner.insert(("class", names.joined(separator: " ")), at: 0)
    return frame.page(
      title: title, styles: styles, rules: rules, previous: previous, next: next,
      spread: kind == "fixed" ? spread : nil
    ) { html in
      if writer.levels.lacksFirst { BookFrame.writeTitle(title, &html) }
      for sound in sounds {
        html.element("p", ["class": "sound"]) {
          $0.element("audio", ["src": sound, "controls": "", "preload": "none"]) { _ in }
        }
      }
      if !sounds.isEmpty {
        html.element(
          "p", ["class": "sound", "lang": frame.words.language], text: frame.words.recording)
      }
      // Keys scroll text in columns.
      let focus = kind?.hasPrefix("vertical") == true ? [(name: "tabindex", value: "0")] : []
      html.open("div", attributes: [("class", classes(kind))] + focus)
      if mate?.isFirst == true { frame(kind, &html) }
      html.open("article", attributes: outer)
      html.open("div", attributes: inner)
      html.raw("\n")
      html.raw(writer.html.bytes)
      html.raw("\n")
      html.close("div")
      html.close("article")
      if mate?.isFirst == false { frame(kind, &html) }
      html.close("div")
    }
  }

  private func classes(_ kind: String?) -> String {
    guard kind == "fixed", let mate else { return kind ?? "flow" }
    return mate.turnsLeft ? "fixed pair backwards" : "fixed pair"
  }

  /// Writes the other page of the spread.
  private func frame(_ kind: String?, _ html: inout HTMLWriter) {
    guard kind == "fixed", let mate else { return }
    let address = "\(mate.file)#\(FixedSpreads.aloneID)"
    html.element(
      "iframe",
      [
        "class": "mate", "src": address, "title": mate.title, "loading": "lazy", "scrolling": "no",
      ]
    ) { _ in }
  }
}

extension ChapterWriter {
  static func language(_ element: XMLElement?) -> String? {
    guard let element else { return nil }
    let tag =
      element.attribute("lang", namespace: "http://www.w3.org/XML/1998/namespace")
      ?? element.attribute("lang")
    return tag.map(LanguageTag.corrected)
  }

  static func classNames(_ element: XMLElement) -> String? {
    element.attribute("class").flatMap(classes)
  }
}

/// The size of a page with a fixed layout (EPUB 3.3 section 8.2.2.6).
struct PageSize: Equatable {
  let width: Int
  let height: Int

  /// Reads the viewport of a page, or the size of a drawing; `nil` without one.
  init?(_ root: XMLElement) {
    if root.name == "svg" {
      let box = (root.attribute("viewBox") ?? "").split { $0 == " " || $0 == "," }
        .compactMap { Double($0) }
      guard box.count == 4 else { return nil }
      self.init(width: box[2], height: box[3])
      return
    }
    let metas = root.child("head")?.children("meta") ?? []
    guard
      let content = metas.first(where: { $0.attribute("name") == "viewport" })?
        .attribute("content")
    else { return nil }
    var sides: [String: Double] = [:]
    for part in content.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let pair = part.split(separator: "=").map { String($0).trimmed }
      if pair.count == 2 { sides[pair[0]] = Double(pair[1].prefix { $0.isNumber || $0 == "." }) }
    }
    self.init(width: sides["width"] ?? 0, height: sides["height"] ?? 0)
  }

  private init?(width: Double, height: Double) {
    guard (10...20_000).contains(width), (10...20_000).contains(height) else { return nil }
    self.width = Int(width.rounded())
    self.height = Int(height.rounded())
  }
}
