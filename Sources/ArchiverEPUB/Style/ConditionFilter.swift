/// Filters the condition of an at-rule, before its block.
enum ConditionFilter {
  /// Returns a media, feature or container query that consists of words, numbers, comparisons and
  /// parentheses; `nil` for any other.
  static func text(_ tokens: some Collection<CSSToken>) -> String? {
    var text = ""
    var open = 0
    for token in flipped(Array(tokens)) {
      switch token {
      case .identifier, .number, .hash, .whitespace, .symbol(0x3A), .symbol(0x2C), .symbol(0x2F),
        .symbol(0x3E), .symbol(0x3D), .symbol(0x2B), .symbol(0x2A), .symbol(0x2D), .symbol(0x25):
        break
      case .function(let name):
        guard StyleVocabulary.functions.contains(name), name != "local" else { return nil }
        open += 1
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

  /// Writes `(a < b)` as `(b > a)`, as `<` could end a style element.
  private static func flipped(_ tokens: [CSSToken]) -> [CSSToken] {
    guard tokens.contains(.symbol(0x3C)) else { return tokens }
    var output: [CSSToken] = []
    var index = tokens.startIndex
    while index < tokens.endIndex {
      guard tokens[index] == .symbol(0x28),
        let end = tokens[index...].firstIndex(of: .symbol(0x29)),
        !tokens[(index + 1)..<end].contains(.symbol(0x28))
      else {
        output.append(tokens[index])
        index += 1
        continue
      }
      output += [.symbol(0x28)] + flippedComparison(tokens[(index + 1)..<end]) + [.symbol(0x29)]
      index = end + 1
    }
    return output
  }

  private static func flippedComparison(_ tokens: ArraySlice<CSSToken>) -> [CSSToken] {
    guard tokens.contains(.symbol(0x3C)) else { return Array(tokens) }
    var operands: [[CSSToken]] = [[]]
    var operators: [[CSSToken]] = []
    for token in tokens {
      switch token {
      case .symbol(0x3C):
        operators.append([.symbol(0x3E)])
        operands.append([])
      case .symbol(0x3D) where operands.last?.isEmpty == true && !operators.isEmpty:
        operators[operators.count - 1].append(token)
      default: operands[operands.count - 1].append(token)
      }
    }
    var output = operands.last ?? []
    for (operation, operand) in zip(operators, operands).reversed() {
      output += operation + operand
    }
    return output
  }

  /// Returns prefixed layer names; empty for an anonymous layer, `nil` for an invalid list.
  static func layers(_ tokens: some Collection<CSSToken>) -> [String]? {
    let parts = DeclarationFilter.split(Array(tokens), at: 0x2C)
    var names: [String] = []
    for part in parts {
      var name = ""
      for token in part where token != .whitespace {
        switch token {
        case .identifier(let word):
          name += CSSToken.escaped((name.isEmpty ? SelectorScope.classPrefix : "") + word)
        case .symbol(0x2E) where !name.isEmpty: name += "."
        default: return nil
        }
      }
      names.append(name)
    }
    return names
  }

  /// Returns the beginnings of blocks equivalent to the conditions of an `@import`, outer ones
  /// first; `nil` for unsupported conditions.
  static func imported(_ tokens: ArraySlice<CSSToken>) -> [String]? {
    var rest = tokens.drop { $0 == .whitespace }
    var starts: [String] = []
    if case .identifier(let word)? = rest.first, word.lowercased() == "layer" {
      starts.append("@layer")
      rest = rest.dropFirst()
    } else if rest.first == .function("layer") {
      rest = rest.dropFirst()
      guard let inner = rest.takeArguments(), let names = layers(inner), names.count == 1 else {
        return nil
      }
      starts.append("@layer " + names[0])
    }
    rest = rest.drop { $0 == .whitespace }
    if rest.first == .function("supports") {
      rest = rest.dropFirst()
      guard let inner = rest.takeArguments(), let condition = text(inner) else { return nil }
      starts.insert("@supports (\(condition))", at: 0)
    }
    rest = rest.drop { $0 == .whitespace }
    guard !rest.isEmpty else { return starts }
    guard let condition = text(rest) else { return nil }
    return ["@media " + condition] + starts
  }
}
