import ArchiverCore
import ArchiverMarkup

/// The inline elements that a book's style puts on lines of their own, such as the lines of a poem.
///
/// Read from filtered style sheets. Of a selector, names, classes and ids count, and parts before
/// the last as ancestors; one with other conditions is ignored. An error separates two words for
/// search, or does not.
struct LineSelectors {
  /// What a part of a selector is compared with.
  struct Subject {
    let name: String
    let classes: Set<String>
    let id: String?

    /// Creates it with the name, classes and id that an element has in the page.
    init(_ name: String, classes: String?, id: String?) {
      self.name = name
      self.classes = Set((classes ?? "").split(separator: " ").map(String.init))
      self.id = id
    }
  }

  private struct Part {
    /// `nil` for any.
    var name: String?
    var classes: Set<String> = []
    var id: String?
    var ancestors: [Part] = []

    /// A key in `parts`.
    var key: String {
      id.map { "#" + $0 } ?? classes.first.map { "." + $0 } ?? name ?? ""
    }

    func matches(_ subject: Subject) -> Bool {
      (name ?? subject.name) == subject.name && classes.isSubset(of: subject.classes)
        && (id == nil || id == subject.id)
    }
  }

  /// By id, a class or else the name of the last part.
  private var parts: [String: [Part]] = [:]

  var isEmpty: Bool { parts.isEmpty }

  /// Reads a style sheet that `StyleSheetFilter` wrote, with one rule per line.
  init(_ css: String) {
    let bytes = Array(css.utf8)
    guard (bytes.firstIndex(of: "display:") ?? bytes.firstIndex(of: "position:absolute")) != nil
    else { return }
    for line in css.split(separator: "\n") {
      guard let brace = line.firstIndex(of: "{"), LineSelectors.makesLine(line[brace...]) else {
        continue
      }
      for part in line[..<brace].split(separator: ",").compactMap(LineSelectors.selector) {
        parts[part.key, default: []].append(part)
      }
    }
  }

  /// Whether an element is on a line of its own; `ancestors` returns those of the book.
  func matches(_ subject: Subject, ancestors: () -> [Subject]) -> Bool {
    guard !parts.isEmpty else { return false }
    let names = [subject.name] + (subject.id.map { ["#" + $0] } ?? [])
    let keys = names + subject.classes.map { "." + $0 }
    return keys.contains { key in
      parts[key]?.contains { part in
        guard part.matches(subject) else { return false }
        if part.ancestors.isEmpty { return true }
        let outer = ancestors()
        return part.ancestors.allSatisfy { ancestor in outer.contains(where: ancestor.matches) }
      } ?? false
    }
  }

  private static let displays: Set<Substring> = [
    "block", "flex", "flow-root", "grid", "list-item", "table", "table-cell", "table-row",
  ]

  /// Whether declarations in braces separate an element's text from the text around it. Text flows
  /// around one that floats, such as an initial.
  private static func makesLine(_ block: Substring) -> Bool {
    var isLine = false
    for declaration in block.split(whereSeparator: { "{};".contains($0) }) {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].prefix { $0 != " " && $0 != "!" }
      switch parts[0] {
      case "display": isLine = displays.contains(value)
      case "position": if value == "absolute" { return true }
      case "float": if value != "none" { return false }
      default: continue
      }
    }
    return isLine
  }

  /// Returns the last part of a selector with its ancestors; `nil` if it has other conditions.
  private static func selector(_ text: Substring) -> Part? {
    guard !text.contains(where: { "\\:[]()*+~".contains($0) }) else { return nil }
    var parts: [Part] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == ">" }) {
      guard let part = part(word) else { return nil }
      // All elements are in the book's part of the page.
      if part.classes != ["sheet"], part.classes != ["book"] { parts.append(part) }
    }
    guard var last = parts.popLast() else { return nil }
    last.ancestors = parts
    return last
  }

  private static func part(_ word: Substring) -> Part? {
    var part = Part()
    var rest = word
    while let first = rest.first {
      let isName = first != "." && first != "#"
      let name = (isName ? rest : rest.dropFirst()).prefix { $0 != "." && $0 != "#" }
      guard !name.isEmpty else { return nil }
      switch first {
      case ".": part.classes.insert(String(name))
      case "#": part.id = String(name)
      default: part.name = String(name)
      }
      rest = rest[name.endIndex...]
    }
    return part
  }
}
