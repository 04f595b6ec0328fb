import ArchiverCore
import ArchiverMarkup

/// Writes one page of a FictionBook as HTML, with an allow-list.
struct FictionPageWriter {
  /// Data that all pages of the book share.
  struct Book {
    let plan: FictionPlan
    /// URLs of images by id.
    let pictures: [String: String]
    let references: BookReferences
  }

  static let rules = """
    .sheet .poem,.sheet .cite,.sheet .epigraph{margin:1em 0 1em 2em}
    .sheet .stanza{margin:0 0 1em}
    .sheet .v{margin:0}
    .sheet .by{text-align:end;font-style:italic}
    .sheet .title{text-align:center}
    .sheet .subtitle{font-size:1em;line-height:inherit;font-weight:bold;margin-block:1.33em}

    """

  /// The HTML elements for FictionBook's, with a class of ours.
  private static let elements: [String: (name: String, style: String?)] = [
    "p": ("p", nil), "section": ("section", nil), "strong": ("strong", nil),
    "emphasis": ("em", nil), "strikethrough": ("s", nil), "sub": ("sub", nil),
    "sup": ("sup", nil), "code": ("code", nil), "style": ("span", nil),
    "epigraph": ("blockquote", "epigraph"), "annotation": ("div", "epigraph"),
    "cite": ("blockquote", "cite"), "poem": ("div", "poem"), "stanza": ("div", "stanza"),
    "v": ("p", "v"), "text-author": ("p", "by"), "date": ("p", "by"),
    "table": ("table", nil), "tr": ("tr", nil), "td": ("td", nil), "th": ("th", nil),
    "body": ("div", nil),
    // HTML, which the standard does not have and some books use.
    "b": ("strong", nil), "i": ("em", nil), "u": ("u", nil), "ul": ("ul", nil), "ol": ("ol", nil),
    "li": ("li", nil), "pre": ("pre", nil), "div": ("div", nil),
  ]
  private static let deepest = 256

  let book: Book
  private(set) var html = HTMLWriter()
  private var depth = 0
  private var isInLink = false
  /// The level of the last title.
  private var lastLevel = 1

  init(_ book: Book) { self.book = book }

  /// - Parameter level: The level of titles, from 1; 0 outside of a part with a title of the first level.
  mutating func write(_ element: XMLElement, level: Int) {
    depth += 1
    defer { depth -= 1 }
    guard depth < FictionPageWriter.deepest else {
      return book.references.lose("parts nested too deeply")
    }
    switch element.name {
    case "title": return writeTitle(element, level: level)
    case "subtitle": return writeSubtitle(element, level: level)
    case "empty-line":
      html.anchor(of: element)
      return html.raw("<p><br></p>")
    case "br": return html.raw("<br>")
    case "image": return writeImage(element)
    case "a": return writeLink(element, level: level)
    case "binary", "description", "stylesheet": return
    default: break
    }
    guard let (name, style) = FictionPageWriter.elements[element.name] else {
      html.anchor(of: element)
      return writeContents(of: element, level: level)
    }
    let isTitled = FictionPageWriter.isTitled(element)
    let inner = isTitled ? min(6, level + 1) : level
    html.open(name, attributes: attributes(element, style))
    writeContents(of: element, level: inner)
    html.close(name)
  }

  /// Writes text outside of elements.
  mutating func write(_ text: String) { html.text(ChapterWriter.visible(text)) }

  mutating func endLine() { html.text("\n") }

  private mutating func writeContents(of element: XMLElement, level: Int) {
    for content in element.contents {
      switch content {
      case .text(let text): html.text(ChapterWriter.visible(text))
      case .element(let child): write(child, level: level)
      }
    }
  }

