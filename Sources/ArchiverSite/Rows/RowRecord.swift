import ArchiverCore
import ArchiverStorage

/// A record of `RowLog`'s file.
struct RowRecord {
  enum Tag: UInt8 {
    case row, origin, labels
  }

  /// Bytes before the body: fingerprint, length and hash.
  static let head = 24
  /// The maximum length of a body; a record that declares more is damaged.
  static let longest = 1 << 30
  /// The offset in a row's record at which `LibraryRow.encode` writes the time of saving, after the
  /// tag and two numbers, followed by the time of archiving.
  static let savedPlace = head + 17
  static let archivedPlace = savedPlace + 8

  let tag: Tag
  let fingerprint: UInt64
  let hash: UInt64
  private let bytes: RowBytes
  private let start: Int

  /// Reads the record at an offset; `nil` if it is damaged. Its length must be available.
  init?(_ bytes: RowBytes, _ place: Int) {
    self.bytes = bytes
    start = place + RowRecord.head
    let length = RowRecord.length(bytes, place)
    let found = bytes.bytes.withUnsafeBytes { [start] bytes -> (UInt64, UInt64, UInt8)? in
      var reader = RowReader(bytes, from: place)
      let fingerprint = reader.number()
      _ = reader.number()
      let hash = reader.number()
      guard length > 0, length <= bytes.count - start else { return nil }
      let body = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      guard WordHash.of(body, from: fingerprint) == hash else { return nil }
      return (fingerprint, hash, body[0])
    }
    guard let found, let tag = Tag(rawValue: found.2) else { return nil }
    (fingerprint, hash, self.tag) = (found.0, found.1, tag)
  }

  /// Returns the declared length of a record's body.
  static func length(_ bytes: RowBytes, _ place: Int) -> Int {
    bytes.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: place + 8)
      return reader.int()
    }
  }

  /// Reads one of a row's times, in seconds since 2001; `nil` if the record is not a row.
  static func time(_ bytes: RowBytes, _ start: Int, _ place: Int) -> Double? {
    bytes.bytes.withUnsafeBytes { bytes in
      guard bytes[start + head] == Tag.row.rawValue else { return nil }
      var reader = RowReader(bytes, from: start + place)
      return reader.date().timeIntervalSinceReferenceDate
    }
  }

  /// Decodes the body of shared attributes.
  func body<Value>(_ read: (inout RowReader) -> Value) -> Value {
    bytes.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: start + 1)
      return read(&reader)
    }
  }

  /// The numbers of a row's origin and labels.
  var shared: (origin: Int32, labels: Int32) {
    body { (Int32(clamping: $0.int()), Int32(clamping: $0.int())) }
  }

  func row(
    _ origin: RowOrigin, _ labels: RowLabels, _ status: ItemStatus = .complete
  ) -> LibraryRow {
    bytes.bytes.withUnsafeBytes { all in
      var reader = RowReader(all, from: start + RowRecord.savedPlace - RowRecord.head)
      return LibraryRow(
        &reader, bytes, origin: origin, labels: labels, fingerprint: fingerprint, status: status)
    }
  }

  static func body(_ origin: RowOrigin) -> [UInt8] {
    var writer = RowWriter(Tag.origin.rawValue)
    origin.encode(to: &writer)
    return writer.bytes
  }

  static func body(_ labels: RowLabels) -> [UInt8] {
    var writer = RowWriter(Tag.labels.rawValue)
    labels.encode(to: &writer)
    return writer.bytes
  }

  static func body(_ row: LibraryRow, _ origin: Int32, _ labels: Int32) -> [UInt8] {
    var writer = RowWriter(Tag.row.rawValue)
    writer.put(Int(origin))
    writer.put(Int(labels))
    row.encode(to: &writer)
    return writer.bytes
  }

  static func hash(_ body: [UInt8], _ fingerprint: UInt64) -> UInt64 {
    body.withUnsafeBytes { WordHash.of($0, from: fingerprint) }
  }

  static func append(_ body: [UInt8], _ fingerprint: UInt64, to bytes: inout [UInt8]) {
    var head = RowWriter()
    head.put(fingerprint)
    head.put(body.count)
    head.put(hash(body, fingerprint))
    bytes += head.bytes
    bytes += body
  }
}

/// Shared attributes by the numbers that records use.
struct SharedRecords<Value> {
  private(set) var values: [Value] = []
  /// By the hashes of the records' bodies.
  private var numbers: [UInt64: Int32] = [:]

  func holds(_ number: Int32) -> Bool { values.indices.contains(Int(number)) }

  subscript(number: Int32) -> Value { values[Int(number)] }

  func number(_ hash: UInt64) -> Int32? { numbers[hash] }

  /// Adds attributes and returns their number.
  @discardableResult
  mutating func add(_ value: Value, _ hash: UInt64) -> Int32 {
    let number = Int32(values.count)
    values.append(value)
    numbers[hash] = number
    return number
  }
}
