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
  private var known = HashTable()
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
    case .row: known.set(fingerprint, start)
    case .origin:
      guard let origin = RowOrigin(&reader) else { return nil }
      origins.append(Shared(value: origin, byteCount: start + length - offset))
    case .labels:
      let shared = Shared(value: RowLabels(&reader), byteCount: start + length - offset)
      labels.append(shared)
    case nil: return nil
    }
    return start + length
  }

  /// Returns the row of an item by its fingerprint.
  mutating func row(_ fingerprint: UInt64) -> LibraryRow? {
    guard let start = known.value(fingerprint) else { return nil }
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
    var writer = RecordWriter(origins.map(\.value), labels.map(\.value))
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
    private var origins: [[UInt8]: Int] = [:]
    private var labels: [[UInt8]: Int] = [:]

    init() {}

    /// Goes on after a file that has these.
    init(_ origins: [RowOrigin], _ labels: [RowLabels]) {
      for (number, origin) in origins.enumerated() { self.origins[encoded(origin)] = number }
      for (number, list) in labels.enumerated() { self.labels[encoded(list)] = number }
    }

    mutating func add(_ row: LibraryRow) {
      let origin = encoded(row.origin)
      if origins[origin] == nil {
        origins[origin] = origins.count
        put(origin, fingerprint: 0)
      }
      let list = encoded(row.labelling)
      if labels[list] == nil {
        labels[list] = labels.count
        put(list, fingerprint: 0)
      }
      var body = RowWriter(Tag.row.rawValue)
      body.put(origins[origin] ?? 0)
      body.put(labels[list] ?? 0)
      row.encode(to: &body)
      put(body.bytes, fingerprint: row.fingerprint)
    }

    private func encoded(_ origin: RowOrigin) -> [UInt8] {
      var writer = RowWriter(Tag.origin.rawValue)
      origin.encode(to: &writer)
      return writer.bytes
    }

    private func encoded(_ labels: RowLabels) -> [UInt8] {
      var writer = RowWriter(Tag.labels.rawValue)
      labels.encode(to: &writer)
      return writer.bytes
    }

    private mutating func put(_ body: [UInt8], fingerprint: UInt64) {
      var head = RowWriter()
      head.put(fingerprint)
      head.put(body.count)
      head.put(body.withUnsafeBytes { WordHash.of($0, from: fingerprint) })
      bytes += head.bytes
      bytes += body
    }
  }
}
