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
  case inkRed = "ink-red"
  case inkYellow = "ink-yellow"
  case inkGreen = "ink-green"
  case inkBlue = "ink-blue"
  case tintRed = "tint-red"
  case tintYellow = "tint-yellow"
  case tintGreen = "tint-green"
  case tintBlue = "tint-blue"

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
