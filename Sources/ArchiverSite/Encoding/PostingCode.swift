/// Numbers as printable characters that need no escape inside a script's string.
///
/// There are 92 digits: U+0020 to U+007E without `"`, `\` and `<`. A number is written with its
/// least significant digit first. A digit below 46 ends it; in every other digit, 46 is added as a
/// mark that more follow.
enum PostingCode {
  static let half = 46
  static let digits: [UInt8] = (0x20...0x7E).filter { ![0x22, 0x5C, 0x3C].contains($0) }

  static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= half {
      bytes.append(digits[half + rest % half])
      rest /= half
    }
    bytes.append(digits[rest])
  }

  /// The value of each digit by its byte; 0 for other bytes.
  static let values: [UInt8] = {
    var values = [UInt8](repeating: 0, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Returns the number at an index, and advances the index past it. Bytes that `append` did not
  /// write may give any value.
  static func number(in bytes: ArraySlice<UInt8>, at place: inout Int) -> Int {
    var (number, scale) = (0, 1)
    while place < bytes.endIndex {
      let value = Int(values[Int(bytes[place])])
      place += 1
      if value < half { return number &+ value &* scale }
      number = number &+ (value - half) &* scale
      scale = scale &* half
    }
    return number
  }

  /// Appends the number of items and, from each to the next, the number of items between them.
  ///
  /// - Parameter items: The items' numbers, in order.
  static func append(gapsOf items: some Collection<Int>, to bytes: inout [UInt8]) {
    append(items.count, to: &bytes)
    var next = 0
    for item in items {
      append(item - next, to: &bytes)
      next = item + 1
    }
  }
}
