import ArchiverCore
import ArchiverStorage

/// The rows of all items in a file, so that they need neither be in memory nor be made again.
///
/// `.archiver/library/rows` has a line that names the format, the language and the file's
/// generation (`mark`), and then records: a fingerprint, the length of the content, a hash of it,
/// and the content. That is a row (with the item's fingerprint), or attributes that later rows
/// share and refer to by number. New records are appended. An invalid record is cut off with all
/// that follows it, and its items are reread. Once most records belong to items that changed or
/// left, the file is compacted; its generation changes, so the next update rebuilds all pages.
struct RowLog {
  static let path = ".archiver/library/rows"
  /// To be changed whenever the same item would give another row, or a row other marks.
  private static let format = "6"
  /// Bytes that are written at once.
  private static let batch = 64 << 10
  /// Most records are longer. Room that no entry takes is not in memory; room that grows is, twice.
  private static let shortRecord = 200

  let file: PieceFile
  /// The random generation of this file: a place in it (`RowEntry.mark`) means nothing in another.
  /// Changed when records are cut off, as others take their places.
  private(set) var mark: UInt64
  private let language: String
  /// In the order of their records.
  private(set) var entries: [RowEntry] = []
  private(set) var origins = SharedRecords<RowOrigin>()
  private(set) var labels = SharedRecords<RowLabels>()
  /// What is not yet in the file, and where it will be.
  private var waiting: [UInt8] = []
  private var end = 0
  /// The items' own, in the order of the entries that the file had, until all items are found.
  private var fingerprints: [UInt64] = []
  /// The entry that is looked at first, as items come in the order in which they were added.
  private var next = 0
  /// These entries by their fingerprints, made when one is looked for.
  private var order: [Int32]?

  /// Opens the file, or one in the folder `spare` where there is none that can be written.
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
      // Were records cut off and the mark still the old one, as after a power cut, those that come
      // in their places would be taken for them.
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

  /// Returns the mark of a file that begins so; `nil` when it is of another format or language.
  private func readMark(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    guard
      let mark = UInt64(String(decoding: bytes.dropLast().suffix(16), as: UTF8.self), radix: 16),
      bytes.elementsEqual(RowLog.header(language, mark))
    else { return nil }
    return mark
  }

  /// Takes in the record at an offset; returns its range, `nil` when it is not as expected.
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

  /// Returns the number of the entry that an item's fingerprint has; `nil` when there is none.
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

  /// Makes room for the entries of so many items.
  mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  /// Records that an item has this row, and its status.
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

  /// Returns the number of what rows share, whose record is added when it is new.
  private mutating func number<Value>(
    _ body: [UInt8], in shared: WritableKeyPath<RowLog, SharedRecords<Value>>, _ value: Value
  ) throws(StorageError) -> Int32 {
    let hash = RowRecord.hash(body, 0)
    if let number = self[keyPath: shared].number(hash) { return number }
    _ = try put(body, 0)
    return self[keyPath: shared].add(value, hash)
  }

  /// Returns where the record begins.
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

  /// Returns the rows, once all are added.
  mutating func table() throws(StorageError) -> RowTable {
    try flush()
    // Nothing else needs them, and there may be many rows.
    order = nil
    fingerprints = []
    return RowTable(
      file: file, mark: mark, end: end, entries: entries, origins: origins.values,
      labels: labels.values)
  }
}

extension RowLog {
  /// Compacts the file if most of it belongs to items that changed or left.
  func renew(_ files: SiteFiles) throws(StorageError) {
    guard isWorn else { return }
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

  /// Whether most of the file is of items that changed or left.
  private var isWorn: Bool {
    var used = 0
    for number in entries.indices where entries[number].isUsed { used += range(number).count }
    return end > 2 * used + 65_536
  }

  private func range(_ number: Int) -> Range<Int> { RowTable.range(number, entries, end: end) }
}
