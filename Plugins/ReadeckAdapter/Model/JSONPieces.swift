import ArchiverCore

/// Divides the text of a JSON array, as it arrives, between elements. Text and elements are
/// validated by their decoder.
///
/// Every piece is the text of an array. From a point where the text is not an array in UTF-8, it is
/// not divided any further, so that the pieces are valid JSON if and only if the whole is.
struct JSONPieces {
  private let size: Int
  /// The bytes that are not part of a piece yet.
  private var rest: [UInt8] = []
  private var depth = 0
  private var isCutting = true
  /// Whether nothing followed the bracket or the last division yet, so that a comma is invalid.
  private var isEmpty = true
  private var isText = false
  private var isEscaped = false

  /// Pieces have about `size` bytes, or the length of a longer element.
  init(size: Int = 64 << 10) {
    self.size = size
  }

  /// Adds bytes of the text and returns the pieces completed by them.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Data] {
    var pieces: [Data] = []
    var start = 0
    for (place, byte) in bytes.enumerated() {
      guard isCutting else { break }
      guard isComma(byte), rest.count + place - start >= size else { continue }
      rest.append(contentsOf: bytes[start..<place])
      rest.append(UInt8(ascii: "]"))
      pieces.append(Data(rest))
      rest.removeAll(keepingCapacity: true)
      rest.append(UInt8(ascii: "["))
      start = place + 1
      isEmpty = true
    }
    rest.append(contentsOf: bytes[start...])
    return pieces
  }

  /// Returns the last piece after all bytes were added.
  mutating func finish() -> Data {
    defer { rest = [] }
    return Data(rest)
  }

  /// Advances by one byte; returns whether it separates two elements.
  private mutating func isComma(_ byte: UInt8) -> Bool {
    if isText {
      follow(text: byte)
      return false
    }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return false
    case UInt8(ascii: ",") where depth == 1 && !isEmpty: return true
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if depth == 0, byte != UInt8(ascii: "[") { isCutting = false }
      if depth > 0 { isEmpty = false }
      depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= 1
    default:
      // UTF-16 and UTF-32 have zeros between ASCII characters.
      if byte == 0 { isCutting = false }
      isText = byte == UInt8(ascii: "\"")
      isEmpty = false
    }
    return false
  }

  private mutating func follow(text byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isText = false
    }
  }
}
