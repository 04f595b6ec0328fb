/// Finds the entries of a ZIP archive by their local headers, for an archive whose directory cannot be used.
///
/// Reads each byte of the file at most twice.
struct ZipScan {
  struct Entry {
    let header: [UInt8]
    let name: [UInt8]
    let offset: Int
    var checksum: Int
    var packed: Int
    var size: Int
  }

  private(set) var entries: [Entry] = []
  /// Why entries may be missing or damaged; `nil` if the entries end where the directory begins, or are as many
  /// as expected.
  private(set) var damage: String?

  private let file: ZipBytes
  private static let headerSize = 30
  private static let largest = 0xFFFF_FFFF

  /// - Parameters:
  ///   - expected: The number of entries that the archive says to have; `nil` if it is lost.
  init(_ file: ZipBytes, expected: Int?, limits: EPUBLimits) {
    self.file = file
    var place = 0
    while let found = file.next([.file], from: place), entries.count <= limits.entries {
      // Bytes between two entries are lost.
      if !entries.isEmpty, found.place > place { note("\(found.place - place) bytes are no entry") }
      place = take(found.place)
      if let record = file.record(at: place), record != .file {
        if [.directory, .end, .end64, .extra].contains(record) { return }
        note("an entry is not followed by another one")
      }
    }
    if entries.count != expected { note("the file ends before the directory of the archive") }
  }

  private mutating func note(_ problem: String) { damage = damage ?? problem }

  /// Adds the entry whose header is at a place. Returns the place behind it.
  private mutating func take(_ place: Int) -> Int {
    let header = file.bytes(at: place, ZipScan.headerSize)
    let lengths = (name: header.number(26, 2), extra: header.number(28, 2))
    let name = file.bytes(at: place + ZipScan.headerSize, lengths.name)
    let data = place + ZipScan.headerSize + lengths.name + lengths.extra
    guard header.count == ZipScan.headerSize, name.count == lengths.name, !name.isEmpty,
      data <= file.count
    else {
      note("the header of an entry is damaged")
      return place + 4
    }
    var entry = Entry(
      header: header, name: name, offset: place, checksum: header.number(14, 4),
      packed: header.number(18, 4), size: header.number(22, 4))
    if entry.packed == ZipScan.largest || entry.size == ZipScan.largest {
      read64(file.bytes(at: data - lengths.extra, lengths.extra), &entry)
    }
    var next = file.count
    if header.number(6, 2) & 8 != 0, entry.packed == 0 {
      next = findEnd(of: &entry, data)
    } else if entry.packed <= file.count - data {
      next = data + entry.packed
    } else {
      note("the file ends within an entry")
      entry.packed = file.count - data
    }
    entries.append(entry)
    return next
  }

  /// Reads the sizes in the extra field of ZIP64 (section 4.5.3).
  private func read64(_ extra: [UInt8], _ entry: inout Entry) {
    var place = 0
    while place + 4 <= extra.count {
      if extra.number(place, 2) == 1 {
        if entry.size == ZipScan.largest { entry.size = extra.number(place + 4, 8) }
        if entry.packed == ZipScan.largest { entry.packed = extra.number(place + 12, 8) }
        return
      }
      place += 4 + extra.number(place + 2, 2)
    }
  }

  /// Reads checksum and sizes from the descriptor behind the data (section 4.3.9), which has the size of the
  /// data. Returns the place behind it, or that of the next record if there is none.
  private mutating func findEnd(of entry: inout Entry, _ data: Int) -> Int {
    var place = data
    while let found = file.next([.descriptor, .file, .directory], from: place) {
      let length = found.place - data
      if found.record == .descriptor {
        let bytes = file.bytes(at: found.place, 24)
        let ends = [(found.place + 16, 4), (found.place + 24, 8)]
        let width = ends.first {
          bytes.number(8, $0.1) == length && ($0.0 >= file.count || file.record(at: $0.0) != nil)
        }
        guard let (end, width) = width else {
          place = found.place + 4
          continue
        }
        entry.checksum = bytes.number(4, 4)
        entry.packed = length
        entry.size = bytes.number(8 + width, width)
        return end
      }
      // The signature of a descriptor is optional.
      let bytes = file.bytes(at: found.place - 12, 12)
      if bytes.number(4, 4) == length - 12 {
        entry.checksum = bytes.number(0, 4)
        entry.packed = length - 12
        entry.size = bytes.number(8, 4)
      } else {
        note("the end of an entry was not found")
        entry.packed = length
      }
      return found.place
    }
    note("the file ends within an entry")
    entry.packed = file.count - data
    return file.count
  }

  /// A directory of the entries; those that it cannot name are left out.
  var directory: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      bytes += [0x50, 0x4B, 1, 2]
      bytes.append(20, 2)
      bytes += entry.header[4..<14]
      bytes.append(entry.checksum, 4)
      bytes.append(entry.packed, 4)
      // The largest number refers to one in an extra field.
      bytes.append(min(entry.size, ZipScan.largest - 1), 4)
      bytes.append(entry.name.count, 2)
      // No extra field and comment, the first disk, no attributes.
      bytes += [UInt8](repeating: 0, count: 12)
      bytes.append(entry.offset, 4)
      bytes += entry.name
    }
    return bytes
  }
}
