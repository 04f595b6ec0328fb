import ArchiverCore

/// Writes the fields of a row sequentially; numbers are little-endian, texts are preceded by their
/// length. `RowReader` reads them in the same order.
struct RowWriter {
  private(set) var bytes: [UInt8]

  init(_ first: UInt8...) {
    bytes = first
  }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func put(_ encoded: ArraySlice<UInt8>) { bytes += encoded }

  mutating func put(_ number: Int) { put(UInt64(bitPattern: Int64(number))) }

  mutating func put(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func put(_ date: Date) { put(date.timeIntervalSinceReferenceDate.bitPattern) }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes += text.utf8
  }

  mutating func put(_ text: String?) {
    put(text != nil)
    if let text { put(text) }
  }

  mutating func put(_ number: Int?) {
    put(number != nil)
    if let number { put(number) }
  }

  mutating func put<Element>(_ list: [Element], _ each: (inout RowWriter, Element) -> Void) {
    put(list.count)
    for element in list { each(&self, element) }
  }
}

/// Reads what `RowWriter` wrote. Beyond the end of the bytes, all values are empty.
struct RowReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  private(set) var place: Int
  private var isShort = false

  /// The bytes must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer, from place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  /// Whether exactly all bytes were read.
  var isAtEnd: Bool { !isShort && place == bytes.count }

  @inline(__always)
  mutating func number() -> UInt64 {
    guard let range = take(8) else { return 0 }
    return UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
  }

  mutating func int() -> Int { Int(truncatingIfNeeded: Int64(bitPattern: number())) }

  mutating func bool() -> Bool { take(1).map { bytes[$0.lowerBound] == 1 } ?? false }

  mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: number()))
  }

  mutating func text() -> String { String(decoding: textBytes(), as: UTF8.self) }

  mutating func textBytes() -> UnsafeRawBufferPointer {
    let count = int()
    guard let range = take(count) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  mutating func skipText() { _ = take(int()) }

  mutating func optionalText() -> String? { bool() ? text() : nil }

  mutating func optionalInt() -> Int? { bool() ? int() : nil }

  mutating func list<Element>(_ each: (inout RowReader) -> Element) -> [Element] {
    let count = int()
    var list: [Element] = []
    // A count that is too large ends with the bytes.
    for _ in 0..<max(0, count) {
      guard !isShort else { break }
      list.append(each(&self))
    }
    return list
  }

  /// Returns the offset of the next bytes and skips them; `nil` if there are fewer.
  @inline(__always)
  private mutating func take(_ count: Int) -> Range<Int>? {
    guard !isShort, count >= 0, count <= bytes.count - place else {
      isShort = true
      return nil
    }
    defer { place += count }
    return place..<place + count
  }
}
