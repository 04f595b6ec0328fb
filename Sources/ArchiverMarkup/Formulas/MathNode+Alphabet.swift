extension MathNode {
  /// Whether its scripts are below and above it in display style.
  var takesLimits: Bool {
    switch self {
    case .symbol(_, .large), .limits(_, nil, nil): true
    case .accent(_, let mark, _, true): "⏞⏟⎴⎵⏜⏝⏠⏡".contains(mark)
    default: false
    }
  }

  /// Returns the node with its letters in another alphabet.
  func inAlphabet(_ alphabet: MathAlphabet) -> MathNode {
    switch self {
    case .identifier(let text):
      return alphabet == .mathrm ? .upright(text) : .upright(String(text.map(alphabet.character)))
    case .upright(let text) where text.count == 1:
      return .upright(String(text.map(alphabet.character)))
    case .number(let text): return .number(String(text.map(alphabet.character)))
    case .row(let nodes):
      let mapped = nodes.map { $0.inAlphabet(alphabet) }
      return MathNode.joined(mapped)
    case .scripts(let base, let lower, let upper):
      return .scripts(
        base.inAlphabet(alphabet), lower: lower?.inAlphabet(alphabet),
        upper: upper?.inAlphabet(alphabet))
    case .fraction(let top, let bottom, let line):
      return .fraction(top.inAlphabet(alphabet), bottom.inAlphabet(alphabet), line: line)
    case .root(let radicand, let index):
      return .root(radicand.inAlphabet(alphabet), index: index?.inAlphabet(alphabet))
    case .accent(let base, let mark, let isBelow, let stretches):
      return .accent(
        base.inAlphabet(alphabet), mark: mark, isBelow: isBelow, stretches: stretches)
    case .limits(let base, let lower, let upper):
      return .limits(
        base.inAlphabet(alphabet), lower: lower?.inAlphabet(alphabet),
        upper: upper?.inAlphabet(alphabet))
    case .symbol, .upright, .text, .space, .table, .styled, .resized, .phantom, .marked, .padded,
      .rule:
      return self
    }
  }

  /// Joins adjacent upright letters into one word.
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
