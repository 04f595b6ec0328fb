import ArchiverCore
import ArchiverStorage

/// The rows of all items in a file, so that they need neither be in memory nor be rebuilt.
///
/// `.archiver/library/rows` has a line with the format, the language and the file's generation
/// (`mark`), followed by records: a fingerprint, the length of the content, a hash of it, and the
/// content. The content is a row (with the item's fingerprint), or attributes that later rows share
/// and refer to by number. New records are appended. The file is truncated before an invalid
/// record, and the items of the lost records are reread. Once most records belong to items that
/// changed or were removed, the file is compacted; its generation changes, so the next update
/// rebuilds all pages.
struct RowLog {
  static let path = ".archiver/library/rows"
  /// Must be changed whenever the same item gives another row, or a row other hashes.
  private static let format = "6"
  /// The number of bytes written at a time.
  private static let batch = 64 << 10
  /// Fewer bytes than most records have, so reserved capacity suffices. Unused reserved capacity
  /// takes no memory; reallocation would take twice as much.
  private static let shortRecord = 200

  let file: PieceFile
  /// The random generation of this file: an offset (`RowEntry.mark`) is meaningless in another
  /// file. Changed when records are truncated, as other records take their offsets.
  private(set) var mark: UInt64
  private let language: String
  /// Sorted by the offset of their records.
  private(set) var entries: [RowEntry] = []
  private(set) var origins = SharedRecords<RowOrigin>()
  private(set) var labels = SharedRecords<RowLabels>()
  /// Bytes that are not yet written, and their offset.
  private var waiting: [UInt8] = []
  private var end = 0
  /// The fingerprints of the items, in the order of the entries that the file had, until all items
  /// are found.
  private var fingerprints: [UInt64] = []
  /// The entry that is checked first: items usually come in the order in which they were added.
  private var next = 0
  /// These entries sorted by fingerprint; created for the first lookup that needs it.
  private var order: [Int32]?

  /// Opens the file, or creates one in the folder `spare` if none can be written.
  init(root: String, words: Words, spare: String) throws(StorageError) {
    let path = "\(root)/\(RowLog.path)"
    language = words.language
    guard let file = PieceFile(path, .write) ?? PieceFile("\(spare)/rows", .write) else {
      throw SiteFiles.error(path)
    }
    self.file = file
    mark = .random(in: .min ... .max)
    let size = file.byteCount
    var window = PieceWindow(file, end: size)
    let length = header.count
    if let place = try window.place(0..<length),
      let known = readMark(window.bytes.bytes[place..<place + length])
    {
      end = length
      reserve(size / RowLog.shortRecord)
      fingerprints.reserveCapacity(size / RowLog.shortRecord)
      while let range = try read(at: end, &window) { end = range.upperBound }
      if end == size { mark = known }
    }
    guard end == 0 || end < size else { return }
    if end > 0 {
      // If records were truncated and the generation stayed the same, as after a power cut, new
      // records at their offsets would be mistaken for them.
      try file.write(header, at: 0)
      try file.flush()
    }
    try file.cut(to: end)
    if end == 0 {
      try file.write(header, at: 0)
      end = length
    }
  }

  private var header: [UInt8] { RowLog.header(language, mark) }

