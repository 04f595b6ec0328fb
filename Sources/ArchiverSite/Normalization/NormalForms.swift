/// The Unicode normal forms used by search and labels (UAX #15).
///
/// The table is `normal-forms.txt`, made from the character database of Unicode 14: a line of pairs
/// that compose, one of other canonical decompositions, and one of the compatibility decompositions
/// of letters, digits and marks. Entries are separated by `|`; the first character of each is
/// composed of the others. Hangul is composed arithmetically.
struct NormalForms: Sendable {
  static let shared = NormalForms(PackageResources.normal_forms_txt)

  private struct Pair: Hashable {
    let first: UInt32
    let second: UInt32
  }

  private var canonical: [UInt32: [UInt32]] = [:]
  private var compatible: [UInt32: [UInt32]] = [:]
  private var composed: [Pair: UInt32] = [:]
  /// One bit for each character that may have another normal form, or may change a preceding one.
  private var unsettled = [UInt64](repeating: 0, count: NormalForms.settledFrom / 64)
  /// The first character from which on no character has another normal form.
  private static let settledFrom = 0x30000

  init(_ table: [UInt8]) {
    let lines = String(decoding: table, as: UTF8.self).unicodeScalars.split(separator: "\n")
    for (number, line) in lines.enumerated() {
      // Unicode scalars are used because a mark after a separator would form one `Character` with
      // it.
      for entry in line.split(separator: "|") {
        let values = entry.map(\.value)
        guard let character = values.first else { continue }
        let rest = Array(values.dropFirst())
        if number == 0, rest.count == 2 {
          composed[Pair(first: rest[0], second: rest[1])] = character
          unsettle(rest[1])
        } else {
          unsettle(character)
        }
        if number < 2 { canonical[character] = rest } else { compatible[character] = rest }
      }
    }
    for jamo in 0x1160...0x11FF { unsettle(UInt32(jamo)) }
  }

  private mutating func unsettle(_ value: UInt32) {
    guard value < NormalForms.settledFrom else { return }
    unsettled[Int(value) / 64] |= 1 << UInt64(value % 64)
  }

  /// Whether a text certainly equals each of its normal forms.
  func isSettled(_ text: String) -> Bool {
    let isSettled = text.utf8.withContiguousStorageIfAvailable { bytes in
      var place = 0
      while place < bytes.count {
        guard bytes[place] >= 0x80 else {
          place += 1
          continue
        }
        let (scalar, length) = Tokenizer.scalar(bytes, place)
        guard self.isSettled(scalar) else { return false }
        place += length
      }
      return true
    }
    return isSettled ?? text.unicodeScalars.allSatisfy(self.isSettled)
  }

  func isSettled(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    guard value >= 0xA0, value < NormalForms.settledFrom else { return true }
    return unsettled[Int(value) / 64] & 1 << UInt64(value % 64) == 0
      && (value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered)
  }

  /// Returns the composed form (NFC): canonically equivalent texts have the same bytes in it.
  func composed(_ text: String) -> String {
    guard !isSettled(text) else { return text }
    return String(String.UnicodeScalarView(normalized(text.unicodeScalars, isCompatible: false)))
  }

  /// Returns the composed compatibility form (NFKC) of some characters.
  func compatible(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
    normalized(scalars, isCompatible: true)
  }

  private func normalized(
    _ scalars: some Sequence<Unicode.Scalar>, isCompatible: Bool
  ) -> [Unicode.Scalar] {
    var values: [UInt32] = []
    for scalar in scalars { decompose(scalar.value, isCompatible, to: &values) }
    var parts = values.map { value in
      let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
      return (scalar: scalar, order: NormalForms.order(scalar))
    }
    NormalForms.reorder(&parts)
    return compose(parts)
  }

  private func decompose(_ value: UInt32, _ isCompatible: Bool, to values: inout [UInt32]) {
    if (Hangul.first..<Hangul.first + Hangul.count).contains(value) {
      values += Hangul.parts(value)
    } else if let parts = canonical[value] ?? (isCompatible ? compatible[value] : nil) {
      for part in parts { decompose(part, isCompatible, to: &values) }
    } else {
      values.append(value)
    }
  }

  private static func order(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  /// Sorts adjacent marks by their combining classes, stably.
  private static func reorder(_ parts: inout [(scalar: Unicode.Scalar, order: UInt8)]) {
    var start = 0
    while start < parts.count {
      guard parts[start].order > 0 else {
        start += 1
        continue
      }
      let end = parts[start...].firstIndex { $0.order == 0 } ?? parts.count
      parts[start..<end].sort { $0.order < $1.order }
      start = end
    }
  }

  private func compose(_ parts: [(scalar: Unicode.Scalar, order: UInt8)]) -> [Unicode.Scalar] {
    var composed: [Unicode.Scalar] = []
    composed.reserveCapacity(parts.count)
    /// The index of the last character of class 0, and the class of the last appended character.
    var starter: Int?
    var last: UInt8 = 0
    for (scalar, order) in parts {
      if let place = starter {
        let isAdjacent = place == composed.count - 1
        if isAdjacent || last < order, let pair = pair(composed[place], scalar) {
          composed[place] = pair
          continue
        }
      }
      if order == 0 { starter = composed.count }
      last = order
      composed.append(scalar)
    }
    return composed
  }

  private func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let value =
      Hangul.pair(first.value, second.value)
      ?? composed[Pair(first: first.value, second: second.value)]
    return value.flatMap(Unicode.Scalar.init)
  }
}

/// Hangul syllables and their letters (section 3.12 of the Unicode Standard).
private enum Hangul {
  static let first: UInt32 = 0xAC00
  static let count: UInt32 = 11_172
  private static let (lead, vowel, tail): (UInt32, UInt32, UInt32) = (0x1100, 0x1161, 0x11A7)
  private static let (leads, vowels, tails): (UInt32, UInt32, UInt32) = (19, 21, 28)

  static func parts(_ syllable: UInt32) -> [UInt32] {
    let index = syllable - first
    let rest = index % tails
    let parts = [lead + index / (vowels * tails), vowel + index % (vowels * tails) / tails]
    return rest == 0 ? parts : parts + [tail + rest]
  }

  static func pair(_ one: UInt32, _ other: UInt32) -> UInt32? {
    if (lead..<lead + leads).contains(one), (vowel..<vowel + vowels).contains(other) {
      return first + ((one - lead) * vowels + other - vowel) * tails
    }
    if (first..<first + count).contains(one), (one - first) % tails == 0,
      (tail + 1..<tail + tails).contains(other)
    {
      return one + other - tail
    }
    return nil
  }
}
