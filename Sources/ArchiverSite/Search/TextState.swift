import ArchiverStorage

/// The recorded state of each item's text, so that the text of an unchanged item is not read again.
///
/// A file of little-endian 64-bit numbers: the format; five for each item, ordered by item number;
/// the generation of the catalog's search index after the last update; a hash of everything before
/// it. An incomplete file, or one of another format, is ignored: then all texts are reread, with
/// the same result.
struct TextState {
  struct Entry: Sendable {
    /// The hash of source and id.
    let key: UInt64
    /// The hash of what the bundle was rendered from.
    let content: UInt64
    /// A hash of the text.
    let fingerprint: UInt64
    let passageCount: Int
    /// The fingerprint of the entry in the catalog's index.
    var cataloged: UInt64 = 0
  }

  /// Must be changed whenever the same text gives another entry.
  static let format: UInt64 = 0x6578_7473_0000_0007
  private static let head = 8
  private static let tail = 16
  private static let entrySize = 40

  private var window: PieceWindow?
  private(set) var count = 0
  /// The generation of the catalog's search index (`SearchCatalog`); 0 if unknown.
  private(set) var catalogMark: UInt64 = 0
  /// The number of items found so far.
  private(set) var foundCount = 0
  /// The index that is checked first for the next item.
  private var next = 0
  /// Indexes by key; created if items are requested in another order.
  private var places: [UInt64: Int32] = [:]

  /// Reads a file once to check its hash; `nil` gives an empty state.
  init(_ file: PieceFile?) throws(StorageError) {
    guard let file else { return }
    let size = file.byteCount
    let count = (size - TextState.head - TextState.tail) / TextState.entrySize
    guard size == TextState.size(count), count >= 0 else { return }
    var window = PieceWindow(file, end: size)
    var (first, mark, found): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var hash: UInt64 = 0
    for offset in stride(from: 0, to: size - 8, by: 8) {
      let number = try TextState.number(at: offset, &window)
      if offset == 0 { first = number }
      mark = number
      hash = WordHash.add(number, to: hash)
    }
    found = try TextState.number(at: size - 8, &window)
    guard first == TextState.format, found == hash else { return }
    self.window = window
    self.count = count
    catalogMark = mark
  }

  private static func size(_ count: Int) -> Int { head + entrySize * count + tail }

  private static func number(
    at offset: Int, _ window: inout PieceWindow
  ) throws(StorageError) -> UInt64 {
    // A file that was truncated meanwhile fails its hash.
    guard let place = try window.place(offset..<offset + 8) else { return 0 }
    return window.bytes.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: place)
      return reader.number()
    }
  }

  /// Returns the entry at an index.
  mutating func entry(at place: Int) throws(StorageError) -> Entry? {
    let start = TextState.head + TextState.entrySize * place
    guard place < count, let place = try window?.place(start..<start + TextState.entrySize),
      let bytes = window?.bytes
    else { return nil }
    return bytes.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: place)
      return Entry(
        key: reader.number(), content: reader.number(), fingerprint: reader.number(),
        passageCount: max(1, min(reader.int(), 1_000_000)), cataloged: reader.number())
    }
  }

  /// Returns the entry of an item, and its index; call it once per item. The lookup is immediate if
  /// items are requested in the order of entries.
  mutating func entry(_ key: UInt64) throws(StorageError) -> (place: Int, entry: Entry)? {
    guard foundCount < count else { return nil }
    var place = next
    if try entry(at: next)?.key != key {
      if places.isEmpty { places = try placed() }
      guard let found = places[key] else { return nil }
      place = Int(found)
    }
    guard let entry = try entry(at: place), entry.key == key else { return nil }
    next = place + 1
    foundCount += 1
    return (place, entry)
  }

  private mutating func placed() throws(StorageError) -> [UInt64: Int32] {
    var places: [UInt64: Int32] = [:]
    places.reserveCapacity(count)
    for place in 0..<count {
      if let entry = try entry(at: place) { places[entry.key] = Int32(place) }
    }
    return places
  }
}

/// Writes what `TextState` reads.
struct TextStateWriter {
  private var hash: UInt64 = 0
  private let output: SiteOutput

  init(_ output: SiteOutput) throws(StorageError) {
    self.output = output
    try put([TextState.format])
  }

  mutating func add(_ entry: TextState.Entry) throws(StorageError) {
    try put([
      entry.key, entry.content, entry.fingerprint, UInt64(entry.passageCount), entry.cataloged,
    ])
  }

  /// Writes the generation and the hash at the end.
  mutating func finish(catalogMark: UInt64) throws(StorageError) {
    try put([catalogMark])
    try put([hash])
  }

  private mutating func put(_ numbers: [UInt64]) throws(StorageError) {
    var writer = RowWriter()
    for number in numbers {
      hash = WordHash.add(number, to: hash)
      writer.put(number)
    }
    try output.write(writer.bytes)
  }
}
