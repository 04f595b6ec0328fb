/// `\begin{…}` to `\end{…}`: matrices, cases, aligned lines.
extension LaTeXParser {
  mutating func environment() throws -> MathNode {
    let full = try words()
    let name = full.hasSuffix("*") ? String(full.dropLast()) : full
    var alignment = LaTeXParser.alignments[name] ?? []
    if name == "array" { alignment = LaTeXParser.columns(try words()) }
    guard name == "array" || LaTeXParser.alignments[name] != nil else { throw Unsupported() }
    let rows = try tableRows()
    guard take(.command("end")), try words() == full else { throw Unsupported() }
    let table = MathNode.table(rows, alignment: alignment)
    guard let brackets = LaTeXParser.brackets[name] else { return table }
    return fenced(brackets.0, table, brackets.1)
  }

  mutating func tableRows() throws -> [[MathNode]] {
    var rows: [[MathNode]] = []
    var cells: [MathNode] = []
    while true {
      cells.append(try row())
      if take(.separator) { continue }
      rows.append(cells)
      cells = []
      guard take(.newline) || take(.command("cr")) else { break }
      _ = try optionalArgument()
    }
    if rows.count > 1, rows.last == [.empty] { rows.removeLast() }
    return rows
  }

  private static let alignments: [String: [String]] = [
    "matrix": ["center"], "pmatrix": ["center"], "bmatrix": ["center"], "Bmatrix": ["center"],
    "vmatrix": ["center"], "Vmatrix": ["center"], "smallmatrix": ["center"], "cases": ["left"],
    "rcases": ["left"], "aligned": ["right", "left"], "align": ["right", "left"],
    "split": ["right", "left"], "alignat": ["right", "left"], "gathered": ["center"],
    "gather": ["center"], "equation": ["center"], "eqnarray": ["right", "center", "left"],
  ]

  private static let brackets: [String: (String, String)] = [
    "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"), "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"), "cases": ("{", ""), "rcases": ("", "}"),
  ]

  private static func columns(_ text: String) -> [String] {
    text.compactMap { ["l": "left", "c": "center", "r": "right"][$0] }
  }
}
