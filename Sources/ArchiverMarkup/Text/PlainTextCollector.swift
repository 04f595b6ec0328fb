/// Gathers the words of a document: blocks separated by a line feed, words by one space.
struct PlainTextCollector {
  /// In the order of the document.
  private(set) var bytes: [UInt8] = []
  private var pending: UInt8?
  private var readings = RubyReadings()

  var count: Int { bytes.count }

  /// The text as it is searched and counted: readings come after their lines.
  var wholeText: String {
    String(decoding: readings.isEmpty ? bytes : readings.moved(in: bytes), as: UTF8.self)
  }

  /// Whether places in the text are remembered.
  var hasReadings: Bool { !readings.isEmpty }

  /// The start tag of an inline element is written.
  mutating func note(start name: String) { readings.begin(name, at: bytes.count) }

  /// The end tag of an inline element is written.
  mutating func note(end name: String) { readings.end(name, at: bytes.count) }

  /// The next word begins a new line.
  mutating func breakBlock() { pending = 0x0A }

  /// The next word stands apart from the one before.
  mutating func breakWord() { if pending == nil { pending = 0x20 } }

  /// What was to separate the next word is among the spaces that are kept.
  mutating func takeBackBreak() { pending = nil }

  mutating func append(_ run: UnsafeBufferPointer<UInt8>) {
    flush()
    bytes.append(contentsOf: run)
  }

  /// Appends a byte; white space only separates.
  mutating func append(_ byte: UInt8) {
    guard byte > 0x20 else { return breakWord() }
    flush()
    bytes.append(byte)
  }

  /// Replaces the words from an offset on; what separates them on either side stays.
  mutating func replace(from start: Int, with words: String) {
    let after = pending
    pending = start < bytes.count && bytes[start] <= 0x20 ? bytes[start] : nil
    bytes.removeSubrange(start...)
    for byte in words.utf8 { append(byte) }
    pending = after
  }

  /// Returns the words from an offset on, all on one line.
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
