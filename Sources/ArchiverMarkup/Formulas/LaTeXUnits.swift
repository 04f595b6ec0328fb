/// Numbers with units: `\SI`, `\qty`, `\unit` and `\num` of `siunitx`, `\pu` of `mhchem`.
extension LaTeXParser {
  mutating func unit(_ name: String) throws -> MathNode? {
    switch name {
    case "num": return try LaTeXParser.number(try words())
    case "ang": return .row([try LaTeXParser.number(try words()), .upright("°")])
    case "SI", "qty":
      _ = try optionalArgument()
      let number = try LaTeXParser.number(try words())
      return .row([number, .space("0.1667em"), try LaTeXParser.units(try rawArgument())])
    case "si", "unit":
      _ = try optionalArgument()
      return try LaTeXParser.units(try rawArgument())
    case "pu":
      let text = try words()
      let number = text.prefix { $0.isNumber || "+-.,eE×^".contains($0) }
      let rest = text.dropFirst(number.count)
      if number.isEmpty { return try LaTeXParser.units(text) }
      let value = try LaTeXParser.number(String(number))
      if rest.allSatisfy(\.isWhitespace) { return value }
      return .row([value, .space("0.1667em"), try LaTeXParser.units(String(rest))])
    default: return nil
    }
  }

  /// "1.2e3" is 1.2 × 10³.
  private static func number(_ text: String) throws -> MathNode {
    let parts = text.filter { !$0.isWhitespace }.lowercased()
      .split(separator: "e", omittingEmptySubsequences: false).map(String.init)
    func plain(_ digits: String) throws -> MathNode {
      guard digits.contains(where: \.isNumber),
        digits.allSatisfy({ $0.isNumber || "+-.,()±/".contains($0) })
      else { throw Unsupported() }
      guard digits.first == "-" || digits.first == "+" else { return .number(digits) }
      return .row([.symbol(digits.first == "-" ? "−" : "+"), .number(String(digits.dropFirst()))])
    }
    switch parts.count {
    case 1: return try plain(parts[0])
    case 2:
      let power = MathNode.scripts(.number("10"), lower: nil, upper: try plain(parts[1]))
      if parts[0].isEmpty { return power }
      return .row([try plain(parts[0]), .symbol("×"), power])
    default: throw Unsupported()
    }
  }

  private static func units(_ source: String) throws -> MathNode {
    var units = UnitExpression()
    var parser = LaTeXParser(tokens: LaTeXScanner.tokens(source))
    while let token = parser.advance() {
      switch token {
      case .character(let letter) where letter.isLetter || "°%µ".contains(letter):
        units.letters.append(letter)
      case .superscript:
        try units.raiseLast { Int(try parser.words().filter { !$0.isWhitespace }) }
      case .space, .character("."), .character("*"), .open, .close: units.endLetters()
      case .character("/"): units.divide()
      case .command(let name): try units.take(name, &parser)
      default: throw Unsupported()
      }
    }
    return try units.node()
  }

  /// Units and their powers, read from left to right.
  private struct UnitExpression {
    private var nodes: [MathNode] = []
    /// What applies to the next unit.
    private var prefix = ""
    private var isInverse = false
    private var power: Int?
    /// The letters of a unit that is not a command.
    var letters = ""

    mutating func endLetters() {
      if !letters.isEmpty { add(letters) }
      letters = ""
    }

    private mutating func add(_ sign: String) {
      if !nodes.isEmpty { nodes.append(.space("0.1667em")) }
      let unit = MathNode.upright(prefix + sign)
      let exponent = (power ?? 1) * (isInverse ? -1 : 1)
      nodes.append(exponent == 1 ? unit : raised(unit, exponent))
      (prefix, isInverse, power) = ("", false, nil)
    }

    mutating func divide() {
      endLetters()
      nodes.append(.symbol("/", .rigid))
    }

    /// Raises the last unit to an exponent, which is read after the unit.
    mutating func raiseLast(_ exponent: () throws -> Int?) throws {
      endLetters()
      guard let exponent = try exponent(), let unit = nodes.popLast(), abs(exponent) < 100 else {
        throw Unsupported()
      }
      nodes.append(raised(unit, exponent))
    }

    mutating func take(_ command: String, _ parser: inout LaTeXParser) throws {
      endLetters()
      switch command {
      case "per": isInverse = true
      case "square": power = 2
      case "cubic": power = 3
      case "squared": try raiseNamed(2)
      case "cubed": try raiseNamed(3)
      case "tothe": try raiseNamed(Int(try parser.words()) ?? 0)
      default:
        if let sign = prefixes[command] {
          prefix = sign
        } else if let sign = unitSigns[command] ?? LaTeXParser.sign(command) {
          add(sign)
        } else {
          throw Unsupported()
        }
      }
    }

    /// Raises the last unit by a command; after `\per` its exponent is negative.
    private mutating func raiseNamed(_ exponent: Int) throws {
      guard let unit = nodes.popLast(), exponent != 0, abs(exponent) < 100 else {
        throw Unsupported()
      }
      if case .scripts(let base, _, _) = unit {
        nodes.append(raised(base, -exponent))
      } else {
        nodes.append(raised(unit, exponent))
      }
    }

    mutating func node() throws -> MathNode {
      endLetters()
      guard !nodes.isEmpty else { throw Unsupported() }
      return nodes.count == 1 ? nodes[0] : .row(nodes)
    }
  }

  private static func raised(_ unit: MathNode, _ exponent: Int) -> MathNode {
    let number = MathNode.number(String(abs(exponent)))
    return .scripts(unit, lower: nil, upper: exponent < 0 ? .row([.symbol("−"), number]) : number)
  }

  private static let prefixes = [
    "pico": "p", "nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d", "deca": "da",
    "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "femto": "f",
    "atto": "a", "exa": "E", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi",
  ]

  private static let unitSigns = [
    "meter": "m", "metre": "m", "second": "s", "gram": "g", "kilogram": "kg", "ampere": "A",
    "kelvin": "K", "mole": "mol", "candela": "cd", "hertz": "Hz", "newton": "N", "pascal": "Pa",
    "joule": "J", "watt": "W", "coulomb": "C", "volt": "V", "farad": "F", "ohm": "Ω",
    "siemens": "S", "weber": "Wb", "tesla": "T", "henry": "H", "lumen": "lm", "lux": "lx",
    "becquerel": "Bq", "gray": "Gy", "sievert": "Sv", "katal": "kat", "degreeCelsius": "°C",
    "celsius": "°C", "degree": "°", "arcminute": "′", "arcsecond": "″", "percent": "%",
    "minute": "min", "hour": "h", "day": "d", "liter": "L", "litre": "L", "tonne": "t",
    "electronvolt": "eV", "dalton": "Da", "hectare": "ha", "bar": "bar", "radian": "rad",
    "steradian": "sr", "bit": "bit", "byte": "B", "decibel": "dB", "angstrom": "Å", "neper": "Np",
    "bel": "B", "astronomicalunit": "au", "cm": "cm", "mm": "mm", "km": "km", "kg": "kg",
    "nm": "nm", "um": "µm", "ms": "ms", "us": "µs", "ns": "ns", "kHz": "kHz", "MHz": "MHz",
    "GHz": "GHz", "eV": "eV", "keV": "keV", "MeV": "MeV", "GeV": "GeV", "kPa": "kPa", "kJ": "kJ",
    "kW": "kW", "mL": "mL", "ml": "ml", "mol": "mol", "K": "K", "V": "V", "W": "W", "J": "J",
  ]
}
