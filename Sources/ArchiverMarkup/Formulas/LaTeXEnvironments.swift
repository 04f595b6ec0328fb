/// `\begin{…}` to `\end{…}`: matrices, cases, aligned lines.
extension LaTeXParser {
  /// Rows of cells, and the lines between the rows.
  struct Rows {
    var rows: [[MathNode]] = []
    var lines: [Int: MathTable.Line] = [:]
    /// Whether the last cell of a row is its number.
    var isTagged = false
  }

  mutating func environment() throws -> MathNode {
    let full = try words()
    let name = full.hasSuffix("*") ? String(full.dropLast()) : full
    if name == "CD" { return try diagram(full) }
    var layout: MathTable
    if let alignment = LaTeXParser.alignments[name] {
      layout = MathTable(alignment)
      let hasColumn = LaTeXParser.brackets[name] != nil || name.hasSuffix("matrix")
      if let column = try bracketed(), hasColumn {
        layout.alignment = ["l": ["left"], "r": ["right"]][column] ?? ["center"]
      }
      if name.hasPrefix("alignat") || name.hasPrefix("alignedat") { _ = try words() }
    } else if ["array", "darray", "subarray", "tabular"].contains(name) {
      _ = try bracketed()
      layout = try LaTeXParser.columns(try rawArgument())
    } else {
      throw Unsupported()
    }
    layout.isDisplay = LaTeXParser.displayed.contains(name)
    let outer = tag
    tag = nil
    let rows = try tableRows()
    tag = outer
    guard take(.command("end")), try words() == full else { throw Unsupported() }
    layout.horizontals = rows.lines
    let table = MathNode.table(rows.rows, layout)
    let sized = name.contains("small") ? MathNode.resized(table, "0.7em") : table
    guard let brackets = LaTeXParser.brackets[name] else { return sized }
    return fenced(brackets.0, sized, brackets.1)
  }

  /// Reads `[…]` without expansion; `nil` without an argument in brackets.
  private mutating func bracketed() throws -> String? {
    guard current == .character("[") else { return nil }
    var text = ""
    position += 1
    while let token = advance() {
      if token == .character("]") { return text.filter { !$0.isWhitespace } }
      text += LaTeXScanner.text([token])
    }
    throw Unsupported()
  }

  mutating func tableRows() throws -> Rows {
    var table = Rows()
    var cells: [MathNode] = []
    var tags: [Int: MathNode] = [:]
    while true {
      if cells.isEmpty { takeLines(&table) }
      cells.append(try row())
      if take(.separator) { continue }
      if let tag { tags[table.rows.count] = tag }
      tag = nil
      table.rows.append(cells)
      cells = []
      guard take(.newline) || take(.command("cr")) else { break }
      _ = try optionalArgument()
    }
    if table.rows.count > 1, table.rows.last == [.empty], tags[table.rows.count - 1] == nil {
      table.rows.removeLast()
    }
    table.isTagged = !tags.isEmpty
    let width = table.rows.map(\.count).max() ?? 0
    for (number, tag) in tags where number < table.rows.count {
      let missing = width - table.rows[number].count
      table.rows[number] += Array(repeating: .empty, count: missing)
      table.rows[number].append(.row([.space("2em"), tag]))
    }
    return table
  }

  private mutating func takeLines(_ table: inout Rows) {
    while true {
      skipSpace()
      if take(.command("hline")) {
        table.lines[table.rows.count] = .solid
      } else if take(.command("hdashline")) {
        table.lines[table.rows.count] = .dashed
      } else {
        return
      }
    }
  }

  private static let displayed: Set<String> = [
    "aligned", "align", "split", "alignat", "alignedat", "gathered", "gather", "equation",
    "eqnarray", "dcases", "drcases", "darray", "multline", "flalign", "displaymath",
  ]

  private static let alignments: [String: [String]] = [
    "matrix": ["center"], "pmatrix": ["center"], "bmatrix": ["center"], "Bmatrix": ["center"],
    "vmatrix": ["center"], "Vmatrix": ["center"], "smallmatrix": ["center"], "cases": ["left"],
    "psmallmatrix": ["center"], "bsmallmatrix": ["center"], "vsmallmatrix": ["center"],
    "rcases": ["left"], "dcases": ["left"], "drcases": ["left"], "aligned": ["right", "left"],
    "align": ["right", "left"], "alignedat": ["right", "left"], "flalign": ["right", "left"],
    "split": ["right", "left"], "alignat": ["right", "left"], "gathered": ["center"],
    "gather": ["center"], "equation": ["center"], "eqnarray": ["right", "center", "left"],
    "multline": ["left"], "displaymath": ["center"], "math": ["center"],
  ]

  private static let brackets: [String: (String, String)] = [
    "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"), "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"), "cases": ("{", ""), "rcases": ("", "}"), "dcases": ("{", ""),
    "drcases": ("", "}"), "psmallmatrix": ("(", ")"), "bsmallmatrix": ("[", "]"),
    "vsmallmatrix": ("|", "|"),
  ]

  /// Reads the columns of an array: "|c|l:r", "*{3}{c}", "@{}l@{}", "p{2cm}".
  private static func columns(_ text: String) throws -> MathTable {
    var layout = MathTable([])
    var rest = text.filter { !$0.isWhitespace }[...]
    var steps = 0
    while let character = rest.popFirst() {
      steps += 1
      guard steps <= 500 else { throw Unsupported() }
      switch character {
      case "l": layout.alignment.append("left")
      case "c": layout.alignment.append("center")
      case "r": layout.alignment.append("right")
      case "|": layout.verticals[layout.alignment.count] = .solid
      case ":": layout.verticals[layout.alignment.count] = .dashed
      case "p", "m", "b":
        _ = try group(&rest)
        layout.alignment.append("left")
      case "@", "!", ">", "<": _ = try group(&rest)
      case "*":
        guard let count = Int(try group(&rest)), (1...50).contains(count) else {
          throw Unsupported()
        }
        rest = String(repeating: try group(&rest), count: count)[...] + rest
      default: throw Unsupported()
      }
    }
    return layout
  }

  private static func group(_ rest: inout Substring) throws -> String {
    guard rest.popFirst() == "{" else { throw Unsupported() }
    var text = ""
    var level = 0
    while let character = rest.popFirst() {
      if character == "}" {
        if level == 0 { return text }
        level -= 1
      }
      if character == "{" { level += 1 }
      text.append(character)
    }
    throw Unsupported()
  }
}
