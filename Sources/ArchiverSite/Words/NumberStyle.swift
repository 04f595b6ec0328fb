/// The format of numbers in a language. Pages, the terminal and the library's scripts use the same.
package struct NumberStyle: Sendable {
  package static let english = NumberStyle(group: ",", decimal: ".")

  /// The separator between groups of three digits.
  let group: String
  package let decimal: String
  /// The number from which on digits are grouped.
  var smallestGrouped = 1_000

  /// Returns a number such as `12,345` in the language's format.
  package func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    guard number.magnitude >= smallestGrouped else { return String(number) }
    var grouped = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index) % 3 == 0 { grouped += group }
      grouped.append(digit)
    }
    return grouped
  }
}

extension Words {
  /// Returns a number such as `12,345` in the language's format.
  func number(_ number: Int) -> String { numbers.grouped(number) }

  static let byteUnits = ["B", "kB", "MB", "GB", "TB"]

  /// Returns the index in `byteUnits` of the unit in which a size is written.
  static func byteUnit(of count: Int) -> Int {
    byteUnits.indices.first { Double(count) / byteSize(of: $0) < 999.5 } ?? byteUnits.count - 1
  }

  /// Returns the number of bytes in a unit, given by its index in `byteUnits`.
  static func byteSize(of unit: Int) -> Double {
    (0..<unit).reduce(1) { size, _ in size * 1000 }
  }

  /// Returns a size such as `1.4 MB`, with decimal prefixes as in file managers.
  func bytes(_ count: Int) -> String {
    let unit = Words.byteUnit(of: count)
    let name = Words.byteUnits[unit]
    let value = Double(max(0, count)) / Words.byteSize(of: unit)
    let tenths = Int((value * 10).rounded())
    guard unit > 0, tenths < 100, tenths % 10 > 0 else {
      return "\(Int(value.rounded())) \(name)"
    }
    return "\(tenths / 10)\(numbers.decimal)\(tenths % 10) \(name)"
  }
}
