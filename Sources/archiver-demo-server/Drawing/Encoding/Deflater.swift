/// Deflate with the fixed code and a short hash chain (RFC 1951), wrapped as zlib (RFC 1950).
struct Deflater {
  private static let window = 32768
  private static let longest = 258
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]

  private var writer = BitWriter()
  private var heads = [Int32](repeating: -1, count: 1 << 15)
  private var links: [Int32]

  static func zlib(_ input: [UInt8]) -> [UInt8] {
    var deflater = Deflater(count: input.count)
    return [0x78, 0x9C] + deflater.run(input) + bigEndian(Checksum.adler32(input))
  }

  private init(count: Int) { links = [Int32](repeating: -1, count: count) }

  private mutating func run(_ input: [UInt8]) -> [UInt8] {
    writer.write(1, bits: 1)
    writer.write(1, bits: 2)
    var position = 0
    while position < input.count {
      let (length, distance) = match(input, position)
      if length >= 4 {
        writeMatch(length, distance)
        // Inside a long run the first bytes represent all of it.
        for offset in 1..<min(length, 24) { note(input, position + offset) }
        position += length
      } else {
        writeLiteral(Int(input[position]))
        position += 1
      }
    }
    writeLiteral(256)
    return writer.finish()
  }

  private func hash(_ input: [UInt8], _ at: Int) -> Int {
    let value = UInt32(input[at]) << 16 | UInt32(input[at + 1]) << 8 | UInt32(input[at + 2])
    let mixed = (value ^ (UInt32(input[at + 3]) << 13)) &* 0x9E37_79B1
    return Int(mixed >> 17)
  }

  private mutating func note(_ input: [UInt8], _ at: Int) {
    guard at + 3 < input.count else { return }
    let slot = hash(input, at)
    links[at] = heads[slot]
    heads[slot] = Int32(at)
  }

  private mutating func match(_ input: [UInt8], _ at: Int) -> (length: Int, distance: Int) {
    guard at + 3 < input.count else { return (0, 0) }
    let limit = min(Deflater.longest, input.count - at)
    var best = (length: 0, distance: 0)
    var candidate = Int(heads[hash(input, at)])
    var tries = 12
    while candidate >= 0, at - candidate <= Deflater.window, tries > 0, best.length < limit {
      var length = 0
      while length < limit, input[candidate + length] == input[at + length] { length += 1 }
      if length > best.length { best = (length, at - candidate) }
      candidate = Int(links[candidate])
      tries -= 1
    }
    note(input, at)
    return best
  }

  private mutating func writeLiteral(_ symbol: Int) {
    switch symbol {
    case 0...143: writeCode(0x30 + symbol, bits: 8)
    case 144...255: writeCode(0x190 + symbol - 144, bits: 9)
    case 256...279: writeCode(symbol - 256, bits: 7)
    default: writeCode(0xC0 + symbol - 280, bits: 8)
    }
  }

  private mutating func writeMatch(_ length: Int, _ distance: Int) {
    let lengthIndex = (Deflater.lengthBases.lastIndex { $0 <= length }) ?? 0
    writeLiteral(257 + lengthIndex)
    let lengthBits = lengthIndex < 8 || lengthIndex == 28 ? 0 : lengthIndex / 4 - 1
    writer.write(length - Deflater.lengthBases[lengthIndex], bits: lengthBits)
    let index = (Deflater.distanceBases.lastIndex { $0 <= distance }) ?? 0
    writeCode(index, bits: 5)
    writer.write(distance - Deflater.distanceBases[index], bits: index < 4 ? 0 : index / 2 - 1)
  }

  /// Huffman codes go most significant bit first.
  private mutating func writeCode(_ code: Int, bits: Int) {
    var reversed = 0
    for bit in 0..<bits where code >> bit & 1 == 1 { reversed |= 1 << (bits - 1 - bit) }
    writer.write(reversed, bits: bits)
  }
}
