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
/// the fingerprint of the item, the length of its row, a hash of the row, and the row. New ones are
/// added at the end; once most are of items that changed or left, the file is written anew. What is
/// not whole or not as expected is as good as not there: without the file all items are read, with
/// the same result.
struct RowCache {
  static let path = ".archiver/library/rows"
  /// To be changed whenever the same item would give another row.
  private static let format = "1"
  private static let recordHeader = 24

  private let path: String
  private let header: [UInt8]
  private var known: [UInt64: Range<Int>] = [:]
  private let file: Data
  private var isWhole = false
  private var used: [Range<Int>] = []
  private var added: [UInt8] = []

  init(root: String, words: Words) {
    path = "\(root)/\(RowCache.path)"
    header = Array("archiver rows \(RowCache.format) \(words.language)\n".utf8)
    let file = FileManager.default.contents(atPath: path) ?? Data()
    self.file = file
    guard file.starts(with: header) else { return }
    file.withUnsafeBytes { bytes in
      var offset = header.count
      defer { isWhole = offset == bytes.count }
      while offset + RowCache.recordHeader <= bytes.count {
        let fingerprint = RowCache.number(bytes, offset)
        let length = RowCache.number(bytes, offset + 8)
        let start = offset + RowCache.recordHeader
        guard length <= UInt64(bytes.count - start) else { break }
        let range = start..<start + Int(length)
        let row = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard WordHash.of(row, from: fingerprint) == RowCache.number(bytes, offset + 16) else {
          break
        }
        known[fingerprint] = offset..<range.upperBound
        offset = range.upperBound
      }
    }
  }

  /// Returns the row of an item by its fingerprint.
  mutating func row(_ fingerprint: UInt64) -> LibraryRow? {
    guard let record = known[fingerprint] else { return nil }
    let row = file.withUnsafeBytes { bytes -> LibraryRow? in
      let body = bytes[record.dropFirst(RowCache.recordHeader)]
      var reader = RowReader(UnsafeRawBufferPointer(rebasing: body))
      return LibraryRow(&reader, fingerprint: fingerprint)
    }
    if row != nil { used.append(record) }
    return row
  }

  /// Takes in the row of an item of which the queue knows nothing.
  mutating func add(_ row: LibraryRow) {
    var writer = RowWriter()
    row.encode(to: &writer)
    var head = RowWriter()
    head.put(row.fingerprint)
    head.put(writer.bytes.count)
    head.put(writer.bytes.withUnsafeBytes { WordHash.of($0, from: row.fingerprint) })
    added += head.bytes
    added += writer.bytes
  }

  /// Writes what was added. A cache that cannot be written is done without.
  func save() {
    let live = header.count + used.reduce(0) { $0 + $1.count }
    let isWorn = !isWhole || file.count > 2 * live + 65_536
    guard isWorn || !added.isEmpty else { return }
    if isWorn {
      var bytes = header
      file.withUnsafeBytes { file in
        for record in used { bytes += file[record] }
      }
      // Renamed into place, so that no reader sees a part of it.
      try? Data(bytes + added).write(to: URL(filePath: path), options: .atomic)
      return
    }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Half a record at the end, of a full disk or a kill, ends the reading; then all is written anew.
    _ = added.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
