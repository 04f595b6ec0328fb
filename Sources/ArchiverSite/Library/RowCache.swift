import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The rows of items that stayed as they were, so that their records need not be read again.
///
/// `.archiver/library/rows` has a line that names the format and the language, and then records:
/// a fingerprint, the length of what follows, a hash of it, and what it is of: a row (the
/// fingerprint is the item's), or something that rows after it share, which they name by its number.
/// New ones are added at the end; once most are of items that changed or left, the file is written
/// anew. What is not whole or not as expected is as good as not there, with all that follows it:
/// without the file all items are read, with the same result.
struct RowCache {
  static let path = ".archiver/library/rows"
  /// To be changed whenever the same item would give another row, or a row other marks.
  private static let format = "2"
  private static let recordHeader = 24

  private enum Tag: UInt8 {
    case row, origin, labels
  }

  private let path: String
  private let header: [UInt8]
  private let file: RowBytes
  private var known: [UInt64: Int] = [:]
  private var origins: [Shared<RowOrigin>] = []
  private var labels: [Shared<RowLabels>] = []
  private var isWhole = false
  /// The rows of the file that are wanted, and the bytes of them and of what they share.
  private var used: [LibraryRow] = []
  private var usedBytes = 0
  private var added: [LibraryRow] = []

  /// What rows share, and whether one of the wanted does.
  private struct Shared<Value> {
    let value: Value
    /// Of its record.
    let hash: UInt64
    let byteCount: Int
    var isUsed = false

    mutating func use(_ bytes: inout Int) -> Value {
      if !isUsed {
        isUsed = true
        bytes += byteCount
      }
      return value
    }
  }

  init(root: String, words: Words) {
    path = "\(root)/\(RowCache.path)"
    header = Array("archiver rows \(RowCache.format) \(words.language)\n".utf8)
    file = RowBytes(ArchiveFile(RowCache.path, in: root).bytes ?? [])
    guard file.bytes.starts(with: header) else { return }
    file.bytes.withUnsafeBytes { bytes in
      var offset = header.count
      while offset < bytes.count {
        guard let end = read(bytes, offset) else { return }
        offset = end
      }
      isWhole = true
    }
  }

  /// Takes in the record at an offset; returns its end, `nil` when it is not as expected.
  private mutating func read(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
    let start = offset + RowCache.recordHeader
    guard start < bytes.count else { return nil }
    var head = RowReader(bytes, from: offset)
    let fingerprint = head.number()
    let length = head.int()
    let hash = head.number()
    guard length > 0, length <= bytes.count - start else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    guard WordHash.of(body, from: fingerprint) == hash else { return nil }
    var reader = RowReader(body, from: 1)
    switch Tag(rawValue: body[0]) {
    case .row: known[fingerprint] = start
    case .origin:
      guard let origin = RowOrigin(&reader) else { return nil }
      origins.append(Shared(value: origin, hash: hash, byteCount: start + length - offset))
    case .labels:
      let shared = Shared(
        value: RowLabels(&reader), hash: hash, byteCount: start + length - offset)
      labels.append(shared)
    case nil: return nil
    }
    return start + length
  }

  /// Returns the row of an item by its fingerprint.
  mutating func row(_ fingerprint: UInt64) -> LibraryRow? {
    guard let start = known[fingerprint] else { return nil }
    let (origin, label) = file.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: start + 1)
      return (reader.int(), reader.int())
    }
    guard origins.indices.contains(origin), labels.indices.contains(label) else { return nil }
    let shared = (origins[origin].use(&usedBytes), labels[label].use(&usedBytes))
    let row = file.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: start + 17)
      return LibraryRow(
        &reader, file, origin: shared.0, labels: shared.1, fingerprint: fingerprint)
    }
    used.append(row)
    usedBytes += RowCache.recordHeader + length(start)
    return row
  }

  private func length(_ start: Int) -> Int {
    file.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: start - 16)
      return reader.int()
    }
  }

  /// Takes in the row of an item of which the queue knows nothing.
  mutating func add(_ row: LibraryRow) { added.append(row) }

  /// Writes what was added. A cache that cannot be written is done without.
  func save() {
    let isWorn = !isWhole || file.bytes.count > 2 * (header.count + usedBytes) + 65_536
    guard isWorn || !added.isEmpty else { return }
    if isWorn {
      var writer = RecordWriter()
      for row in used + added { writer.add(row) }
      // Renamed into place, so that no reader sees a part of it.
      try? Data(header + writer.bytes).write(to: URL(filePath: path), options: .atomic)
      return
    }
    var writer = RecordWriter(origins.map(\.hash), labels.map(\.hash))
    for row in added { writer.add(row) }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Half a record at the end, of a full disk or a kill, ends the reading; then all is written anew.
    _ = writer.bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Writes records, what rows share once and before them.
  private struct RecordWriter {
    private(set) var bytes: [UInt8] = []
    private var origins: Numbers
    private var labels: Numbers

    /// The numbers of what is shared, by the hashes of its records.
    private struct Numbers {
      private var known: [UInt64: Int] = [:]
      private var count = 0

      init(_ hashes: [UInt64]) {
        for hash in hashes {
          known[hash] = count
          count += 1
        }
      }

      /// Returns the number of a record, the next one for what is new.
      mutating func number(_ hash: UInt64) -> (value: Int, isNew: Bool) {
        if let number = known[hash] { return (number, false) }
        known[hash] = count
        count += 1
        return (count - 1, true)
      }
    }

    /// Goes on after a file that has what these are the hashes of.
    init(_ origins: [UInt64] = [], _ labels: [UInt64] = []) {
      self.origins = Numbers(origins)
      self.labels = Numbers(labels)
    }

    mutating func add(_ row: LibraryRow) {
      var origin = RowWriter(Tag.origin.rawValue)
      row.origin.encode(to: &origin)
      var labels = RowWriter(Tag.labels.rawValue)
      row.labelling.encode(to: &labels)
      let ofOrigin = self.origins.number(RowCache.hash(origin.bytes, 0))
      if ofOrigin.isNew { put(origin.bytes, fingerprint: 0) }
      let ofLabels = self.labels.number(RowCache.hash(labels.bytes, 0))
      if ofLabels.isNew { put(labels.bytes, fingerprint: 0) }
      var body = RowWriter(Tag.row.rawValue)
      body.put(ofOrigin.value)
      body.put(ofLabels.value)
      row.encode(to: &body)
      put(body.bytes, fingerprint: row.fingerprint)
    }

    private mutating func put(_ body: [UInt8], fingerprint: UInt64) {
      var head = RowWriter()
      head.put(fingerprint)
      head.put(body.count)
      head.put(RowCache.hash(body, fingerprint))
      bytes += head.bytes
      bytes += body
    }
  }

  private static func hash(_ body: [UInt8], _ fingerprint: UInt64) -> UInt64 {
    body.withUnsafeBytes { WordHash.of($0, from: fingerprint) }
  }
}
