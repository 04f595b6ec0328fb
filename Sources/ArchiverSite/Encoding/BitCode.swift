/// Numbers as bits, in characters that need no escape inside a script's string: two of the 92 digits of `PostingCode`
/// are 13 bits, the first of which is the highest; the last two may have unused ones.
///
/// Shorter than `PostingCode` for numbers whose size is known roughly.
struct BitCode {
  private static let width = 13

  private var written: [UInt8] = []
  private var pending = 0
  private var count = 0

  /// Appends the lowest bits of a number.
  mutating func append(_ number: Int, bits: Int) {
    for place in stride(from: bits - 1, through: 0, by: -1) {
      pending = pending << 1 | (number >> place & 1)
      count += 1
      guard count == BitCode.width else { continue }
      BitCode.append(pending, to: &written)
      (pending, count) = (0, 0)
    }
  }

  /// Appends a number in two parts: how often it contains the number of `bits` bits, as so many ones and a zero; then
  /// its lowest bits.
  mutating func append(_ number: Int, after bits: Int) {
    for _ in 0..<number >> bits { append(1, bits: 1) }
    append(0, bits: 1)
    append(number, bits: bits)
  }

  /// Appends a number, at least 1, after the number of its bits.
  mutating func append(positive number: Int) {
    let bits = Int.bitWidth - 1 - number.leadingZeroBitCount
    append(bits, after: 0)
    append(number, bits: bits)
  }

  /// Appends a list of items: how many there are, the number of bits, at most 31, with which the gaps are shortest,
  /// and from each item to the next the number of items between them.
  ///
  /// - Parameter items: The items' numbers, in order; at least one.
  mutating func append(gapsOf items: some Collection<Int32>) {
    var gaps: [Int] = []
    var next = 0
    for item in items {
      gaps.append(Int(item) - next)
      next = Int(item) + 1
    }
    append(positive: gaps.count)
    let bits = BitCode.best(for: gaps)
    append(bits, bits: 5)
    for gap in gaps { append(gap, after: bits) }
  }

  /// Returns the number of bits after which numbers are shortest.
  static func best(for numbers: [Int]) -> Int {
    func length(_ bits: Int) -> Int { numbers.reduce(0) { $0 + $1 >> bits + 1 + bits } }
    return (0...31).min { length($0) < length($1) } ?? 0
  }

  /// The numbers appended until now.
  var bytes: [UInt8] {
    guard count > 0 else { return written }
    var all = written
    BitCode.append(pending << (BitCode.width - count), to: &all)
    return all
  }

  private static func append(_ bits: Int, to bytes: inout [UInt8]) {
    bytes.append(PostingCode.digits[bits / PostingCode.digits.count])
    bytes.append(PostingCode.digits[bits % PostingCode.digits.count])
  }
}
