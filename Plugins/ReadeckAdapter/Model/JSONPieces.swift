import ArchiverCore

/// Cuts the JSON text of an array between its elements; whether the elements are well formed is for
/// their decoder to tell.
enum JSONPieces {
  /// Thrown for what is no array by itself in UTF-8.
  struct NoArray: Error {}

  /// Returns where elements are, with the commas between them, about `size` bytes at a time.
  static func ranges(_ json: [UInt8], size: Int = 64 << 10) throws -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var depth = 0
    var start = 0
    var isEmpty = true
    var (isText, isEscaped, hasEnded) = (false, false, false)
    for (place, byte) in json.enumerated() {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
      guard !hasEnded, depth > 0 || byte == UInt8(ascii: "[") else { throw NoArray() }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth == 1 { start = place + 1 } else { isEmpty = false }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        guard depth == 0 else { continue }
        // Nothing may follow a comma but an element.
        guard byte == UInt8(ascii: "]"), !isEmpty || ranges.isEmpty else { throw NoArray() }
        ranges.append(start..<place)
        hasEnded = true
      case UInt8(ascii: ",") where depth == 1 && place - start >= size:
        ranges.append(start..<place)
        start = place + 1
        isEmpty = true
      default:
        isText = byte == UInt8(ascii: "\"")
        isEmpty = false
      }
    }
    guard hasEnded else { throw NoArray() }
    return ranges
  }
}
