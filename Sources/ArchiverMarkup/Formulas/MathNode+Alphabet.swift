extension MathNode {
  /// Whether scripts stand below and above it in display style.
  var takesLimits: Bool {
    switch self {
    case .symbol(_, .large), .limits(_, nil, nil): true
    case .accent(_, let mark, _, true): mark == "⏞" || mark == "⏟"
    default: false
    }
  }

  /// Returns the node with its letters in another alphabet.
  func inAlphabet(_ alphabet: MathAlphabet) -> MathNode {
    switch self {
    case .identifier(let text):
      return alphabet == .mathrm ? .upright(text) : .upright(String(text.map(alphabet.character)))
    case .number(let text): return .number(String(text.map(alphabet.character)))
    case .row(let nodes):
      let mapped = nodes.map { $0.inAlphabet(alphabet) }
      return MathNode.joined(mapped)
    case .scripts(let base, let lower, let upper):
      return .scripts(
        base.inAlphabet(alphabet), lower: lower?.inAlphabet(alphabet),
        upper: upper?.inAlphabet(alphabet))
    default: return self
    }
  }

  /// Joins neighbouring upright letters to one word.
  private static func joined(_ nodes: [MathNode]) -> MathNode {
    var result: [MathNode] = []
    for node in nodes {
      if case .upright(let next) = node, case .upright(let word)? = result.last {
        result[result.count - 1] = .upright(word + next)
      } else {
        result.append(node)
      }
    }
    return result.count == 1 ? result[0] : .row(result)
  }
}
