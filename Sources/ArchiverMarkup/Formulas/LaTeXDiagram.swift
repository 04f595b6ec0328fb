/// `\begin{CD}`: objects with arrows between them, in rows and columns.
extension LaTeXParser {
  mutating func diagram(_ name: String) throws -> MathNode {
    var rows: [[MathNode]] = []
    var cells: [MathNode] = []
    var object: [Token] = []
    var isVertical = false
    func addObject() throws {
      var parser = LaTeXParser(tokens: object, depth: depth + 1)
      cells.append(try parser.whole())
      object = []
    }
    func endRow() throws {
      if !isVertical { try addObject() }
      if cells != [.empty] { rows.append(cells) }
      cells = []
      isVertical = false
    }
    while let token = current, token != .command("end") {
      position += 1
      switch token {
      case .newline: try endRow()
      case .character("@"):
        guard case .character(let mark)? = advance() else { throw Unsupported() }
        let stands = ["V", "A", "|", "."].contains(mark)
        if cells.isEmpty, object.allSatisfy({ $0 == .space }), stands { isVertical = true }
        if isVertical {
          if !cells.isEmpty { cells.append(.empty) }
        } else {
          try addObject()
        }
        cells.append(try diagramArrow(mark))
      default:
        if token != .space || !object.isEmpty { object.append(token) }
      }
    }
    try endRow()
    guard take(.command("end")), try words() == name else { throw Unsupported() }
    return .table(rows, MathTable(["center"]))
  }

  private mutating func diagramArrow(_ mark: Character) throws -> MathNode {
    switch mark {
    case ".": return .empty
    case "=": return .symbol("=", .arrow)
    case "|": return .symbol("‖", .sized("1.8em"))
    case ">", "<", "(", ")", "V", "A": break
    default: throw Unsupported()
    }
    let first = try label(mark)
    let second = try label(mark)
    func small(_ node: MathNode) -> MathNode { .resized(node, "0.7em") }
    if mark == "V" || mark == "A" {
      let arrow = MathNode.symbol(mark == "V" ? "↓" : "↑", .sized("1.8em"))
      return .row([small(first), arrow, small(second)])
    }
    func padded(_ node: MathNode) -> MathNode { .row([.space("0.5em"), node, .space("0.5em")]) }
    return .limits(
      .symbol(mark == ">" || mark == ")" ? "→" : "←", .arrow), lower: padded(second),
      upper: padded(first))
  }

  /// Reads up to the next mark of an arrow outside of groups.
  private mutating func label(_ mark: Character) throws -> MathNode {
    var found: [Token] = []
    var level = 0
    while let token = advance() {
      if level == 0, token == .character(mark) {
        var parser = LaTeXParser(tokens: found, depth: depth + 1)
        return try parser.whole()
      }
      if token == .open { level += 1 }
      if token == .close { level -= 1 }
      found.append(token)
    }
    throw Unsupported()
  }
}
