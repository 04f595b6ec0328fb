/// Where in a text the readings are that stand above its words, and what browsers without them show.
///
/// An annotation inside a word would keep the word from being found, and so would one after it in
/// text without spaces. So annotations come after the line; parentheses around them are left out.
struct RubyReadings {
  private struct Part {
    let range: Range<Int>
    let isRead: Bool
    var endsRuby = false
  }

  private var parts: [Part] = []
  private var start: (offset: Int, isRead: Bool)?

  var isEmpty: Bool { parts.isEmpty }

  /// Notes that a tag is written where the text has so many bytes.
  mutating func begin(_ name: String, at offset: Int) {
    if name == "rt" || name == "rp" { start = (offset, name == "rt") }
  }

  /// Notes that an end tag is written where the text has so many bytes.
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

  /// Returns the text with its readings after the lines in which they are.
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

  /// A text, as far as it is put together, and the readings of its last line.
  private struct Line {
    private(set) var bytes: [UInt8] = []
    private var readings: [UInt8] = []
    /// The separator between the text so far and the next.
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

    /// Returns words without what separates them from those before, which is noted.
    private mutating func separated(_ words: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let spaces = words.prefix { $0 <= 0x20 }
      if let space = spaces.first, separator != 0x0A { separator = space }
      return words[spaces.endIndex...]
    }

    /// Whether a text and what follows are of scripts without spaces between words, so that a space
    /// between them is the markup's own.
    private func isDense(_ text: [UInt8], before next: UInt8) -> Bool {
      let last = text.suffix(4).last { $0 & 0xC0 != 0x80 } ?? 0
      return Self.isDense(last) && Self.isDense(next)
    }

    /// Whether a character begins with this byte that is Kana, Han or a mark that stands with them.
    private static func isDense(_ lead: UInt8) -> Bool {
      (0xE3...0xE9).contains(lead) || lead == 0xF0
    }
  }
}
