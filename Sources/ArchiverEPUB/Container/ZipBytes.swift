import ArchiverCore

/// Random access to the records of a file that is assumed to be a ZIP archive (APPNOTE.TXT section 4.3).
final class ZipBytes {
  /// The signatures of records, by the two bytes after `PK`.
  enum Record: UInt16, Sendable {
    case file = 0x0403
    case descriptor = 0x0807
    case directory = 0x0201
    case extra = 0x0806
    case end = 0x0605
    case end64 = 0x0606
    case locator64 = 0x0706
  }

  private static let windowSize = 1 << 18

  private let descriptor: Int32
  /// In bytes.
  let count: Int

  /// `nil` if the file cannot be opened.
  init?(path: String) {
    guard let count = FileSize.of(path) else { return nil }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.count = count
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads at most `wanted` bytes. Returns their number: 0 at the end, -1 for an error in `errno`.
  func read(at place: Int, into buffer: UnsafeMutableRawPointer, _ wanted: Int) -> Int {
    pread(descriptor, buffer, wanted, off_t(place))
  }

  /// Returns the bytes of a range; fewer at the end of the file and after an error.
  func bytes(at place: Int, _ wanted: Int) -> [UInt8] {
    guard place >= 0, place < count, wanted > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: min(wanted, count - place)) { buffer, size in
      guard let base = buffer.baseAddress else { return }
      while size < buffer.count {
        let got = read(at: place + size, into: base + size, buffer.count - size)
        guard got > 0 else { break }
        size += got
      }
    }
  }

  /// Returns the kind of record that begins at a place; `nil` if none does.
  func record(at place: Int) -> Record? { ZipBytes.record(bytes(at: place, 4)[...]) }

  /// Returns the first record of these kinds at or after a place.
  func next(_ kinds: Set<Record>, from place: Int) -> (place: Int, record: Record)? {
    var start = max(0, place)
    while start + 4 <= count {
      let window = bytes(at: start, ZipBytes.windowSize)
      guard window.count >= 4 else { return nil }
      var index = 0
      while let found = window.firstIndex(of: "PK", from: index), found + 4 <= window.count {
        if let record = ZipBytes.record(window[found...]), kinds.contains(record) {
          return (start + found, record)
        }
        index = found + 1
      }
      // A signature may begin in the last bytes of a window.
      start += window.count - 3
    }
    return nil
  }

  private static func record(_ bytes: ArraySlice<UInt8>) -> Record? {
    let start = bytes.startIndex
    guard bytes.count >= 4, bytes[start] == 0x50, bytes[start + 1] == 0x4B else { return nil }
    return Record(rawValue: UInt16(bytes[start + 2]) | UInt16(bytes[start + 3]) << 8)
  }
}

extension [UInt8] {
  /// Returns the little-endian number of `width` bytes at a place; 0 behind the end. A number beyond the range
  /// of `Int` is its maximum.
  func number(_ place: Int, _ width: Int) -> Int {
    guard place >= 0, place + width <= count else { return 0 }
    let value = (0..<width).reduce(UInt64(0)) { $0 | UInt64(self[place + $1]) << UInt64(8 * $1) }
    return Int(clamping: value)
  }

  /// Appends a little-endian number of `width` bytes.
  mutating func append(_ value: Int, _ width: Int) {
    for index in 0..<width { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