  private static func header(_ language: String, _ mark: UInt64) -> [UInt8] {
    let digits = String(mark, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    return Array("archiver rows \(format) \(language) \(zeros)\(digits)\n".utf8)
  }

  /// Returns the generation of a file with this first line; `nil` for another format or language.
  private func readMark(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    guard
      let mark = UInt64(String(decoding: bytes.dropLast().suffix(16), as: UTF8.self), radix: 16),
      bytes.elementsEqual(RowLog.header(language, mark))
    else { return nil }
    return mark
  }

  /// Reads the record at an offset; returns its range, or `nil` if it is invalid.
  private mutating func read(
    at start: Int, _ window: inout PieceWindow
  ) throws(StorageError) -> Range<Int>? {
    guard let place = try window.place(start..<start + RowRecord.head) else { return nil }
    let length = RowRecord.length(window.bytes, place)
    guard (1...RowRecord.longest).contains(length) else { return nil }
    let range = start..<start + RowRecord.head + length
    guard start < RowEntry.limit, let place = try window.place(range),
      let record = RowRecord(window.bytes, place)
    else {
      return nil
    }
    switch record.tag {
    case .row:
      let (origin, label) = record.shared
      guard origins.holds(origin), labels.holds(label) else { return nil }
      let row = record.row(origins[origin], labels[label])
      entries.append(RowEntry(row, at: start, origin: origin, labels: label))
      fingerprints.append(record.fingerprint)
    case .origin:
      guard let origin = record.body(RowOrigin.init) else { return nil }
      origins.add(origin, record.hash)
    case .labels:
      labels.add(record.body(RowLabels.init), record.hash)
    }
    return range
  }

  /// Returns the number of the entry with an item's fingerprint; `nil` if there is none.
  mutating func number(_ fingerprint: UInt64) -> Int? {
    if next < fingerprints.count, fingerprints[next] == fingerprint {
      next += 1
      return next - 1
    }
    let order = order ?? ordered()
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if fingerprints[Int(order[middle])] < fingerprint {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < order.count, fingerprints[Int(order[low])] == fingerprint else {
      return nil
    }
    next = Int(order[low]) + 1
    return Int(order[low])
  }

  private mutating func ordered() -> [Int32] {
    var order = Array(Int32(0)..<Int32(fingerprints.count))
    order.sort { fingerprints[Int($0)] < fingerprints[Int($1)] }
    self.order = order
    return order
  }

  /// Reserves capacity for entries of a number of items.
  mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  /// Records that an item has this row and this status.
  mutating func use(_ number: Int, _ status: ItemStatus) {
    entries[number].isUsed = true
    entries[number].status = status
  }

  /// Adds the row of an item; returns the number of its entry.
  mutating func add(_ row: LibraryRow) throws(StorageError) -> Int {
    if order == nil { _ = ordered() }
    let origin = try number(RowRecord.body(row.origin), in: \.origins, row.origin)
    let label = try number(RowRecord.body(row.labelling), in: \.labels, row.labelling)
    let start = try put(RowRecord.body(row, origin, label), row.fingerprint)
    guard start < RowEntry.limit else {
      throw StorageError(
        .io, "the file \(RowLog.path) is too large; delete it and run the command again")
    }
    entries.append(RowEntry(row, at: start, origin: origin, labels: label))
    return entries.count - 1
  }

  /// Returns the number of shared attributes; writes their record if they are new.
  private mutating func number<Value>(
    _ body: [UInt8], in shared: WritableKeyPath<RowLog, SharedRecords<Value>>, _ value: Value
  ) throws(StorageError) -> Int32 {
    let hash = RowRecord.hash(body, 0)
    if let number = self[keyPath: shared].number(hash) { return number }
    _ = try put(body, 0)
    return self[keyPath: shared].add(value, hash)
  }

  /// Appends a record and returns its offset.
  private mutating func put(_ body: [UInt8], _ fingerprint: UInt64) throws(StorageError) -> Int {
    let start = end + waiting.count
    RowRecord.append(body, fingerprint, to: &waiting)
    if waiting.count >= RowLog.batch { try flush() }
    return start
  }

  private mutating func flush() throws(StorageError) {
    try file.write(waiting, at: end)
    end += waiting.count
    waiting.removeAll(keepingCapacity: true)
  }

  /// Returns the rows, after all were added.
  mutating func table() throws(StorageError) -> RowTable {
    try flush()
    // Release the lookup tables, which may be large.
    order = nil
    fingerprints = []
    return RowTable(
      file: file, mark: mark, end: end, entries: entries, origins: origins.values,
      labels: labels.values)
  }
}

extension RowLog {
  /// Compacts the file if most of it belongs to items that changed or were removed.
  func compact(_ files: SiteFiles) throws(StorageError) {
    guard needsCompaction else { return }
    let output = try files.begin(RowLog.path)
    try output.write(RowLog.header(language, .random(in: .min ... .max)))
    var window = PieceWindow(file, end: end)
    var newOrigins: [Int32: Int] = [:]
    var newLabels: [Int32: Int] = [:]
    for (number, entry) in entries.enumerated() where entry.isUsed {
      var bytes: [UInt8] = []
      let origin = newOrigins[entry.origin] ?? newOrigins.count
      if newOrigins.updateValue(origin, forKey: entry.origin) == nil {
        RowRecord.append(RowRecord.body(origins[entry.origin]), 0, to: &bytes)
      }
      let label = newLabels[entry.labels] ?? newLabels.count
      if newLabels.updateValue(label, forKey: entry.labels) == nil {
        RowRecord.append(RowRecord.body(labels[entry.labels]), 0, to: &bytes)
      }
      guard let place = try window.place(range(number)), let record = RowRecord(window.bytes, place)
      else { throw RowTable.unreadable }
      let row = record.row(origins[entry.origin], labels[entry.labels])
      RowRecord.append(
        RowRecord.body(row, Int32(origin), Int32(label)), record.fingerprint, to: &bytes)
      try output.write(bytes)
    }
    try files.finish(output)
  }

  /// Whether most of the file belongs to items that changed or were removed.
  private var needsCompaction: Bool {
    var used = 0
    for number in entries.indices where entries[number].isUsed { used += range(number).count }
    return end > 2 * used + 65_536
  }

  private func range(_ number: Int) -> Range<Int> { RowTable.range(number, entries, end: end) }
}
