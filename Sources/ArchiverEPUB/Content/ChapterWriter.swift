import ArchiverCore
import ArchiverMarkup

/// Rewrites one document of a book as HTML, with an allow-list.
///
/// 1. Tags and attributes are those of `ContentVocabulary` and `SVGSanitizer` only, text and values are
///    escaped, and no element that changes the browser's parsing mode is written. The browser's
///    tokenizer therefore finds exactly these tags, whatever tree it builds.
/// 2. Every URL is a file of the book or a web link that the reader has to follow.
/// 3. Classes and ids have prefixes, so that they cannot collide with those of the page around.
struct ChapterWriter {
  let file: String
  let references: BookReferences
  let styles: StyleSheetFilter
  /// The inline elements on lines of their own, by the page's style sheets.
  var lines: [LineSelectors] = []
  /// The numbers of printed pages that begin in this file, by the ids at which they begin.
  var pageNumbers: [String: String] = [:]
  /// The levels of the document's headings.
  var levels = Levels()
  /// The labels of parts for navigation that have no heading, by their type.
  var listNames: [String: String] = [:]
  /// The labels of the page's parts for navigation.
  var labels: Set<String> = []
  /// The links in running text.
  var runningLinks = RunningLinks()
  var html = HTMLWriter()
  /// Filtered rules from `style` elements.
  private(set) var rules = ""
  /// HTML inside the drawing that is being written.
  var foreign: [XMLElement] = []
  /// The number of open links; links are not nested.
  var openLinks = 0
  /// Whether browsers can draw all drawings of the chapter; determined at the first one.
  private var isWithinLimit: Bool?

  init(file: String, references: BookReferences, styles: StyleSheetFilter) {
    self.file = file
    self.references = references
    self.styles = styles
  }

  /// Writes the content of an element.
  mutating func writeContents(of element: XMLElement) {
    for content in element.contents {
      switch content {
      case .text(let text): html.text(ChapterWriter.visible(text))
      case .element(let child): write(child)
      }
    }
  }

  mutating func write(_ element: XMLElement) {
    let name = element.name.lowercased()
    if element.hasAttributes, ChapterWriter.mayBreakPage(name),
      isPageBreak(element) || pageNumber(at: element) != nil
    {
      return writePageBreak(element, name)
    }
    switch name {
    case "svg":
      let isWithinLimit = self.isWithinLimit ?? SVGExpansion.isWithinLimit(documentOf: element)
      self.isWithinLimit = isWithinLimit
      if isWithinLimit {
        writeOuterDrawing(element)
      } else {
        references.lose("SVG images that are too large")
        html.anchor(of: element)
      }
      return
    case "math": return writeMath(element)
    case "style":
      rules += styles.filter(element.text.utf8)
      return
    case "img", "image": return writeImage(element)
    case "picture": return writePicture(element)
    case "a": return writeLink(element)
    case "audio", "video": return writeMedia(element, name)
    case "object": return writeObject(element)
    case "switch": return writeSwitch(element)
    case "iframe", "frame", "embed": return writeFrame(element)
    case "map":
      html.anchor(of: element)
      return writeContents(of: element)
    case "area": return writeArea(element)
    case "button", "select", "option", "optgroup", "textarea", "input":
      html.anchor(of: element)
      return writeField(element, name)
    case "applet":
      references.lose("embedded programs")
      html.anchor(of: element)
      return writeContents(of: element)
    case "canvas": references.lose("SVG images made by scripts")
    case "bgsound": return writeMedia(element, "audio")
    case "nav": return writeNavigation(element)
    case _ where ChapterWriter.headings.contains(name): return writeHeading(element, name)
    default: break
    }
    writeByVocabulary(element, name)
  }

  /// Writes an element as the vocabulary says: left out, with its tags, or only its contents.
  private mutating func writeByVocabulary(_ element: XMLElement, _ name: String) {
    // The names of XHTML are case-sensitive: browsers show the text of `TITLE`.
    let isShown = name == "title" && element.name != name
    if ContentVocabulary.dropped.contains(name), !isShown {
      if name == "script" { countProgram(element) }
      if name == "template", !element.words.isEmpty { references.lose("templates of scripts") }
      if name == "link" { countSheet(element) }
      // Reading systems offer its options beside a field.
      if name == "datalist", !element.children("option").isEmpty {
        references.lose("suggestions of form fields")
      }
      return
    }
    if ContentVocabulary.voids.contains(name) {
      return html.void(name, attributes: attributes(element, name))
    }
    guard let written = ContentVocabulary.elements[name] else {
      html.anchor(of: element)
      return writeContents(of: element)
    }
    let focus = ChapterWriter.mayScroll(element, written) ? [(name: "tabindex", value: "0")] : []
    writeElement(written, attributes(element, written) + focus, of: element)
  }

  /// Whether an element may be wider than the page, so that keys must be able to scroll it: code, and tables
  /// that are in no other table. Not every browser gives such parts the focus by itself.
  private static func mayScroll(_ element: XMLElement, _ written: String) -> Bool {
    guard written == "table" else { return written == "pre" }
    var outer = element.parent
    while let one = outer, one.name.lowercased() != "table" { outer = one.parent }
    return outer == nil
  }

  mutating func writeElement(
    _ name: String, _ attributes: [(name: String, value: String)], of element: XMLElement
  ) {
    html.open(name, attributes: attributes)
    writeContents(of: element)
    html.close(name)
  }

  /// Whether a script is executable rather than data.
  private static func isProgram(_ element: XMLElement) -> Bool {
    let type = (element.attribute("type") ?? "").lowercased()
    let isCode =
      type.isEmpty || type.contains("javascript") || type.contains("ecmascript") || type == "module"
    return isCode && (element.attribute("src") != nil || !element.words.isEmpty)
  }

