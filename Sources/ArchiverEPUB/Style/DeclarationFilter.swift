/// Keeps declarations for the layout of text and images, and removes all others.
///
/// No value can refer to anything outside the book: `url()` is kept only if `resolve` finds the
/// file, and functions only if they are listed. Custom properties keep their values by the same
/// rules and are renamed, so that `var()` refers to the book's properties only.
struct DeclarationFilter {
  /// Returns the URL of a file of the book that a property refers to; `nil` if it does not exist.
  let resolve: (_ address: String, _ property: String) -> String?
  /// Called with the source of each `@font-face` rule that names files, none of which can be used.
  var losingFont: (_ source: String) -> Void = { _ in }

  struct Declarations {
    /// Declarations without colours.
    var layout: [String] = []
    /// Colours and backgrounds, which are readable on a light page only.
    var colors: [String] = []
    /// Declarations that give borders a readable colour on a dark page.
    var darkBorders: [String] = []
  }

  func filter(_ tokens: some Collection<CSSToken>) -> Declarations {
    var kept = Declarations()
    for part in DeclarationFilter.split(Array(tokens), at: 0x3B) {
      guard let (name, value) = declaration(part) else { continue }
      let text = "\(name):\(value)"
      if StyleVocabulary.colors.contains(name) {
        kept.colors.append(text)
      } else {
        kept.layout.append(text)
        if StyleVocabulary.borders.contains(name), DeclarationFilter.namesColor(part) {
          kept.darkBorders.append("\(name)-color:var(--line)")
        }
      }
    }
    return kept
  }

  /// Whether a colour is `transparent` or one in figures without opacity (CSS Color 4).
  static func isTransparent(_ color: some StringProtocol) -> Bool {
    let text = color.lowercased().filter { !$0.isWhitespace }
    if text == "transparent" { return true }
    if text.hasPrefix("#") {
      return text.utf8.count == 5 && text.hasSuffix("0")
        || text.utf8.count == 9 && text.hasSuffix("00")
    }
    guard text.hasPrefix("rgb") || text.hasPrefix("hsl"), text.hasSuffix(")") else { return false }
    let parts = text.dropLast().split { ",(/".contains($0) }
    let hasAlpha = parts.count == 5 || text.contains("/")
    let alpha = (parts.last ?? "").filter { $0 != "%" }
    return hasAlpha && Double(alpha) == 0
  }

  /// Whether a border's declaration has a colour besides its width and style.
  private static func namesColor(_ tokens: [CSSToken]) -> Bool {
    guard let colon = tokens.firstIndex(of: .symbol(0x3A)) else { return false }
    return tokens[colon...].contains { token in
      switch token {
      case .hash, .function: true
      case .identifier(let word): !StyleVocabulary.lines.contains(word.lowercased())
      default: false
      }
    }
  }

  /// Returns the declarations of a `@font-face` rule; `nil` if it has no file of the book.
  func fontFace(_ tokens: some Collection<CSSToken>) -> String? {
    var kept = [String]()
    var hasSource = false
    var lost: String?
    for (name, tokens) in descriptors(tokens, StyleVocabulary.fontDescriptors) {
      if name == "src" {
        let sources = DeclarationFilter.split(tokens, at: 0x2C)
          .compactMap { value($0, "src") }.filter { $0.contains("url(") }
        guard !sources.isEmpty else {
          lost = tokens.map(\.text).joined()
          continue
        }
        hasSource = true
        kept.append("src:" + sources.joined(separator: ","))
      } else if let value = value(tokens, name) {
        kept.append("\(name):\(value)")
      }
    }
    if !hasSource, let lost, lost.lowercased().contains("url(") { losingFont(lost) }
    return hasSource ? kept.joined(separator: ";") : nil
  }

  /// Returns the declarations of a `@counter-style` rule; `nil` without any.
  func counterStyle(_ tokens: some Collection<CSSToken>) -> String? {
    let kept = descriptors(tokens, StyleVocabulary.counterDescriptors).compactMap { name, tokens in
      value(tokens, name).map { "\(name):\($0)" }
    }
    return kept.isEmpty ? nil : kept.joined(separator: ";")
  }

  private func descriptors(
    _ tokens: some Collection<CSSToken>, _ known: Set<String>
  ) -> [(name: String, value: [CSSToken])] {
    DeclarationFilter.split(Array(tokens), at: 0x3B).compactMap { part in
      guard let (raw, value) = DeclarationFilter.parts(part), known.contains(raw.lowercased())
      else { return nil }
      return (raw.lowercased(), value)
    }
  }

