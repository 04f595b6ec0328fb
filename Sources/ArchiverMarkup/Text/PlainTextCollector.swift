/// Collects the plain text of a document: blocks separated by a line feed, words by one space.
struct PlainTextCollector {
  /// In document order.
  private(set) var bytes: [UInt8] = []
  private var pending: UInt8?
  private var readings = RubyReadings()

  var count: Int { bytes.count }

  /// The text for search and counting, with ruby annotations after their lines.
  var wholeText: String {
    String(decoding: readings.isEmpty ? bytes : readings.moved(in: bytes), as: UTF8.self)
  }

  /// Whether offsets in the text are recorded.
  var hasReadings: Bool { !readings.isEmpty }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Records the start tag of an inline element.
  mutating func note(start name: String) { readings.begin(name, at: bytes.count) }

  /// Records the end tag of an inline element.
  mutating func note(end name: String) { readings.end(name, at: bytes.count) }

  /// Begins a new line before the next word.
  mutating func breakBlock() { pending = 0x0A }

  /// Separates the next word from the previous one.
  mutating func breakWord() { if pending == nil { pending = 0x20 } }

  /// Removes a pending separator, which is part of preserved white space.
  mutating func takeBackBreak() { pending = nil }

  mutating func append(_ run: UnsafeBufferPointer<UInt8>) {
    flush()
    bytes.append(contentsOf: run)
  }

  /// Appends a byte; white space is collapsed to a separator.
  mutating func append(_ byte: UInt8) {
    guard byte > 0x20 else { return breakWord() }
    flush()
    bytes.append(byte)
  }

  /// Replaces the text from an offset on; separators on both sides stay.
  mutating func replace(from start: Int, with words: String) {
    let after = pending
    pending = start < bytes.count && bytes[start] <= 0x20 ? bytes[start] : nil
    bytes.removeSubrange(start...)
    for byte in words.utf8 { append(byte) }
    pending = after
  }

  /// Returns the text from an offset on, in one line.
  func words(from start: Int, to end: Int? = nil) -> String {
    let end = end ?? bytes.count
    guard start < end else { return "" }
    var slice = bytes[start..<end]
    while let first = slice.first, first <= 0x20 { slice = slice.dropFirst() }
    return String(decoding: slice.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
  }

  private mutating func flush() {
    if let separator = pending {
      pending = nil
      if !bytes.isEmpty { bytes.append(separator) }
    }
  }
}
