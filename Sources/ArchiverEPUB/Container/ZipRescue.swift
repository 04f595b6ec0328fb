import ArchiverCore
import CZip

/// Opens ZIP archives that libzip refuses and other readers accept: with bytes before or behind them, with an
/// end record that is damaged or missing, or with a directory that is.
struct ZipRescue {
  let archive: OpaquePointer
  /// Whether the entries were found by their local headers, without the directory.
  var isWithoutDirectory = false
  /// Why entries may be missing; `nil` if there are as many as the archive had.
  var damage: String?

  private static let endSize = 22
  private static let largest = 0xFFFF_FFFF
  /// The maximum size of a directory in bytes.
  private static let largestDirectory = 64 << 20
  /// The number of end records that are tried, from the last one on.
  private static let mostEnds = 16

  /// `nil` if the file has no entries.
  init?(path: String, limits: EPUBLimits) {
    guard let file = ZipBytes(path: path) else { return nil }
    let ends = ZipRescue.ends(file)
    for end in ends {
      guard let archive = ZipRescue.directory(file, before: end)?.open(file) else { continue }
      if zip_get_num_entries(archive, 0) > 0 {
        self.archive = archive
        return
      }
      zip_discard(archive)
    }
    let expected = ends.first.map { file.bytes(at: $0, ZipRescue.endSize).number(10, 2) }
    let scan = ZipScan(file, expected: expected, limits: limits)
    guard !scan.entries.isEmpty else { return nil }
    var tail = scan.directory
    let size = tail.count
    tail += ZipRescue.end(entries: scan.entries.count, size: size, offset: file.count)
    guard file.count + size <= ZipRescue.largest, scan.entries.count < 0xFFFF,
      let archive = ZipPieces.open(file, 0..<file.count, tail: tail)
    else { return nil }
    self.archive = archive
    isWithoutDirectory = true
    damage = scan.damage
  }

  /// Returns the places of the last end records, the last one first.
  private static func ends(_ file: ZipBytes) -> [Int] {
    var ends: [Int] = []
    var place = 0
    while let found = file.next([.end], from: place) {
      if ends.count == mostEnds { ends.removeFirst() }
      ends.append(found.place)
      place = found.place + 4
    }
    return ends.reversed()
  }

  /// A directory whose records were all found.
  private struct Directory {
    /// In the file.
    let range: Range<Int>
    let entries: Int
    /// The number of bytes before the archive.
    let shift: Int
    /// The records after the directory, without a comment.
    let original: [UInt8]

    func open(_ file: ZipBytes) -> OpaquePointer? {
      let offset = range.lowerBound - shift
      let isLarge = entries >= 0xFFFF || range.upperBound - shift >= ZipRescue.largest
      return ZipPieces.open(
        file, shift..<range.upperBound,
        tail: isLarge
          ? original : ZipRescue.end(entries: entries, size: range.count, offset: offset))
    }
  }

  /// Returns the directory that an end record names; `nil` if its records are not where it says, counted from
  /// the end of the directory or from the beginning of the file.
  private static func directory(_ file: ZipBytes, before end: Int) -> Directory? {
    var original = file.bytes(at: end, endSize)
    guard original.count == endSize else { return nil }
    var (size, offset, stop) = (original.number(12, 4), original.number(16, 4), end)
    original.replaceSubrange(20..<22, with: [0, 0])
    // The end record of ZIP64 and its locator have 56 and 20 bytes.
    if file.record(at: end - 20) == .locator64, file.record(at: end - 76) == .end64 {
      stop = end - 76
      let larger = file.bytes(at: stop, 76)
      (size, offset) = (larger.number(40, 8), larger.number(48, 8))
      original = larger + original
    }
    for start in [stop.subtractingReportingOverflow(size).partialValue, offset]
    where start >= 0 && start < stop && stop - start <= largestDirectory {
      let bytes = file.bytes(at: start, stop - start)
      guard let entries = count(bytes) else { continue }
      let first = bytes.number(42, 4)
      for shift in [start - offset, 0] where shift >= 0 {
        guard first == largest || file.record(at: shift + first) == .file else { continue }
        return Directory(
          range: start..<stop, entries: entries, shift: shift, original: original)
      }
    }
    return nil
  }

  /// Returns the number of records of a directory; `nil` if it has other bytes or none.
  private static func count(_ bytes: [UInt8]) -> Int? {
    var (place, count) = (0, 0)
    while place < bytes.count {
      guard place + 46 <= bytes.count, bytes.number(place, 4) == 0x0201_4B50 else { return nil }
      // The lengths of the name, the extra field and the comment.
      place += [28, 30, 32].reduce(46) { $0 + bytes.number(place + $1, 2) }
      count += 1
    }
    return place == bytes.count && count > 0 ? count : nil
  }

  private static func end(entries: Int, size: Int, offset: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
    bytes.append(entries, 2)
    bytes.append(entries, 2)
    bytes.append(size, 4)
    bytes.append(offset, 4)
    bytes.append(0, 2)
    return bytes
  }
}
