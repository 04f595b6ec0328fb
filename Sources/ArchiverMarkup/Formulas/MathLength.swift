/// A length in TeX, converted to CSS.
struct MathLength: Equatable {
  private(set) var number: Double
  let unit: String

  private static let units: Set<String> = ["em", "ex", "px", "in", "cm", "mm", "pt", "pc"]

  /// Parses "1.5em" or "18mu"; throws for a length beyond any page's width.
  init(_ text: String) throws {
    let words = text.filter { !$0.isWhitespace }
    let digits = words.prefix { $0.isNumber || "+-.".contains($0) }
    guard var number = Double(digits.hasPrefix(".") ? "0" + digits : String(digits)) else {
      throw LaTeXParser.Unsupported()
    }
    var unit = String(words.dropFirst(digits.count))
    if unit == "mu" || unit.isEmpty && number == 0 {
      unit = "em"
      number /= 18
    }
    if unit == "bp" { unit = "pt" }
    guard Self.units.contains(unit), abs(number) <= 1_000 else { throw LaTeXParser.Unsupported() }
    self.number = (number * 10_000).rounded() / 10_000
    self.unit = unit
  }

  var text: String { number == number.rounded() ? "\(Int(number))\(unit)" : "\(number)\(unit)" }

  /// Returns the sum of lengths with the same unit; otherwise this length.
  func adding(_ other: MathLength?) -> MathLength {
    guard let other, other.unit == unit else { return self }
    var sum = self
    sum.number += other.number
    return sum
  }

  var negated: MathLength {
    var result = self
    result.number = -number
    return result
  }
}

// Lengths, spaces and boxes.
extension LaTeXParser {
  /// Reads `{1em}` or `1em`.
  mutating func length() throws -> MathLength {
    skipSpace()
    if current == .open { return try MathLength(try words()) }
    var text = ""
    while case .character(let character)? = current, character.isNumber || "+-.".contains(character)
    {
      text.append(character)
      position += 1
    }
    skipSpace()
    for _ in 0..<2 {
      guard case .character(let letter)? = advance() else { throw Unsupported() }
      text.append(letter)
    }
    return try MathLength(text)
  }

  mutating func spacing(_ name: String) throws -> MathNode? {
    switch name {
    case "hspace", "hspace*", "kern", "mkern", "hskip", "mskip", "mspace":
      return .space(try length().text)
    case "vspace":
      _ = try length()
      return .empty
    case "rule":
      let raise = try optionalLength()
      let width = try length()
      let height = try length().adding(raise)
      return .rule(
        width: width.text, height: height.text, depth: raise?.negated.text ?? "0")
    case "raisebox":
      let raise = try length()
      return .padded(try textGroup(), ["voffset": raise.text])
    case "phantom": return .phantom(try argument())
    case "hphantom": return .padded(.phantom(try argument()), ["height": "0", "depth": "0"])
    case "vphantom": return .padded(.phantom(try argument()), ["width": "0"])
    default: return nil
    }
  }

  private mutating func optionalLength() throws -> MathLength? {
    skipSpace()
    guard take(.character("[")) else { return nil }
    var text = ""
    while let token = advance() {
      if token == .character("]") { return try MathLength(text) }
      text += LaTeXScanner.text([token])
    }
    throw Unsupported()
  }
}
