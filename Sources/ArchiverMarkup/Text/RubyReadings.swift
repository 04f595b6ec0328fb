/// The positions in a text of ruby annotations, and of their parentheses.
///
/// An annotation inside a word would keep the word from being found, and in text without spaces so
/// would one after it. Annotations are therefore moved after the line, and their parentheses are
/// left out.
struct RubyReadings {
  private struct Part {
    let range: Range<Int>
    let isRead: Bool
    var endsRuby = false
  }

  private var parts: [Part] = []
  private var start: (offset: Int, isRead: Bool)?

  var isEmpty: Bool { parts.isEmpty }

  /// Records a start tag at an offset of the text.
  mutating func begin(_ name: String, at offset: Int) {
    if name == "rt" || name == "rp" { start = (offset, name == "rt") }
  }

  /// Records an end tag at an offset of the text.
  mutating func end(_ name: String, at offset: Int) {
    switch name {
    case "rt", "rp":
      guard let (first, isRead) = start else { return }
      start = nil
      parts.append(Part(range: first..<offset, isRead: isRead))
    case "ruby":
      if !parts.isEmpty { parts[parts.count - 1].endsRuby = true }
    default: break
    }
  }

  /// Returns the text with annotations moved after their lines.
  func moved(in text: [UInt8]) -> [UInt8] {
    var line = Line()
    var end = 0
    for part in parts {
      line.add(text[end..<part.range.lowerBound])
      line.add(reading: text[part.range], isRead: part.isRead)
      if part.endsRuby { line.endRuby() }
      end = part.range.upperBound
    }
    line.add(text[end...])
    line.endLine()
    return line.bytes
  }

  /// A text under construction, and the annotations of its last line.
  private struct Line {
    private(set) var bytes: [UInt8] = []
    private var readings: [UInt8] = []
    /// The separator before the next text.
    private var separator: UInt8?
    private var isInRuby = false
    private var isFirstOfRuby = true

    mutating func add(_ words: ArraySlice<UInt8>) {
      let words = separated(words)
      guard let first = words.first else { return }
      if separator == 0x0A { endLine() }
      if let separator, !bytes.isEmpty, !(isInRuby && isDense(bytes, before: first)) {
        bytes.append(separator)
      }
      separator = nil
      isInRuby = false
      guard !readings.isEmpty, let end = words.firstIndex(of: 0x0A) else {
        bytes += words
        return
      }
      bytes += words[..<end]
      endLine()
      bytes += words[end...]
    }

    mutating func add(reading: ArraySlice<UInt8>, isRead: Bool) {
      isInRuby = true
      let words = separated(reading)
      if separator == 0x0A, !bytes.isEmpty {
        endLine()
        bytes.append(0x0A)
        separator = nil
      }
      guard isRead, let first = words.first else { return }
      if !readings.isEmpty, isFirstOfRuby || !isDense(readings, before: first) {
        readings.append(0x20)
      }
      isFirstOfRuby = false
      readings += words.map { $0 == 0x0A ? 0x20 : $0 }
    }

    mutating func endRuby() {
      isInRuby = false
      isFirstOfRuby = true
    }

    mutating func endLine() {
      guard !readings.isEmpty else { return }
      if let last = bytes.last, last > 0x20 { bytes.append(0x20) }
      bytes += readings
      readings = []
      isFirstOfRuby = true
    }

    /// Returns text without its leading separator, which is recorded.
    private mutating func separated(_ words: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let spaces = words.prefix { $0 <= 0x20 }
      if let space = spaces.first, separator != 0x0A { separator = space }
      return words[spaces.endIndex...]
    }

    /// Whether a text and what follows are in scripts without spaces, so that a space between them
    /// comes from the markup.
    private func isDense(_ text: [UInt8], before next: UInt8) -> Bool {
      let last = text.suffix(4).last { $0 & 0xC0 != 0x80 } ?? 0
      return Self.isDense(last) && Self.isDense(next)
    }

    /// Whether this is the first byte of Kana, Han or their punctuation.
    private static func isDense(_ lead: UInt8) -> Bool {
      (0xE3...0xE9).contains(lead) || lead == 0xF0
    }
  }
}
