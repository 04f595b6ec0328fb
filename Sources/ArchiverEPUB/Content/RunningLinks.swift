import ArchiverMarkup

/// The links of a document in running text, which a colour alone does not tell from it (WCAG 2.2, 1.4.1).
///
/// A link is one of them if its line, which blocks and line breaks end, has more than half as many letters outside of
/// links as inside: numbers do not make the entry of a table of contents one. Each block is measured once.
struct RunningLinks {
  private struct Line {
    var links: [XMLElement] = []
    /// Sizes of letters in bytes.
    var inside = 0
    var outside = 0
  }

  /// The attribute of such a link, which has no value.
  static let attribute = "data-running"

  private var measured: Set<XMLElement> = []
  private var found: Set<XMLElement> = []

  /// Whether a link with an address is in running text.
  mutating func contains(_ link: XMLElement) -> Bool {
    var block = link.parent
    while let outer = block, RunningLinks.isInline(outer.name.lowercased()) { block = outer.parent }
    guard let block else { return false }
    if measured.insert(block).inserted {
      var line = Line()
      measure(block, &line)
      end(&line)
    }
    return found.contains(link)
  }

  private mutating func measure(_ element: XMLElement, _ line: inout Line) {
    for content in element.contents {
      switch content {
      case .text(let text): line.outside += RunningLinks.size(text)
      case .element(let child):
        let name = child.name.lowercased()
        if name == "a", ChapterWriter.href(child) != nil {
          line.links.append(child)
          line.inside += RunningLinks.size(child.text)
        } else if RunningLinks.isInline(name) {
          measure(child, &line)
        } else if name != "style", !ContentVocabulary.dropped.contains(name) {
          end(&line)
        }
      }
    }
  }

  private mutating func end(_ line: inout Line) {
    if line.outside > 0, 2 * line.outside > line.inside { found.formUnion(line.links) }
    line = Line()
  }

  private static func size(_ text: String) -> Int {
    text.utf8.reduce(0) { $0 + ($1 | 0x20 >= 0x61 && $1 | 0x20 <= 0x7A || $1 >= 0x80 ? 1 : 0) }
  }

  /// Whether an element is in a line with what is beside it, as far as its name tells.
  private static func isInline(_ name: String) -> Bool {
    if ["ruby", "rb", "rt", "rtc", "rp"].contains(name) { return true }
    if name == "br" || name == "hr" || name == "body" || name == "html" { return false }
    if name == "style" || ContentVocabulary.dropped.contains(name) { return false }
    return ContentVocabulary.inline.contains(ContentVocabulary.elements[name] ?? "span")
  }
}
