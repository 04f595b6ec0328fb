import ArchiverCore

/// Parses one selector (Selectors Level 4) and serialises it for the pages.
struct SelectorReader {
  private let tokens: ArraySlice<CSSToken>
  private let parent: String?
  private let depth: Int
  private var index: Int
  private var text = ""
  /// Whether the selector begins with a condition that the root of the book may satisfy too.
  private var isOfAny = false
  /// Whether the selector begins at the root of the book or at the enclosing rule, so that it needs
  /// no prefix.
  private var isRooted = false

  init(tokens: ArraySlice<CSSToken>, parent: String?, depth: Int) {
    self.tokens = tokens
    self.parent = parent
    self.depth = depth
    index = tokens.startIndex
  }

  /// Returns the scoped selector; `nil` if it is not supported.
  mutating func read() -> String? {
    guard let selector = steps() else { return nil }
    if isRooted { return selector }
    if let parent { return ":is(\(parent)) \(selector)" }
    guard ![">", "+", "~"].contains(selector.first) else { return nil }
    return ".sheet " + selector + (isOfAny ? ",.book\(selector),.sheet\(selector)" : "")
  }

  /// Returns the selector without a scope; `nil` if it is not supported.
  mutating func readInner() -> String? { steps() }

  private mutating func steps() -> String? {
    while index < tokens.endIndex {
      guard step() else { return nil }
    }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    guard let last = trimmed.last, ![">", "+", "~"].contains(last) else { return nil }
    return trimmed
  }

  private mutating func step() -> Bool {
    let token = tokens[index]
    index += 1
    switch token {
    case .identifier(let name): element(name)
    case .hash(let name):
      if text.isEmpty { isOfAny = true }
      text += "#" + CSSToken.escaped(BookIdentifier.id(name) ?? SelectorScope.idPrefix)
    case .whitespace: if !text.isEmpty { text += " " }
    case .symbol(0x2A): if !isNamespace { text += "*" }
    case .symbol(0x7C): return isNameNext
    case .symbol(0x3E), .symbol(0x2B), .symbol(0x7E): text += token.text
    case .symbol(0x26): return outerRule()
    case .symbol(0x2E): return className()
    case .symbol(0x3A): return pseudo()
    case .symbol(0x5B): return attribute()
    default: return false
    }
    return true
  }

  /// Whether the name just read is a namespace prefix, which pages do not have.
  private var isNamespace: Bool { index < tokens.endIndex && tokens[index] == .symbol(0x7C) }

  /// Whether a name or an asterisk follows.
  private var isNameNext: Bool {
    guard index < tokens.endIndex else { return false }
    if case .identifier = tokens[index] { return true }
    return tokens[index] == .symbol(0x2A)
  }

  private mutating func element(_ name: String) {
    if isNamespace { return }
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

  private mutating func outerRule() -> Bool {
    guard let parent else { return false }
    isRooted = true
    text += ":is(\(parent))"
    return true
  }

  private mutating func className() -> Bool {
    guard index < tokens.endIndex, case .identifier(let name) = tokens[index] else { return false }
    index += 1
    if text.isEmpty { isOfAny = true }
    text += "." + CSSToken.escaped(SelectorScope.classPrefix + name)
    return true
  }

  private mutating func attribute() -> Bool {
    guard let end = tokens[index...].firstIndex(of: .symbol(0x5D)) else { return false }
    let inner = tokens[index..<end]
    index = end + 1
    guard let written = AttributeSelector.written(inner) else { return false }
    if text.isEmpty { isOfAny = true }
    text += written
    return true
  }

  private mutating func pseudo() -> Bool {
    if index < tokens.endIndex, tokens[index] == .symbol(0x3A) { index += 1 }
    guard index < tokens.endIndex else { return false }
    let token = tokens[index]
    index += 1
    switch token {
    case .identifier(let raw):
      let name = raw.lowercased()
      if name == "root" || name == "scope" {
        if text.isEmpty { isRooted = true }
        text += ".book"
        return true
      }
      guard SelectorReader.pseudos.contains(name) else { return false }
      text += (SelectorReader.pseudoElements.contains(name) ? "::" : ":") + name
      return true
    case .function(let name): return function(name)
    default: return false
    }
  }

  private mutating func function(_ name: String) -> Bool {
    guard let inner = arguments() else { return false }
    if let plain = SelectorReader.selectorFunctions[name] {
      guard let selectors = SelectorScope.inner(inner, parent: parent, depth: depth + 1) else {
        return false
      }
      if text.isEmpty, plain != "has" { isOfAny = true }
      text += ":\(plain)(\(selectors))"
      return true
    }
    guard SelectorReader.functions.contains(name) else { return false }
    var written = ""
    for token in inner {
      switch token {
      case .identifier(let tag) where name == "lang": written += LanguageTag.corrected(tag)
      case .string(let tag) where name == "lang":
        written += CSSToken.quoted(LanguageTag.corrected(tag))
      case .identifier, .number, .string, .whitespace, .symbol(0x2B), .symbol(0x2D), .symbol(0x2C):
        written += token.text
      default: return false
      }
    }
    if text.isEmpty, name == "lang" || name == "dir" { isOfAny = true }
    text += ":\(name)(\(written))"
    return true
  }

  /// Returns the tokens between the parentheses; `nil` if they are not closed.
  private mutating func arguments() -> ArraySlice<CSSToken>? {
    var rest = tokens[index...]
    let arguments = rest.takeArguments()
    index = rest.startIndex
    return arguments
  }

  private static let pseudoElements: Set<String> = [
    "before", "after", "first-line", "first-letter", "marker", "selection",
  ]
  private static let pseudos: Set<String> = pseudoElements.union([
    "first-child", "last-child", "only-child", "first-of-type", "last-of-type", "only-of-type",
    "empty", "link", "visited", "any-link", "hover", "active", "focus", "focus-within",
    "focus-visible", "target", "open", "defined",
  ])
  /// Pseudo-classes with selectors as arguments, with the names that all browsers support.
  private static let selectorFunctions = [
    "is": "is", "where": "where", "not": "not", "has": "has", "matches": "is",
    "-webkit-any": "is", "-moz-any": "is",
  ]
  private static let functions: Set<String> = [
    "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "lang", "dir",
  ]
}
