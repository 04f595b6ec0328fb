import ArchiverCore
import ArchiverMarkup

// The numbers of the printed book's pages (EPUB 3.3 Annex F.3, `pagebreak`; DPUB-ARIA 1.1,
// `doc-pagebreak`).
//
// 1. A number that the book itself shows stays as it is and is not part of the text for search.
// 2. Any other number is an attribute, which the page's style shows.
// 3. If only the list of pages names a position, its number is added there.
extension ChapterWriter {
  /// The attribute with the number of a printed page.
  static let pageAttribute = "data-page"

  /// The maximum length of a page's number in bytes.
  private static let longestNumber = 40

  /// Whether elements with a name can begin a page.
  static func mayBreakPage(_ name: String) -> Bool {
    ContentVocabulary.elements[name] != nil || name == "a" || name == "hr"
  }

  /// Whether an element says that a page of the printed book begins.
  func isPageBreak(_ element: XMLElement) -> Bool {
    element.attributes.contains { attribute in
      switch attribute.name.lowercased() {
      case "role": attribute.value.split(separator: " ").contains("doc-pagebreak")
      case "type", "epub:type": attribute.value.split(separator: " ").contains("pagebreak")
      default: false
      }
    }
  }

  /// Returns the number of the page that begins at an element according to the list of pages.
  func pageNumber(at element: XMLElement) -> String? {
    guard !pageNumbers.isEmpty else { return nil }
    let id = element.attribute("id") ?? element.attribute("name")
    return id.flatMap(BookIdentifier.id).flatMap { pageNumbers[$0] }
  }

  /// Writes an element at which a page of the printed book begins.
  mutating func writePageBreak(_ element: XMLElement, _ name: String) {
    let written =
      name == "hr" ? "div" : name == "a" ? "a" : ContentVocabulary.elements[name] ?? "span"
    let listed = pageNumber(at: element)
    let words = element.words
    guard !words.isEmpty || element.descendants.contains(where: ChapterWriter.isShown) else {
      return writeEmptyBreak(element, written, listed)
    }
    let isNumber = isPageBreak(element) && showsNumber(element, words, listed)
    let number = isNumber ? nil : missingNumber(in: element, words, listed)
    guard written != "a" else { return writeLink(element, number: number, isNumber: isNumber) }
    var kept = attributes(element, written)
    adjust(&kept, ofHeading: element, written)
    if isNumber { ChapterWriter.exclude(&kept) }
    html.open(written, attributes: kept)
    if let number, ChapterWriter.holdsNumbers.contains(written) { writePageNumber(number) }
    writeContents(of: element)
    html.close(written)
  }

  /// Whether the text of a page break is the page's number: some books put other text inside.
  private func showsNumber(_ element: XMLElement, _ words: String, _ listed: String?) -> Bool {
    guard !words.isEmpty else { return false }
    guard let number = number(of: element) ?? listed else {
      return words.utf8.count <= ChapterWriter.longestNumber / 2
    }
    return words.utf8.count <= number.utf8.count + ChapterWriter.longestNumber / 2
      && words.contains(number)
  }

  /// Marks an element whose text is a page's number as no part of the text.
  static func exclude(_ attributes: inout [(name: String, value: String)]) {
    attributes.removeAll { $0.name == TextMark.attribute }
    attributes.append((TextMark.attribute, TextMark.none.rawValue))
  }

  /// Returns the number of the page that begins with an element, unless the element shows it.
  private func missingNumber(
    in element: XMLElement, _ words: String, _ listed: String?
  ) -> String? {
    let own = isPageBreak(element) ? number(of: element) : nil
    guard let number = own ?? listed, !words.hasPrefix(number) else { return nil }
    let isMarked = element.descendants.contains {
      isPageBreak($0) && (self.number(of: $0) ?? $0.words) == number
    }
    return isMarked ? nil : number
  }

  /// Writes the number of the page that begins with a file, unless an element has it.
  mutating func writeFirstNumber(of body: XMLElement) {
    guard let number = pageNumber(at: body) ?? pageNumbers[""] else { return }
    let isMarked = body.descendants.contains { element in
      element.hasAttributes
        && (pageNumber(at: element) == number
          || isPageBreak(element) && (self.number(of: element) ?? element.words) == number)
    }
    if !isMarked { writePageNumber(number) }
  }

  /// Writes the number of a page that begins here.
  mutating func writePageNumber(_ number: String) {
    html.open("span", attributes: ChapterWriter.attributes(ofNumber: number))
    html.close("span")
  }

  /// Writes a page break without content.
  private mutating func writeEmptyBreak(_ element: XMLElement, _ name: String, _ listed: String?) {
    var kept = attributes(element, name)
    let second = name == "a" ? ChapterWriter.addName(of: element, to: &kept) : nil
    if let number = number(of: element) ?? listed {
      let more = ChapterWriter.attributes(ofNumber: number)
      kept.removeAll { known in
        known.name == "aria-label" || more.contains { $0.name == known.name }
      }
      kept += more
    }
    html.open(name, attributes: kept)
    if let second { html.element("span", ["id": second], text: "") }
    html.close(name)
  }

  /// The title names the break: checkers that do not know its role forbid `aria-label` on a `span`.
  private static func attributes(ofNumber number: String) -> [(name: String, value: String)] {
    [("role", "doc-pagebreak"), (pageAttribute, number), ("title", number)]
  }

  /// Returns the number that a page break without text declares.
  private func number(of element: XMLElement) -> String? {
    let values = [element.attribute("title"), element.attribute("aria-label")]
    return values.lazy.compactMap { $0.flatMap(ChapterWriter.number) }.first
  }

  /// Returns a page's number without white space around it; `nil` if the text is empty or too long.
  static func number(_ text: String) -> String? {
    let words = text.trimmed
    return words.isEmpty || words.utf8.count > longestNumber ? nil : words
  }

  /// Whether an element without text is visible.
  static func isShown(_ element: XMLElement) -> Bool {
    ["img", "image", "svg", "audio", "video", "object", "math", "hr"]
      .contains(element.name.lowercased())
  }

  /// Elements that may begin with a number.
  private static let holdsNumbers: Set<String> = ContentVocabulary.inline.union([
    "p", "div", "section", "article", "aside", "header", "blockquote", "figure", "figcaption", "li",
    "dt", "dd", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "center", "address",
  ])
}

extension BookWays {
  /// The titles of `pages` by the entry and id, as pages have it, at which they begin; the id is empty
  /// for the beginning of a file.
  var pageNumbers: [String: [String: String]] {
    var numbers: [String: [String: String]] = [:]
    for page in pages {
      guard let target = page.target, let number = ChapterWriter.number(page.title) else {
        continue
      }
      let id = target.fragment.flatMap(BookIdentifier.id) ?? ""
      if numbers[target.path]?[id] == nil { numbers[target.path, default: [:]][id] = number }
    }
    return numbers
  }
}
