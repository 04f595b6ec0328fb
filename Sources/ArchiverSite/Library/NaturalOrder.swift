/// The natural order of names: letters without regard to case and accents, numbers by value.
struct NaturalOrder: Comparable {
  private enum Part {
    /// Digits without leading zeros, the shorter number first.
    case number(count: Int, digits: [UInt8])
    case text([UInt8])
  }

  private let parts: [Part]
  /// The tie-breaker for names that are otherwise equal.
  private let name: ByteKey

  init(_ name: String) {
    self.name = ByteKey(name)
    var parts: [Part] = []
    var rest = Array(Folding.shared.fold(name).utf8)[...]
    while let first = rest.first {
      let isNumber = NaturalOrder.isDigit(first)
      let run = rest.prefix { NaturalOrder.isDigit($0) == isNumber }
      rest = rest[run.endIndex...]
      let digits = run.drop { $0 == 0x30 }
      parts.append(
        isNumber ? .number(count: digits.count, digits: Array(digits)) : .text(Array(run)))
    }
    self.parts = parts
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
    for (first, second) in zip(one.parts, other.parts) {
      switch (first, second) {
      case (.number(let count, let digits), .number(let otherCount, let otherDigits)):
        if count != otherCount { return count < otherCount }
        if digits != otherDigits { return digits.lexicographicallyPrecedes(otherDigits) }
      case (.text(let text), .text(let otherText)):
        if text != otherText { return text.lexicographicallyPrecedes(otherText) }
      // Numbers sort before letters.
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    if one.parts.count != other.parts.count { return one.parts.count < other.parts.count }
    return one.name < other.name
  }

  static func == (one: NaturalOrder, other: NaturalOrder) -> Bool { one.name == other.name }

  /// Returns names in natural order.
  static func sorted(_ names: some Sequence<String>) -> [String] {
    names.map { (name: $0, order: NaturalOrder($0)) }.sorted { $0.order < $1.order }.map(\.name)
  }
}
