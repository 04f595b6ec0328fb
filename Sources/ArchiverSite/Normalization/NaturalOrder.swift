import ArchiverCore

/// The natural order of names: letters without regard to case and accents, numbers by value and before
/// letters.
struct NaturalOrder: Comparable {
  /// The folded name, with a mark and the number of digits before each number; sorted by bytes.
  private let key: [UInt8]
  /// The tie-breaker for names that are otherwise equal.
  private let name: ByteKey

  /// Sorts before every character of a folded name.
  private static let numberMark: UInt8 = 0x01

  init(_ name: String) {
    self.name = ByteKey(name)
    var key: [UInt8] = []
    var rest = Array(Folding.shared.fold(name).utf8)[...]
    while let first = rest.first {
      let isNumber = NaturalOrder.isDigit(first)
      let run = rest.prefix { NaturalOrder.isDigit($0) == isNumber }
      rest = rest[run.endIndex...]
      if isNumber {
        let digits = run.drop { $0 == 0x30 }
        key += [NaturalOrder.numberMark, UInt8(clamping: digits.count)] + digits
      } else {
        key += run
      }
    }
    self.key = key
  }

  /// Bytes that sort as these names do.
  var data: Data { Data(key + [0] + name.text.utf8) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
    one.key == other.key ? one.name < other.name : one.key.lexicographicallyPrecedes(other.key)
  }

  static func == (one: NaturalOrder, other: NaturalOrder) -> Bool { one.name == other.name }

  /// Returns names in natural order.
  static func sorted(_ names: some Sequence<String>) -> [String] {
    names.map { (name: $0, order: NaturalOrder($0)) }.sorted { $0.order < $1.order }.map(\.name)
  }
}
