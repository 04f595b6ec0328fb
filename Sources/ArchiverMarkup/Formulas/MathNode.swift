/// A node of a formula, in terms of presentation MathML.
indirect enum MathNode: Sendable, Equatable {
  case row([MathNode])
  case identifier(String)
  /// An upright identifier, such as a function's name.
  case upright(String)
  case number(String)
  case symbol(String, MathSymbol = .plain)
  case text(String)
  /// A space of this width in em.
  case space(String)
  case fraction(MathNode, MathNode, line: String?)
  case root(MathNode, index: MathNode?)
  case scripts(MathNode, lower: MathNode?, upper: MathNode?)
  /// Scripts below and above instead of beside.
  case limits(MathNode, lower: MathNode?, upper: MathNode?)
  case accent(MathNode, mark: String, isBelow: Bool, stretches: Bool)
  case table([[MathNode]], MathTable)
  case styled(MathNode, isDisplay: Bool)
  /// Content in another size, as a factor in em.
  case resized(MathNode, String)
  case phantom(MathNode)
  /// Content with decorations of `MathClass`.
  case marked(MathNode, [MathClass])
  /// Content with `width`, `height`, `depth` and `voffset`, each a length.
  case padded(MathNode, [String: String])
  /// A black rectangle with lengths as sides.
  case rule(width: String, height: String, depth: String)

  static let empty = MathNode.row([])
}

/// The behaviour of an operator.
enum MathSymbol: Sendable, Equatable {
  case plain
  /// Stretches with its content.
  case fence
  /// Has a fixed size in em.
  case sized(String)
  /// Takes its limits below and above in display style.
  case large
  /// Does not stretch, unlike by default.
  case rigid
  /// An arrow that stretches with its labels.
  case arrow
}

/// The alignment of a table's cells, and the lines between them.
struct MathTable: Sendable, Equatable {
  enum Line: Sendable { case solid, dashed }

  /// `left`, `center` or `right` for each column; repeated for further columns.
  var alignment: [String]
  /// By the number of columns to the left of each line.
  var verticals: [Int: Line] = [:]
  /// By the number of rows above each line.
  var horizontals: [Int: Line] = [:]
  var isDisplay = false

  init(_ alignment: [String]) { self.alignment = alignment }

  /// Returns the classes of a cell.
  func classes(row: Int, column: Int, of rows: Int, _ columns: Int) -> [MathClass] {
    var classes: [MathClass] = []
    switch alignment.isEmpty ? "center" : alignment[column % alignment.count] {
    case "left": classes.append(.left)
    case "right": classes.append(.right)
    default: break
    }
    func add(_ line: Line?, _ solid: MathClass, _ dashed: MathClass) {
      if let line { classes.append(line == .solid ? solid : dashed) }
    }
    add(horizontals[row], .lineAbove, .dashAbove)
    if row == rows - 1 { add(horizontals[rows], .lineBelow, .dashBelow) }
    add(verticals[column], .lineBefore, .dashBefore)
    if column == columns - 1 { add(verticals[columns], .lineAfter, .dashAfter) }
    return classes
  }
}
