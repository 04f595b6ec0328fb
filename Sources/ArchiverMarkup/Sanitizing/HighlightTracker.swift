/// Collects highlighted passages while their pieces are written.
struct HighlightTracker {
  private struct Piece {
    var start: Int
    var end: Int
  }

  private struct Entry {
    var key: String
    var color: String
    var note: String?
    var pieces: [Piece] = []
  }

  /// A note with an open element.
  struct Note {
    var key: String?
    var text: String?
    var color: String?
  }

  private var entries: [Entry] = []
  private var positions: [String: Int] = [:]
  private var open: [(key: String, start: Int)] = []
  var note: Note?

  static let colors: Set<String> = ["yellow", "red", "blue", "green", "none", "other"]

  /// Returns the colour's name in class attributes.
  static func color(_ raw: String?) -> String {
    guard let raw, !raw.isEmpty else { return "yellow" }
    let name = raw.lowercased()
    return colors.contains(name) ? name : "other"
  }

  var isInNote: Bool { note != nil }

  /// Begins a piece at an offset of the plain text; returns whether it is the first of its passage.
  mutating func beginPiece(_ key: String, color: String, at offset: Int) -> Bool {
    let isFirst = positions[key] == nil
    _ = entry(key, color)
    open.append((key, offset))
    return isFirst
  }

  mutating func endPiece(_ offset: Int) {
    guard let (key, start) = open.popLast(), let index = positions[key] else { return }
    entries[index].pieces.append(Piece(start: start, end: offset))
  }

  mutating func add(note: String, to key: String, color: String) {
    let index = entry(key, color)
    if entries[index].note == nil { entries[index].note = note }
  }

  private mutating func entry(_ key: String, _ color: String) -> Int {
    if let index = positions[key] { return index }
    positions[key] = entries.count
    entries.append(Entry(key: key, color: color))
    return entries.count - 1
  }

  func found(in text: PlainTextCollector) -> [SanitizedHTML.Highlight] {
    entries.map { entry in
      SanitizedHTML.Highlight(
        id: entry.key, color: entry.color, note: entry.note,
        text: HighlightTracker.words(entry.pieces, text.bytes))
    }
  }

  private static func words(_ pieces: [Piece], _ text: [UInt8]) -> String {
    var words = [UInt8]()
    var end: Int?
    for piece in pieces.sorted(by: { $0.start < $1.start }) {
      if let last = end, piece.start > last { words.append(0x20) }
      let start = max(piece.start, end ?? 0)
      if start < piece.end { words += text[start..<piece.end] }
      end = max(end ?? 0, piece.end)
    }
    let joined = [UInt8](words.split { $0 <= 0x20 }.joined(separator: [0x20]))
    return String(decoding: joined, as: UTF8.self)
  }
}
