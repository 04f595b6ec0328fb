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
  case fraction(MathNode, MathNode, bar: Bool)
  case root(MathNode, index: MathNode?)
  case scripts(MathNode, lower: MathNode?, upper: MathNode?)
  /// Scripts set below and above instead of beside.
  case limits(MathNode, lower: MathNode?, upper: MathNode?)
  case accent(MathNode, mark: String, isBelow: Bool, stretches: Bool)
  case table([[MathNode]], alignment: [String])
  case styled(MathNode, isDisplay: Bool)
  case phantom(MathNode)
  case enclosed(MathNode, notation: String)

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
}
