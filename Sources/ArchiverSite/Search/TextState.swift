import ArchiverStorage

/// What is known of each item's text, so that it need not be read again while the item stays.
///
/// A file of little-endian numbers of eight bytes: the format, a hash of all that follows, the mark of
/// the catalog's search index as the last update left it, and five for each item, in the order of
/// their numbers. What is not whole or of another format is as good as not there: then everything is
/// read anew, with the same result.
struct TextState {
  struct Entry: Sendable {
    /// The mark of source and id.
    let key: UInt64
    /// The mark of what the bundle was rendered from.
    let content: UInt64
    /// Of the text.
    let fingerprint: UInt64
    let passageCount: Int
    /// The fingerprint of the entry in the catalog's index.
    var cataloged: UInt64 = 0
  }

  /// To be changed whenever the same text would give another entry.
  private static let format: UInt64 = 0x6578_7473_0000_0002
  private static let headerWords = 3
  private static let entryWords = 5

  var entries: [Entry] = []
  /// As of `SearchCatalog`.
  var catalogMark: UInt64 = 0
  /// How many items were found.
  private(set) var foundCount = 0
  /// Where the next item is looked for first.
  private var next = 0
  private var places: [UInt64: Int] = [:]

  init() {}

  init(_ bytes: [UInt8]?) {
    guard let bytes, bytes.count >= 8 * TextState.headerWords,
      (bytes.count / 8 - TextState.headerWords) % TextState.entryWords == 0, bytes.count % 8 == 0
    else { return }
    bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes)
      let (format, hash) = (reader.number(), reader.number())
      let rest = UnsafeRawBufferPointer(rebasing: bytes[16...])
      guard format == TextState.format, WordHash.of(rest) == hash else { return }
      catalogMark = reader.number()
      let count = (bytes.count / 8 - TextState.headerWords) / TextState.entryWords
      entries.reserveCapacity(count)
      for _ in 0..<count {
        entries.append(
          Entry(
            key: reader.number(), content: reader.number(), fingerprint: reader.number(),
            passageCount: max(1, min(reader.int(), 1_000_000)), cataloged: reader.number()))
      }
    }
  }

  var count: Int { entries.count }

  /// Returns the entry of an item; found at once while items are asked for in the order of
  /// entries, each once.
  mutating func entry(_ key: UInt64) -> Entry? {
    if next < entries.count, entries[next].key == key {
      next += 1
      foundCount += 1
      return entries[next - 1]
    }
    if places.isEmpty {
      for (place, entry) in entries.enumerated() { places[entry.key] = place }
    }
    guard let place = places[key] else { return nil }
    next = place + 1
    foundCount += 1
    return entries[place]
  }

  var bytes: [UInt8] {
    var words: [UInt64] = [TextState.format, 0, catalogMark]
    words.reserveCapacity(TextState.headerWords + entries.count * TextState.entryWords)
    for entry in entries {
      words.append(entry.key)
      words.append(entry.content)
      words.append(entry.fingerprint)
      words.append(UInt64(entry.passageCount))
      words.append(entry.cataloged)
    }
    for index in words.indices { words[index] = words[index].littleEndian }
    words[1] = words.withUnsafeBytes { WordHash.of(.init(rebasing: $0[16...])) }.littleEndian
    return words.withUnsafeBytes(Array.init)
  }
}
