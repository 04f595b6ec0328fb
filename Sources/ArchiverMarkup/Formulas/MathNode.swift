/// A part of a formula, as presentation MathML knows it.
indirect enum MathNode: Sendable, Equatable {
  case row([MathNode])
  case identifier(String)
  /// An identifier set upright, such as a function's name.
  case upright(String)
  case number(String)
  case symbol(String, MathSymbol = .plain)
  case text(String)
  /// A space of this width in em.
  case space(String)
  case fraction(MathNode, MathNode, line: String?)
  case root(MathNode, index: MathNode?)
  case scripts(MathNode, lower: MathNode?, upper: MathNode?)
  /// Scripts set below and above instead of beside.
  case limits(MathNode, lower: MathNode?, upper: MathNode?)
  case accent(MathNode, mark: String, isBelow: Bool, stretches: Bool)
  case table([[MathNode]], MathTable)
  case styled(MathNode, isDisplay: Bool)
  /// Set in another size, as a factor in em.
  case resized(MathNode, String)
  case phantom(MathNode)
  /// What `MathClass` draws around, through or behind it.
  case marked(MathNode, [MathClass])
  /// With these of `width`, `height`, `depth` and `voffset`, each a length.
  case padded(MathNode, [String: String])
  /// A black rectangle, each side a length.
  case rule(width: String, height: String, depth: String)

  static let empty = MathNode.row([])
}

/// How an operator behaves.
enum MathSymbol: Sendable, Equatable {
  case plain
  /// Grows with what it encloses.
  case fence
  /// Has a fixed size in em.
  case sized(String)
  /// Takes its limits below and above in display style.
  case large
  /// Does not stretch although it could.
  case rigid
  /// An arrow that grows with the labels above or below it.
  case arrow
}

/// How the cells of a table stand, and which lines are drawn between them.
struct MathTable: Sendable, Equatable {
  enum Line: Sendable { case solid, dashed }

  /// `left`, `center` or `right` for each column; repeated where there are more.
  var alignment: [String]
  /// By the number of columns to the left of each.
  var verticals: [Int: Line] = [:]
  /// By the number of rows above each.
  var horizontals: [Int: Line] = [:]
  var isDisplay = false

  init(_ alignment: [String]) { self.alignment = alignment }

  /// The classes of a cell.
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
