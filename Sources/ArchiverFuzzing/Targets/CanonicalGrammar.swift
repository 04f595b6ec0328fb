import ArchiverCore
import ArchiverMarkup

/// Parses canonical HTML by its own strict grammar, independently of the parsers under test.
///
/// A violation is a sentence; without violations the document cannot execute anything.
package struct CanonicalGrammar {
  private static let elements: Set<String> = [
    "p", "div", "blockquote", "figure", "figcaption", "details", "summary", "pre", "ul", "ol", "li",
    "dl", "dt", "dd", "table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td",
    "th", "a", "map", "area", "ruby", "rt", "rp", "br", "wbr", "hr", "img", "video", "audio",
    "mark", "sup", "sub",
    "span", "strong", "em", "b", "i", "u", "s", "code", "kbd", "samp", "var", "dfn", "cite",
    "small",
    "abbr", "time", "del", "ins", "q", "bdi", "bdo", "h1", "h2", "h3", "h4", "h5", "h6", "math",
    "mi", "mn", "mo", "ms", "mtext", "mspace", "mprescripts", "none", "mrow", "mfrac", "msqrt",
    "mroot", "mstyle", "merror", "mpadded", "mphantom", "msub", "msup", "msubsup", "munder",
    "mover", "munderover", "mmultiscripts", "mtable", "mtr", "mtd", "menclose",
  ]
  private static let void: Set<String> = ["br", "wbr", "hr", "img", "col", "area"]
  private static let blocks: Set<String> = [
    "p", "div", "blockquote", "figure", "figcaption", "details", "summary", "pre", "ul", "ol", "li",
    "dl", "dt", "dd", "table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th",
    "h1", "h2", "h3", "h4", "h5", "h6",
  ]
  private static let phrasing: Set<String> = [
    "p", "pre", "caption", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "a", "b", "i", "em", "strong",
    "span", "mark", "sup", "sub", "u", "s", "code", "small", "q", "ruby", "rt",
  ]

  package private(set) var violations: [String] = []
  private var open: [String] = []
  private var ids: Set<String> = []

  package init(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      violations = ["not UTF-8"]
      return
    }
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "<" {
        guard let end = rest.firstIndex(of: ">") else {
          violations.append("a tag without end")
          return
        }
        tag(String(String.UnicodeScalarView(rest[rest.startIndex...end])))
        rest = rest[end...].dropFirst()
      } else {
        if scalar == ">" { violations.append("a bare >") }
        if scalar.value < 0x20, scalar != "\n", scalar != "\t" { violations.append("a control") }
        rest = rest.dropFirst()
      }
    }
    if !open.isEmpty { violations.append("left open: \(open)") }
  }

  private mutating func tag(_ tag: String) {
    if tag.hasPrefix("</") {
      let name = String(tag.dropFirst(2).dropLast())
      if open.popLast() != name { violations.append("misplaced \(tag)") }
      return
    }
    let pattern = /<([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/.matchingSemantics(.unicodeScalar)
    guard let match = tag.wholeMatch(of: pattern) else {
      violations.append("not canonical: \(tag.prefix(80))")
      return
    }
    let name = String(match.1)
    if !CanonicalGrammar.elements.contains(name) { violations.append("element \(name)") }
    if CanonicalGrammar.blocks.contains(name),
      let outer = open.last(where: CanonicalGrammar.phrasing.contains),
      open.lastIndex(of: outer) ?? 0 > open.lastIndex(where: {
        ["td", "th", "li", "dd"].contains($0)
      }) ?? -1
    {
      violations.append("\(name) inside \(outer)")
    }
    if name == "a", open.contains("a") { violations.append("a link in a link") }
    attributes(name, String(match.2))
    if !CanonicalGrammar.void.contains(name) { open.append(name) }
  }

  private mutating func attributes(_ element: String, _ text: String) {
    var names = Set<String>()
    for match in text.matches(of: #/ ([a-z-]+)="([^"<>]*)"/#.matchingSemantics(.unicodeScalar)) {
      let name = String(match.1)
      let value = String(match.2)
      if !names.insert(name).inserted { violations.append("\(name) twice") }
      if name.hasPrefix("on") || name == "srcdoc" { violations.append("handler \(name)") }
      if name == "id", !ids.insert(value).inserted { violations.append("id \(value) twice") }
      if name == "id", !value.utf8.starts(with: "c-".utf8),
        !value.utf8.starts(with: "hl-".utf8)
      {
        violations.append("id \(value)")
      }
      if name == "style", !isHarmless(value) { violations.append("style \(value)") }
      let schemes = ["http://", "https://"]
      switch name {
      case "href"
      where !(schemes + ["#"]).contains { value.lowercased().hasPrefix($0) }
        && !LinkScheme.isInert(address: value):
        violations.append("href \(value.prefix(60))")
      case "src", "poster", "data-src", "cite":
        if !(schemes + ["data:image/"]).contains(where: { value.hasPrefix($0) }) {
          violations.append("\(name) \(value.prefix(60))")
        }
      case "usemap" where !value.hasPrefix("#c-"): violations.append("usemap \(value)")
      case "name" where element != "map" || !value.hasPrefix("c-"):
        violations.append("name of \(element)")
      default: break
      }
    }
  }

  private func isHarmless(_ style: String) -> Bool {
    let rest = style.replacing(
      /^background-image:url\((https?:\/\/|data:image\/)[^()]*\);?/, with: "")
    return rest.wholeMatch(of: /([a-z-]+:[a-z0-9.%-]+;?)*/) != nil
  }
}
