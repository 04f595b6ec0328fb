/// A rule or statement of a style sheet, or a nested declaration.
struct CSSRule {
  var prelude: [CSSToken] = []
  /// The tokens between the braces; `nil` for a statement that ends with a semicolon.
  var block: ArraySlice<CSSToken>?

  /// Parses the next rule of a style sheet; one without a block is a statement that begins with
  /// `@`.
  static func next(_ tokens: ArraySlice<CSSToken>, _ index: inout Int) -> CSSRule {
    var rule = CSSRule()
    while index < tokens.endIndex {
      let token = tokens[index]
      index += 1
      switch token {
      case .symbol(0x7B):
        rule.block = block(tokens, &index)
        return rule
      case .symbol(0x3B):
        if case .atKeyword? = rule.prelude.first { return rule }
        return CSSRule()
      case .symbol(0x7D): return CSSRule()
      case .whitespace: if !rule.prelude.isEmpty { rule.prelude.append(token) }
      default: rule.prelude.append(token)
      }
    }
    return rule
  }

  /// Parses the next declaration or rule inside a rule.
  static func nested(_ tokens: ArraySlice<CSSToken>, _ index: inout Int) -> CSSRule {
    var rule = CSSRule()
    var open = 0
    while index < tokens.endIndex {
      let token = tokens[index]
      index += 1
      switch token {
      case .symbol(0x7B) where open == 0:
        rule.block = block(tokens, &index)
        return rule
      case .symbol(0x3B) where open == 0: return rule
      case .symbol(0x7D) where open == 0: return rule
      case .whitespace where rule.prelude.isEmpty: continue
      case .function, .symbol(0x28), .symbol(0x5B): open += 1
      case .symbol(0x29), .symbol(0x5D): open = max(0, open - 1)
      default: break
      }
      rule.prelude.append(token)
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
}
