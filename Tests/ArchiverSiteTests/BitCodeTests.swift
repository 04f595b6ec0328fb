import Testing

@testable import ArchiverSite

/// Reads numbers of `BitCode`; its inverse.
struct BitReader {
  private var digits: ArraySlice<Int>
  private var left: ArraySlice<Int> = []

  init(_ text: String) throws {
    digits = try text.utf8.map { try #require(PostingCode.digits.firstIndex(of: $0)) }[...]
  }

  private mutating func bit() -> Int {
    if left.isEmpty {
      let value = (digits.popFirst() ?? 0) * 92 + (digits.popFirst() ?? 0)
      left = (0..<13).reversed().map { value >> $0 & 1 }[...]
    }
    return left.popFirst() ?? 0
  }

  mutating func bits(_ count: Int) -> Int {
    var number = 0
    for _ in 0..<count { number = number * 2 + bit() }
    return number
  }

  mutating func number(after width: Int) -> Int {
    var times = 0
    while bit() == 1 { times += 1 }
    return times << width + bits(width)
  }

  mutating func positive() -> Int {
    let count = number(after: 0)
    return 1 << count + bits(count)
  }

  mutating func items() -> [Int] {
    let (count, width) = (positive(), bits(5))
    var items: [Int] = []
    for _ in 0..<count { items.append((items.last ?? -1) + 1 + number(after: width)) }
    return items
  }
}

/// Numbers as bits.
@Suite struct BitCodeTests {
  @Test(arguments: [[0], [5], [0, 1, 2], [3, 4, 8], [0, 1, 100_000], [99_999], Array(0..<300)])
  func `a list of items is read as it was`(items: [Int32]) throws {
    var code = BitCode()
    code.append(gapsOf: items)
    var reader = try BitReader(String(decoding: code.bytes, as: UTF8.self))
    #expect(reader.items() == items.map(Int.init))
  }

  @Test(arguments: [1, 2, 3, 4, 5, 1_023, 1_024, 100_000])
  func `a positive number is read as it was`(number: Int) throws {
    var code = BitCode()
    code.append(positive: number)
    code.append(positive: number)
    var reader = try BitReader(String(decoding: code.bytes, as: UTF8.self))
    #expect([reader.positive(), reader.positive()] == [number, number])
  }

  @Test func `every value of two digits is read as it was`() throws {
    var code = BitCode()
    for value in 0..<8_192 { code.append(value, bits: 13) }
    #expect(code.bytes.count == 2 * 8_192)
    var reader = try BitReader(String(decoding: code.bytes, as: UTF8.self))
    for value in 0..<8_192 { #expect(reader.bits(13) == value) }
  }

  @Test(arguments: [
    ([0, 0, 0], 0), ([7, 7, 7, 7], 2), ([100_000], 16), ([1, 1, 1, 1, 1, 1, 1, 1, 500], 5),
  ])
  func `the number of bits is the one with which all are shortest`(numbers: [Int], bits: Int) {
    func length(_ bits: Int) -> Int { numbers.reduce(0) { $0 + $1 >> bits + 1 + bits } }
    #expect(BitCode.best(for: numbers) == bits)
    #expect((0...31).allSatisfy { length($0) >= length(bits) })
  }
}
