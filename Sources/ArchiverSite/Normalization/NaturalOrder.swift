import ArchiverCore

/// The natural order of names: letters ignoring case and accents, numbers by value and before letters.
struct NaturalOrder: Comparable {
  /// The sort key: the folded name, with a mark and the number of digits before each number, then
  /// the name itself, which distinguishes names that are otherwise equal.
  private let key: [UInt8]

  /// The mark before a number. It sorts before every character of a folded name.
  private static let numberMark: UInt8 = 0x01

  init(_ name: String) {
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
    self.key = key + [0] + name.utf8
  }

  /// The sort key: its bytes sort like the names.
  var data: Data { Data(key) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
    one.key.lexicographicallyPrecedes(other.key)
  }

  /// Returns names in natural order.
  static func sorted(_ names: some Sequence<String>) -> [String] {
    names.map { (name: $0, order: NaturalOrder($0)) }.sorted { $0.order < $1.order }.map(\.name)
  }
}