  /// Counts a script, which is not written, if it has any code.
  func countProgram(_ element: XMLElement) {
    if ChapterWriter.isProgram(element) { references.lose("scripts") }
  }

  /// Counts a style sheet that a page links outside of its head.
  private func countSheet(_ element: XMLElement) {
    let relation = (element.attribute("rel") ?? "").lowercased().split(separator: " ")
    guard relation.contains("stylesheet"), let address = element.attribute("href")
    else { return }
    let isAlternate = relation.contains("alternate")
    references.loseStyled(
      address, from: "", isAlternate ? "alternate style sheets" : "style sheets")
  }

  /// Returns text without characters that XML permits but pages do not need.
  static func visible(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D }
    return isPlain ? text : text.filter { $0 >= " " || $0.isNewline || $0 == "\t" }
  }

  /// Elements whose attribute `background` is an image.
  private static let papered: Set<String> = [
    "body", "table", "tbody", "thead", "tfoot", "tr", "td", "th",
  ]

  /// Returns the global attributes of an element and those of its name.
  func attributes(_ element: XMLElement, _ name: String) -> [(name: String, value: String)] {
    var kept: [(name: String, value: String)] = []
    var language: String?
    var style: [String] = []
    // Used by the book's style.
    var types: String?
    for attribute in element.attributes {
      let key = attribute.name.lowercased()
      let value = attribute.value
      switch key {
      case "id": if let id = BookIdentifier.id(value) { kept.append(("id", id)) }
      case "class":
        if let classes = ChapterWriter.classes(value) { kept.append(("class", classes)) }
      case "style": if let own = styles.inline(value) { style.append(own) }
      case "background" where ChapterWriter.papered.contains(element.name.lowercased()):
        let paper = "background-image:url(\(CSSToken.quoted(value.trimmed)))"
        if let own = styles.inline(paper) { style.insert(own, at: 0) }
      case "lang": language = language ?? LanguageTag.corrected(value)
      case "dir":
        if ["ltr", "rtl", "auto"].contains(value.lowercased()) {
          kept.append(("dir", value.lowercased()))
        }
      case "type" where attribute.namespace == ChapterWriter.epub, "epub:type":
        if let role = ChapterWriter.role(value, of: name), element.attribute("role") == nil {
          kept.append(("role", role))
        }
        if ContentVocabulary.isPlain(value) { types = value }
      case "role":
        if let role = ChapterWriter.role(value, of: name) {
          kept.append(("role", role))
        } else if value.hasPrefix("doc-footnote") || value.hasPrefix("doc-endnote") {
          // The page's style selects notes by it.
          types = types ?? "footnote"
        }
      // Footnotes hidden until a reading system shows them; hidden navigation lists stay hidden.
      case "hidden" where name != "nav": continue
      default:
        let isKnown =
          ContentVocabulary.globalAttributes.contains(key)
          || ContentVocabulary.attributes[name]?.contains(key) == true
        if isKnown, attribute.namespace == nil, ContentVocabulary.isPlain(value) || key == "title" {
          kept.append((key, value))
        }
      }
    }
    if !style.isEmpty { kept.append(("style", style.joined(separator: ";"))) }
    if let language, ContentVocabulary.isPlain(language), !language.isEmpty {
      kept.append(("lang", language))
    }
    if let types { kept.append((AttributeSelector.typeAttribute, types)) }
    var seen = Set<String>()
    kept = kept.filter { seen.insert($0.name).inserted }
    if isOnOwnLine(element, name, kept) {
      kept.append((TextMark.attribute, TextMark.line.rawValue))
    }
    return kept
  }

  /// Whether a style sheet puts an inline element on a line of its own.
  private func isOnOwnLine(
    _ element: XMLElement, _ name: String, _ attributes: [(name: String, value: String)]
  ) -> Bool {
    guard !lines.isEmpty, ContentVocabulary.inline.contains(name) else { return false }
    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    let subject = LineSelectors.Subject(name, classes: value("class"), id: value("id"))
    return lines.contains { $0.matches(subject) { ChapterWriter.ancestors(of: element) } }
  }

  private static func ancestors(of element: XMLElement) -> [LineSelectors.Subject] {
    var found: [LineSelectors.Subject] = []
    var next = element.parent
    while let outer = next {
      let id = outer.attribute("id").flatMap(BookIdentifier.id)
      found.append(
        .init(outer.name.lowercased(), classes: classNames(outer), id: id))
      next = outer.parent
    }
    return found
  }

  private static let epub = "http://www.idpf.org/2007/ops"

  /// Returns the first role among types or roles, if the element may have it.
  private static func role(_ values: String, of name: String) -> String? {
    values.split(separator: " ").lazy
      .compactMap { $0.hasPrefix("doc-") ? String($0) : ContentVocabulary.roles[String($0)] }
      .first.flatMap { ContentVocabulary.permits($0, on: name) ? $0 : nil }
  }

  static func classes(_ value: String) -> String? {
    let names = value.split(whereSeparator: \.isWhitespace).prefix(32)
    guard !names.isEmpty else { return nil }
    return names.map { SelectorScope.classPrefix + $0 }.joined(separator: " ")
  }
}

extension HTMLWriter {
  /// Keeps the target of links to an element that is not written itself.
  mutating func anchor(of element: XMLElement) {
    guard let id = element.attribute("id").flatMap(BookIdentifier.id) else { return }
    self.element("span", ["id": id], text: "")
  }
}
