/// The alphabets of Unicode's mathematical alphanumeric symbols, which MathML Core uses in place of
/// `mathvariant`.
enum MathAlphabet: String {
  case mathbf, mathbb, mathcal, mathfrak, mathsf, mathtt, boldsymbol, mathit, mathrm

  init?(command: String) {
    let aliases = [
      "bm": "boldsymbol", "pmb": "boldsymbol", "mathscr": "mathcal", "Bbb": "mathbb",
      "bold": "mathbf", "frak": "mathfrak", "mathnormal": "mathit", "mathup": "mathrm",
      "mathsfit": "mathsf", "symbf": "mathbf", "symbfit": "boldsymbol", "symrm": "mathrm",
      "symup": "mathrm", "symit": "mathit", "symbb": "mathbb", "symcal": "mathcal",
      "mathds": "mathbb", "mathbfit": "boldsymbol",
    ]
    self.init(rawValue: aliases[command] ?? command)
  }

  /// The alphabet of a command that applies to the rest of its group.
  init?(switching command: String) {
    let names = [
      "bf": "mathbf", "rm": "mathrm", "it": "mathit", "sf": "mathsf", "tt": "mathtt",
      "cal": "mathcal", "scr": "mathcal", "mit": "mathit",
    ]
    guard let name = names[command] else { return nil }
    self.init(rawValue: name)
  }

  /// Returns the character in this alphabet, or the character itself if the alphabet lacks it.
  func character(_ character: Character) -> Character {
    if let exception = MathAlphabet.exceptions[self]?[character] { return exception }
    guard let scalar = character.unicodeScalars.first else { return character }
    if let letter = greek(scalar.value) { return MathAlphabet.accented(letter, as: character) }
    guard scalar.isASCII, let starts = MathAlphabet.starts[self],
      let mapped = shifted(scalar.value, starts)
    else { return character }
    return MathAlphabet.accented(mapped, as: character)
  }

  /// Returns a letter with the combining marks of another character.
  private static func accented(_ letter: Character, as character: Character) -> Character {
    var text = String(letter)
    text.unicodeScalars.append(contentsOf: character.unicodeScalars.dropFirst())
    return text.count == 1 ? Character(text) : letter
  }

  private func shifted(
    _ value: UInt32, _ starts: (upper: UInt32, lower: UInt32, digit: UInt32?)
  ) -> Character? {
    let code: UInt32? =
      switch value {
      case 0x41...0x5A: starts.upper + value - 0x41
      case 0x61...0x7A: starts.lower + value - 0x61
      case 0x30...0x39: starts.digit.map { $0 + value - 0x30 }
      default: nil
      }
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }

  /// Returns a bold Greek letter; `nil` for any other character.
  private func greek(_ value: UInt32) -> Character? {
    guard self == .mathbf || self == .boldsymbol else { return nil }
    let start: UInt32 = self == .mathbf ? 0x1D6A8 : 0x1D71C
    let code: UInt32? =
      switch value {
      case 0x391...0x3A9: start + value - 0x391
      case 0x3B1...0x3C9: start + 26 + value - 0x3B1
      default: nil
      }
    return code.flatMap(Unicode.Scalar.init).map(Character.init)
  }

  private static let starts: [MathAlphabet: (upper: UInt32, lower: UInt32, digit: UInt32?)] = [
    .mathbf: (0x1D400, 0x1D41A, 0x1D7CE), .mathbb: (0x1D538, 0x1D552, 0x1D7D8),
    .mathcal: (0x1D49C, 0x1D4B6, nil), .mathfrak: (0x1D504, 0x1D51E, nil),
    .mathsf: (0x1D5A0, 0x1D5BA, 0x1D7E2), .mathtt: (0x1D670, 0x1D68A, 0x1D7F6),
    .boldsymbol: (0x1D468, 0x1D482, 0x1D7CE), .mathit: (0x1D434, 0x1D44E, nil),
  ]

  /// Letters that Unicode had encoded before the rest of their alphabet.
  private static let exceptions: [MathAlphabet: [Character: Character]] = [
    .mathbb: ["C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"],
    .mathcal: [
      "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ",
      "g": "ℊ", "o": "ℴ",
    ],
    .mathfrak: ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"],
    .mathit: ["h": "ℎ"],
  ]
}
