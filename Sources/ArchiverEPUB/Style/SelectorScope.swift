/// Binds the selectors of a book to the part of the page that is the book's.
///
/// `html` becomes `.book`, `body` becomes `.sheet`, any other selector matches inside `.sheet` only,
/// or these two themselves where it begins with a class or an id that they may have; classes and ids
/// get the prefixes they have in the pages.
enum SelectorScope {
  static let classPrefix = "b-"
  static let idPrefix = "c-"

  /// Returns the selectors that are understood, joined; `nil` when none is.
  static func scoped(_ prelude: [CSSToken]) -> String? {
    let selectors = DeclarationFilter.split(prelude, at: 0x2C).compactMap(selector)
    return selectors.isEmpty ? nil : selectors.joined(separator: ",")
  }

  private static func selector(_ tokens: [CSSToken]) -> String? {
    var reader = Reader(tokens: tokens)
    return reader.read()
  }

  private struct Reader {
    let tokens: [CSSToken]
    var index = 0
    var text = ""
    /// Whether the selector begins with a class or an id, which the root of the book may have too.
    var isOfAny = false
    /// Whether the selector begins at the root of the book, which needs no prefix.
    var isRooted = false

    mutating func read() -> String? {
      while index < tokens.count {
        guard step() else { return nil }
      }
      let trimmed = text.split(separator: " ").joined(separator: " ")
      guard !trimmed.isEmpty, ![">", "+", "~"].contains(trimmed.first) else { return nil }
      if isRooted { return trimmed }
      return ".sheet " + trimmed + (isOfAny ? ",.book\(trimmed),.sheet\(trimmed)" : "")
    }

    private mutating func step() -> Bool {
      let token = tokens[index]
      index += 1
      switch token {
      case .identifier(let name): element(name)
      case .hash(let name):
        if text.isEmpty { isOfAny = true }
        text += "#" + CSSToken.escaped(SelectorScope.idPrefix + name)
      case .whitespace: if !text.isEmpty { text += " " }
      case .symbol(0x2A): text += "*"
      case .symbol(0x3E), .symbol(0x2B), .symbol(0x7E): text += token.text
      case .symbol(0x2E): return className()
      case .symbol(0x3A): return pseudo()
      case .symbol(0x5B): return attribute()
      default: return false
      }
      return true
    }

    private mutating func element(_ name: String) {
      switch name.lowercased() {
      case "html":
        if text.isEmpty { isRooted = true }
        text += ".book"
      case "body":
        if text.isEmpty { isRooted = true }
        text += ".sheet"
      default: text += CSSToken.escaped(name)
      }
    }

    private mutating func className() -> Bool {
      guard index < tokens.count, case .identifier(let name) = tokens[index] else { return false }
      index += 1
      if text.isEmpty { isOfAny = true }
      text += "." + CSSToken.escaped(SelectorScope.classPrefix + name)
      return true
    }

    private mutating func pseudo() -> Bool {
      if index < tokens.count, tokens[index] == .symbol(0x3A) { index += 1 }
      guard index < tokens.count else { return false }
      let token = tokens[index]
      index += 1
      switch token {
      case .identifier(let name) where name.lowercased() == "root":
        if text.isEmpty { isRooted = true }
        text += ".book"
        return true
      case .identifier(let name) where SelectorScope.pseudos.contains(name.lowercased()):
        let isElement = SelectorScope.pseudoElements.contains(name.lowercased())
        text += (isElement ? "::" : ":") + name.lowercased()
        return true
      case .function(let name) where SelectorScope.functions.contains(name):
        return arguments(name)
      default: return false
      }
    }

    private mutating func arguments(_ name: String) -> Bool {
      var inner = ""
      while index < tokens.count {
        let token = tokens[index]
        index += 1
        switch token {
        case .symbol(0x29):
          text += ":\(name)(\(inner))"
          return true
        case .identifier, .number, .whitespace, .symbol(0x2B), .symbol(0x2D): inner += token.text
        default: return false
        }
      }
      return false
    }

    /// Attributes whose values the pages keep as they are.
    private mutating func attribute() -> Bool {
      guard let end = tokens[index...].firstIndex(of: .symbol(0x5D)) else { return false }
      let inner = tokens[index..<end]
      index = end + 1
      guard case .identifier(let name)? = inner.first(where: { $0 != .whitespace }),
        SelectorScope.attributes.contains(name.lowercased())
      else { return false }
      for token in inner {
        switch token {
        case .identifier, .string, .whitespace, .symbol(0x3D), .symbol(0x7E), .symbol(0x5E),
          .symbol(0x24), .symbol(0x2A):
          break
        default: return false
        }
      }
      text += "[" + inner.map(\.text).joined() + "]"
      return true
    }
  }

  private static let attributes: Set<String> = [
    "lang", "dir", "title", "alt", "colspan", "rowspan", "start", "role", "hidden",
  ]
  private static let pseudoElements: Set<String> = [
    "before", "after", "first-line", "first-letter", "marker",
  ]
  private static let pseudos: Set<String> = pseudoElements.union([
    "first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type",
    "empty", "link", "visited", "hover", "target",
  ])
  private static let functions: Set<String> = [
    "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "lang",
  ]
}
