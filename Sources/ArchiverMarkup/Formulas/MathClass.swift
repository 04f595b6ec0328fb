/// A class for an element of a formula, for styles that MathML Core has no element or attribute
/// for.
enum MathClass: String, Sendable, CaseIterable {
  case box = "math-box"
  case roundBox = "math-round-box"
  case circle = "math-circle"
  case strikeUp = "math-strike-up"
  case strikeDown = "math-strike-down"
  case strikeAcross = "math-strike-across"
  case strikeThrough = "math-strike-through"
  case left = "math-left"
  case right = "math-right"
  case lineAbove = "math-line-above"
  case lineBelow = "math-line-below"
  case lineBefore = "math-line-before"
  case lineAfter = "math-line-after"
  case dashAbove = "math-dash-above"
  case dashBelow = "math-dash-below"
  case dashBefore = "math-dash-before"
  case dashAfter = "math-dash-after"
  case rule = "math-rule"
  // Accents as wide as their base, on the operator: browsers stretch a character only with a font for
  // mathematics, and other fonts lack most of these characters.
  case wideHat = "math-wide-hat"
  case wideCheck = "math-wide-check"
  case wideTilde = "math-wide-tilde"
  case wideBrace = "math-wide-brace"
  case wideParen = "math-wide-paren"
  case wideBracket = "math-wide-bracket"
  case wideGroup = "math-wide-group"
  case wideLine = "math-wide-line"
  case wideRight = "math-wide-right"
  case wideLeft = "math-wide-left"
  case wideBoth = "math-wide-both"
  case inkRed = "ink-red"
  case inkYellow = "ink-yellow"
  case inkGreen = "ink-green"
  case inkBlue = "ink-blue"
  case tintRed = "tint-red"
  case tintYellow = "tint-yellow"
  case tintGreen = "tint-green"
  case tintBlue = "tint-blue"

  /// Whether it draws an accent as wide as its base.
  var isWide: Bool { rawValue.hasPrefix("math-wide-") }

  /// Returns the class of a stretching accent above or below its base; `nil` for other characters.
  static func wide(_ mark: String) -> MathClass? { wideMarks[mark] }

  private static let wideMarks: [String: MathClass] = [
    "^": .wideHat, "ˆ": .wideHat, "\u{302}": .wideHat, "ˇ": .wideCheck, "\u{30C}": .wideCheck,
    "~": .wideTilde, "˜": .wideTilde, "\u{303}": .wideTilde, "⏞": .wideBrace, "⏟": .wideBrace,
    "⏜": .wideParen, "⏝": .wideParen, "⎴": .wideBracket, "⎵": .wideBracket, "⏠": .wideGroup,
    "⏡": .wideGroup, "¯": .wideLine, "‾": .wideLine, "―": .wideLine, "\u{305}": .wideLine,
    "_": .wideLine, "\u{332}": .wideLine, "→": .wideRight, "⟶": .wideRight, "←": .wideLeft,
    "⟵": .wideLeft, "↔": .wideBoth, "⟷": .wideBoth,
  ]

  static func ink(_ color: String) -> MathClass? {
    AuthorColor(color, for: .text).flatMap { MathClass(rawValue: "ink-" + $0.rawValue) }
  }

  static func tint(_ color: String) -> MathClass? {
    AuthorColor(color, for: .background).flatMap { MathClass(rawValue: "tint-" + $0.rawValue) }
  }

  /// Returns the classes for values of `notation` in `menclose`.
  static func notation(_ words: String) -> [MathClass] {
    words.lowercased().split { $0.isWhitespace || $0 == "," }.flatMap { notations[$0] ?? [] }
  }

  private static let notations: [Substring: [MathClass]] = [
    "box": [.box], "roundedbox": [.roundBox], "circle": [.circle],
    "updiagonalstrike": [.strikeUp], "downdiagonalstrike": [.strikeDown],
    "horizontalstrike": [.strikeAcross], "verticalstrike": [.strikeThrough], "top": [.lineAbove],
    "bottom": [.lineBelow], "left": [.lineBefore], "right": [.lineAfter],
    "actuarial": [.lineAbove, .lineAfter], "madruwb": [.lineBelow, .lineAfter],
    "longdiv": [.lineAbove, .lineBefore], "phasorangle": [.lineBelow],
  ]

  /// Returns the classes of formulas in a `class` attribute, without duplicates.
  static func known(_ words: String) -> [MathClass] {
    var found: [MathClass] = []
    for word in words.split(separator: " ") {
      if let known = MathClass(rawValue: String(word)), !found.contains(known) {
        found.append(known)
      }
    }
    return found
  }
}
