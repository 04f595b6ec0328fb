/// Divides an item's text into passages, the units that search ranks and quotes.
///
/// The whole text of a book is too large to load for one quoted line.
enum Passages {
  /// The maximum size of a passage in bytes of UTF-8.
  static let size = 16_000

  /// Returns chunks of the text, each at most `size` bytes. Text is divided between lines, so that
  /// no phrase is split, or else at white space if there is any. Returns at least one chunk, which
  /// may be empty.
  static func cut(_ text: String) -> [String] {
    guard text.utf8.count > size else { return [text] }
    let bytes = Array(text.utf8)
    var pieces: [String] = []
    var start = 0
    while bytes.count - start > size {
      var end = start + size
      let earliest = start + size - 1_000
      if let line = bytes[(start + size - 4_000)...end].lastIndex(of: UInt8(ascii: "\n")) {
        end = line
      }
      while end > earliest, bytes[end] > 0x20 { end -= 1 }
      if end == earliest {
        end = start + size
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
      }
      pieces.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
  }
}
