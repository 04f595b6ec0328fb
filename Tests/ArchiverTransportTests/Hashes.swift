import ArchiverCore

/// MD5 (RFC 1321) in hexadecimal, for the server's side of Digest.
func md5(_ message: [UInt8]) -> String {
  let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
  for block in padded(message, bigEndian: false).chunked(64) {
    let words = block.chunked(4).map { $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for round in 0..<64 {
      let mixed: UInt32
      let index: Int
      switch round / 16 {
      case 0: (mixed, index) = (b & c | ~b & d, round)
      case 1: (mixed, index) = (d & b | ~d & c, (5 * round + 1) % 16)
      case 2: (mixed, index) = (b ^ c ^ d, (3 * round + 5) % 16)
      default: (mixed, index) = (c ^ (b | ~d), 7 * round % 16)
      }
      let constant = UInt32(abs(sin(Double(round + 1))) * 4_294_967_296)
      let sum = a &+ mixed &+ constant &+ words[index]
      let shift = shifts[round / 16 * 4 + round % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
  }
  return hexadecimal(
    state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
}

/// SHA-256 (FIPS 180-4) in hexadecimal.
func sha256(_ message: [UInt8]) -> String {
  let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
  let constants = primes.prefix(64).map { fraction(cbrt(Double($0))) }
  var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
  for block in padded(message, bigEndian: true).chunked(64) {
    var words = block.chunked(4).map { $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    for index in 16..<64 {
      let (x, y) = (words[index - 15], words[index - 2])
      let low = right(x, 7) ^ right(x, 18) ^ x >> 3
      let high = right(y, 17) ^ right(y, 19) ^ y >> 10
      words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
    }
    var v = state
    for index in 0..<64 {
      let high = right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let first = v[7] &+ high &+ choice &+ constants[index] &+ words[index]
      let low = right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      v = [first &+ low &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    state = zip(state, v).map { $0 &+ $1 }
  }
  return hexadecimal(
    state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - $0 * 8)) } })
}

private func right(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word >> count | word << (32 - count)
}

private func fraction(_ number: Double) -> UInt32 {
  UInt32((number - number.rounded(.down)) * 4_294_967_296)
}

private func padded(_ message: [UInt8], bigEndian: Bool) -> [UInt8] {
  var bytes = message + [0x80]
  while bytes.count % 64 != 56 { bytes.append(0) }
  let length = (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
  return bytes + (bigEndian ? length.reversed() : length)
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension RandomAccessCollection where Index == Int {
  fileprivate func chunked(_ size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}
