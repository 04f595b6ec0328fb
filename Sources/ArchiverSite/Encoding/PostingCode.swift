/// Numbers as printable characters that need no escape inside a script's string.
///
/// There are 92 digits: U+0020 to U+007E without `"`, `\` and `<`. A digit below 46 ends a number;
/// one from 46 on carries 46 of its values and says that more follow, least significant first.
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

  /// Appends how many items there are, and from each to the next the number of items between them.
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