  private func attributes(
    _ element: XMLElement, _ style: String?
  ) -> [(name: String, value: String)] {
    var kept: [(name: String, value: String)] = []
    if let style { kept.append(("class", style)) }
    if let id = element.attribute("id").flatMap(BookIdentifier.id) { kept.append(("id", id)) }
    // A wide table scrolls, by keys too.
    if element.name == "table" { kept.append(("tabindex", "0")) }
    if let language = ChapterWriter.language(element), ContentVocabulary.isPlain(language) {
      kept.append(("lang", language))
    }
    for name in ["colspan", "rowspan"] {
      if let value = element.attribute(name), (Int(value) ?? 0) > 1 { kept.append((name, value)) }
    }
    if let align = element.attribute("align"), ["left", "right", "center"].contains(align) {
      kept.append(("align", align))
    }
    return kept
  }

  /// Whether an element has a title with words, or an image, for which the titles inside are one level lower.
  static func isTitled(_ element: XMLElement) -> Bool {
    element.children("title").contains(where: isHeading)
  }

  static func isHeading(_ title: XMLElement) -> Bool {
    !title.words.isEmpty || title.descendants("image").contains { !alternative($0).isEmpty }
  }

  /// Writes a subtitle as a heading below the title before it; a line of asterisks between scenes is none.
  private mutating func writeSubtitle(_ element: XMLElement, level: Int) {
    let isHeading = element.text.unicodeScalars.contains {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
    let name = isHeading ? "h\(min(6, min(max(1, level), lastLevel) + 1))" : "p"
    html.open(name, attributes: attributes(element, "subtitle"))
    writeContents(of: element, level: level)
    html.close(name)
  }

  private mutating func writeTitle(_ element: XMLElement, level: Int) {
    let name = FictionPageWriter.isHeading(element) ? "h\(max(1, level))" : "p"
    if name != "p" { lastLevel = max(1, level) }
    html.open(name, attributes: attributes(element, "title"))
    var isFirst = true
    for content in element.contents {
      switch content {
      // The standard has no text outside of the paragraphs.
      case .text(let text): if text.allSatisfy(\.isWhitespace) { continue }
      case .element(let part): if part.name == "empty-line" { continue }
      }
      if !isFirst { html.raw("<br>") }
      isFirst = false
      switch content {
      case .text(let text): html.text(ChapterWriter.visible(text))
      case .element(let part) where part.name == "p":
        html.anchor(of: part)
        writeContents(of: part, level: level)
      case .element(let part): write(part, level: level)
      }
    }
    html.close(name)
  }

  private static func alternative(_ image: XMLElement) -> String {
    image.attribute("alt") ?? image.attribute("title") ?? ""
  }

  private mutating func writeImage(_ element: XMLElement) {
    let words = FictionPageWriter.alternative(element)
    let address = ChapterWriter.href(element) ?? ""
    guard let picture = FictionBookConverter.picture(address, book.pictures) else {
      book.references.lose("images")
      html.anchor(of: element)
      return html.text(words)
    }
    var kept = attributes(element, nil)
    kept += [("src", "../" + picture), ("alt", words)]
    if let title = element.attribute("title"), title != words { kept.append(("title", title)) }
    html.open("img", attributes: kept)
  }

  private mutating func writeLink(_ element: XMLElement, level: Int) {
    var kept = attributes(element, nil)
    let address = ChapterWriter.href(element)?.trimmed ?? ""
    if isInLink {
      html.anchor(of: element)
      return writeContents(of: element, level: level)
    } else if address.hasPrefix("#") {
      let id = String(address.dropFirst())
      if let place = BookIdentifier.id(id).flatMap({ book.plan.places[$0] }),
        let fragment = BookIdentifier.fragment(id)
      {
        kept.append(("href", NumberedPages.file(place) + "#" + fragment))
      } else {
        book.references.lose("links that lead nowhere")
      }
    } else {
      let link = book.references.link(address, from: "", counts: false)
      switch link {
      case .external?, .contact?: kept += link?.attributes ?? []
      case .local?, .file?, nil:
        if !address.isEmpty { book.references.lose("links that lead nowhere") }
      }
    }
    if element.attribute("type") == "note",
      let place = kept.firstIndex(where: { $0.name == "href" })
    {
      kept.insert(("role", "doc-noteref"), at: place)
    }
    isInLink = true
    html.open("a", attributes: kept)
    writeContents(of: element, level: level)
    html.close("a")
    isInLink = false
  }
}
