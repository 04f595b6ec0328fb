/// The format of numbers in a language; pages and the terminal use the same as the library's
/// scripts.
package struct NumberStyle: Sendable {
  package static let english = NumberStyle(group: ",", decimal: ".")

  /// The separator between groups of three digits.
  let group: String
  package let decimal: String
  /// Smaller numbers are written without groups.
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

  /// Returns a size such as `1.4 MB`, with decimal prefixes as in file managers.
  func bytes(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var value = Double(max(0, count))
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    guard unit > 0, tenths < 100, tenths % 10 > 0 else {
      return "\(Int(value.rounded())) \(units[unit])"
    }
    return "\(tenths / 10)\(numbers.decimal)\(tenths % 10) \(units[unit])"
  }
}
