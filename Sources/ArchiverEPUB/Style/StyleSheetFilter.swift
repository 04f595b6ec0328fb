/// Makes a book's style sheet safe and keeps it to the book's part of the page.
///
/// What comes out holds rules for `.book` and `.sheet` and what is in them, `@media` and `@supports`
/// around such rules, and `@font-face` with fonts of the book. Everything else is gone.
struct StyleSheetFilter {
  let declarations: DeclarationFilter
  /// Returns a style sheet of the book that an `@import` names, already filtered.
  let importing: (String) -> String?
  /// Whether colours apply whatever the reader prefers; otherwise on light pages only.
  let keepsColors: Bool

  private static let deepest = 8

  func filter(_ css: some Collection<UInt8>) -> String {
    rules(CSSTokenizer.tokens(css)[...], depth: 0)
  }

  /// Returns the declarations of a `style` attribute; `nil` when none is kept.
  func inline(_ style: String) -> String? {
    let kept = declarations.filter(CSSTokenizer.tokens(style.utf8))
    let all = kept.layout + (keepsColors ? kept.colors : [])
    return all.isEmpty ? nil : all.joined(separator: ";")
  }

  private func rules(_ tokens: ArraySlice<CSSToken>, depth: Int) -> String {
    guard depth < StyleSheetFilter.deepest else { return "" }
    var output = ""
    var index = tokens.startIndex
    while index < tokens.endIndex {
      let rule = StyleSheetFilter.rule(tokens, &index)
      switch rule.prelude.first {
      case .atKeyword(let name)?: output += atRule(name, rule, depth: depth)
      case nil: continue
      default: output += styleRule(rule)
      }
    }
    return output
  }

  private struct Rule {
    var prelude: [CSSToken] = []
    /// What stands between the braces; `nil` for a statement that ends with a semicolon.
    var block: ArraySlice<CSSToken>?
  }

  private static func rule(_ tokens: ArraySlice<CSSToken>, _ index: inout Int) -> Rule {
    var rule = Rule()
    while index < tokens.endIndex {
      let token = tokens[index]
      index += 1
      switch token {
      case .symbol(0x7B):
        rule.block = block(tokens, &index)
        return rule
      case .symbol(0x3B):
        if case .atKeyword? = rule.prelude.first { return rule }
        return Rule()
      case .symbol(0x7D): return Rule()
      case .whitespace: if !rule.prelude.isEmpty { rule.prelude.append(token) }
      default: rule.prelude.append(token)
      }
    }
    return rule
  }

  private static func block(
    _ tokens: ArraySlice<CSSToken>, _ index: inout Int
  ) -> ArraySlice<CSSToken> {
    let start = index
    var depth = 1
    while index < tokens.endIndex {
      if tokens[index] == .symbol(0x7B) { depth += 1 }
      if tokens[index] == .symbol(0x7D) { depth -= 1 }
      index += 1
      if depth == 0 { return tokens[start..<(index - 1)] }
    }
    return tokens[start..<index]
  }

  private func styleRule(_ rule: Rule) -> String {
    guard let block = rule.block, let selector = SelectorScope.scoped(rule.prelude) else {
      return ""
    }
    let kept = declarations.filter(block)
    var output = ""
    let plain = kept.layout + (keepsColors ? kept.colors : [])
    if !plain.isEmpty { output += "\(selector){\(plain.joined(separator: ";"))}\n" }
    if !keepsColors, !kept.colors.isEmpty {
      let colors = kept.colors.joined(separator: ";")
      output += "@media (prefers-color-scheme:light){\(selector){\(colors)}}\n"
    }
    if !keepsColors, !kept.darkBorders.isEmpty {
      let borders = kept.darkBorders.joined(separator: ";")
      output += "@media screen and (prefers-color-scheme:dark){\(selector){\(borders)}}\n"
    }
    return output
  }

  private func atRule(_ name: String, _ rule: Rule, depth: Int) -> String {
    switch name {
    case "media", "supports":
      guard let block = rule.block, let condition = condition(rule.prelude.dropFirst()) else {
        return ""
      }
      let inner = rules(block, depth: depth + 1)
      return inner.isEmpty ? "" : "@\(name) \(condition){\n\(inner)}\n"
    case "font-face":
      return rule.block.flatMap(declarations.fontFace).map { "@font-face{\($0)}\n" } ?? ""
    case "import": return rule.block == nil ? imported(rule.prelude) : ""
    default: return ""
    }
  }

  private func imported(_ prelude: [CSSToken]) -> String {
    for token in prelude {
      switch token {
      case .url(let address), .string(let address): return importing(address) ?? ""
      default: continue
      }
    }
    return ""
  }

  /// A media or feature query made of plain words, numbers and parentheses.
  private func condition(_ tokens: ArraySlice<CSSToken>) -> String? {
    var text = ""
    var open = 0
    for token in tokens {
      switch token {
      case .identifier, .number, .whitespace, .symbol(0x3A), .symbol(0x2C), .symbol(0x2F): break
      case .symbol(0x28): open += 1
      case .symbol(0x29): open -= 1
      default: return nil
      }
      guard open >= 0 else { return nil }
      text += token.text
    }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty || open != 0 ? nil : trimmed
  }
}
