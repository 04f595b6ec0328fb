import ArchiverCore

/// Cuts the JSON text of an array, as it comes, between its elements; whether text and elements are
/// well formed is for their decoder to tell.
///
/// Every piece is the text of an array. From where the text is no array by itself in UTF-8 it is not
/// cut any more, so that the pieces are JSON if, and only if, the whole is.
struct JSONPieces {
  private let size: Int
  /// What no piece has yet.
  private var rest: [UInt8] = []
  private var depth = 0
  private var isCutting = true
  /// Whether nothing followed the bracket or the last cut so far, so that a comma has no place.
  private var isEmpty = true
  private var isText = false
  private var isEscaped = false

  /// Pieces are of about `size` bytes, and as long as their longest element.
  init(size: Int = 64 << 10) {
    self.size = size
  }

  /// Takes the next bytes of the text and returns the pieces that they complete.
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

  /// Returns the last piece, after all bytes were taken.
  mutating func finish() -> Data {
    defer { rest = [] }
    return Data(rest)
  }

  /// Follows the text by a byte; returns whether it separates two elements.
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
      // In other encodings there are zeros between characters.
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
