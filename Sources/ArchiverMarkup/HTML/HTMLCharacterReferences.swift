/// The standard's named character references.
struct HTMLCharacterReferences {
  /// A matched name: its length in bytes, with its semicolon, and its characters.
  struct Match {
    var count: Int
    var hasSemicolon: Bool
    var text: ArraySlice<UInt8>
  }

  static let all = HTMLCharacterReferences()

  /// All names concatenated, sorted by their bytes.
  private var names: [UInt8] = []
  private var starts: [Int] = []
  private var isLegacy: [Bool] = []
  private var texts: [UInt8] = []
  private var textStarts: [Int] = []
  /// For each first letter, the index of its first name, followed by that of the next letter.
  private var firsts = [Int](repeating: 0, count: 129)

  private init() {
    Self.source.withUTF8Buffer { source in
      for entry in source.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
        guard let mark = entry.firstIndex(where: { $0 == 0x21 || $0 == 0x3A }) else { continue }
        starts.append(names.count)
        textStarts.append(texts.count)
        isLegacy.append(entry[mark] == 0x21)
        names.append(contentsOf: entry[..<mark])
        for code in entry[(mark + 1)...].split(separator: 0x2B) {
          Self.append(
            UInt32(String(decoding: code, as: UTF8.self), radix: 16) ?? 0xFFFD, to: &texts)
        }
      }
    }
    starts.append(names.count)
    textStarts.append(texts.count)
    var index = 0
    for letter in 0...128 {
      while index < count, Int(names[starts[index]]) < letter { index += 1 }
      firsts[letter] = index
    }
  }

  private var count: Int { isLegacy.count }

  /// Returns the longest name at the beginning of the bytes.
  func match(_ bytes: UnsafeBufferPointer<UInt8>) -> Match? {
    guard let letter = bytes.first, letter < 128 else { return nil }
    var low = firsts[Int(letter)]
    var high = firsts[Int(letter) + 1]
    var depth = 1
    var best: Match?
    while low < high {
      if starts[low + 1] - starts[low] == depth {
        let hasSemicolon = depth < bytes.count && bytes[depth] == UInt8(ascii: ";")
        if hasSemicolon || isLegacy[low] {
          best = Match(
            count: hasSemicolon ? depth + 1 : depth, hasSemicolon: hasSemicolon,
            text: texts[textStarts[low]..<textStarts[low + 1]])
        }
        low += 1
      }
      guard depth < bytes.count else { break }
      let next = bytes[depth]
      low = boundary(low, high, depth) { $0 < next }
      high = boundary(low, high, depth) { $0 <= next }
      depth += 1
    }
    return best
  }

  /// Returns the first name of a range whose byte at a depth is not less than the one searched for.
  private func boundary(
    _ low: Int, _ high: Int, _ depth: Int, _ isBefore: (UInt8) -> Bool
  ) -> Int {
    var low = low
    var high = high
    while low < high {
      let middle = (low + high) / 2
      if isBefore(names[starts[middle] + depth]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the character of a number, with the standard's corrections.
  static func codePoint(_ number: UInt32) -> UInt32 {
    switch number {
    case 0, 0xD800...0xDFFF, 0x110000...: 0xFFFD
    case 0x80...0x9F: windows[Int(number - 0x80)] == 0 ? number : windows[Int(number - 0x80)]
    default: number
    }
  }

  /// The characters of the numbers from 128 to 159; 0 if they are the numbers themselves.
  private static let windows: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// Appends a code point as UTF-8.
  static func append(_ code: UInt32, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
  }
}