  /// Splits a declaration into name and value; `nil` if it is invalid.
  private static func parts(_ tokens: [CSSToken]) -> (name: String, value: [CSSToken])? {
    let rest = tokens.drop { $0 == .whitespace }
    guard case .identifier(let name)? = rest.first else { return nil }
    let value = rest.dropFirst().drop { $0 == .whitespace }
    guard value.first == .symbol(0x3A) else { return nil }
    return (name, Array(value.dropFirst()))
  }

  private func declaration(_ tokens: [CSSToken]) -> (String, String)? {
    guard let (raw, tokens) = DeclarationFilter.parts(tokens) else { return nil }
    if raw.hasPrefix("--") {
      return value(tokens, "--").map { (DeclarationFilter.customName(raw), $0) }
    }
    let name = DeclarationFilter.plain(raw)
    guard StyleVocabulary.properties.contains(name), let value = value(tokens, name) else {
      return nil
    }
    if name == "text-combine-upright", value == "horizontal" { return (name, "all") }
    let position = value.prefix { $0 != " " && $0 != "!" }
    if name == "position", !["static", "relative", "absolute"].contains(position) { return nil }
    return (name, value)
  }

  /// Returns the name of a custom property in pages: `--width` becomes `--b-width`.
  private static func customName(_ raw: String) -> String {
    "--" + CSSToken.escaped(SelectorScope.classPrefix + raw.dropFirst(2))
  }

  /// Returns the name without a vendor prefix: `-epub-writing-mode` is `writing-mode`.
  private static func plain(_ raw: String) -> String {
    var name = raw.lowercased()
    for prefix in ["-epub-", "-webkit-", "-moz-", "-ms-"] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    return name == "text-combine" || name == "text-combine-horizontal"
      ? "text-combine-upright" : name
  }

  private func value(_ tokens: [CSSToken], _ property: String) -> String? {
    var text = ""
    var open: [String] = []
    for (index, token) in tokens.enumerated() {
      switch token {
      case .url(let address):
        guard let local = reference(address, property) else { return nil }
        text += CSSToken.url(local).text
      case .function(let name):
        guard StyleVocabulary.functions.contains(name) else { return nil }
        open.append(name)
        text += token.text
      case .symbol(let byte):
        switch byte {
        case 0x28: open.append("")
        case 0x29: if open.popLast() == nil { return nil }
        case 0x21: guard DeclarationFilter.isImportant(tokens[(index + 1)...]) else { return nil }
        // # + , - . / * % [ ] and ?, which unicode-range has
        case 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x2A, 0x25, 0x3F, 0x5B, 0x5D: break
        default: return nil
        }
        text += token.text
      case .atKeyword: return nil
      case .identifier(let name) where name.hasPrefix("--"):
        text += open.last == "var" ? DeclarationFilter.customName(name) : token.text
      case .identifier, .hash, .string, .number, .whitespace: text += token.text
      }
    }
    guard open.isEmpty else { return nil }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    let isEmpty = trimmed.isEmpty && property != "--"
    return isEmpty || trimmed.utf8.count > 4_096 ? nil : trimmed
  }

  /// Returns the URL of a file of the book, or of a part of the page if the property permits it.
  private func reference(_ address: String, _ property: String) -> String? {
    if address.hasPrefix("#") {
      guard StyleVocabulary.mayNameParts.contains(property) else { return nil }
      return BookIdentifier.fragment(String(address.dropFirst())).map { "#" + $0 }
    }
    return StyleVocabulary.mayRefer.contains(property) ? resolve(address, property) : nil
  }

  /// Whether an exclamation mark is followed by `important` only.
  private static func isImportant(_ tokens: ArraySlice<CSSToken>) -> Bool {
    let words = tokens.filter { $0 != .whitespace }
    guard words.count == 1, case .identifier(let word)? = words.first else { return false }
    return word.lowercased() == "important"
  }

  /// Splits at a symbol outside parentheses, brackets and braces.
  static func split(_ tokens: [CSSToken], at symbol: UInt8) -> [[CSSToken]] {
    var parts: [[CSSToken]] = [[]]
    var depth = 0
    for token in tokens {
      switch token {
      case .function, .symbol(0x28), .symbol(0x5B), .symbol(0x7B): depth += 1
      case .symbol(0x29), .symbol(0x5D), .symbol(0x7D): depth = max(0, depth - 1)
      case .symbol(symbol) where depth == 0:
        parts.append([])
        continue
      default: break
      }
      parts[parts.count - 1].append(token)
    }
    return parts.filter { part in part.contains { $0 != .whitespace } }
  }
}
