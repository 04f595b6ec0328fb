/// Makes untrusted ids safe and distinct from the page's own.
enum SafeIdentifier {
  /// What every id of content begins with.
  static let prefix = "c-"
  private static let longest = 200

  /// Returns the id for an `id`, `name` or fragment; the same for a fragment and what it points to.
  /// Applied to its own result it changes nothing. `nil` when nothing is left.
  static func id(_ raw: String) -> String? {
    var bytes = [UInt8]()
    for byte in PercentEncoding.decoded(raw).utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F, 0x80...:
        bytes.append(byte)
      default: bytes.append(0x2D)
      }
    }
    if bytes.starts(with: prefix.utf8) { bytes.removeFirst(prefix.utf8.count) }
    guard !bytes.isEmpty else { return nil }
    return prefix + String(decoding: shortened(bytes), as: UTF8.self)
  }

  /// Returns an id made from a heading's words.
  static func slug(_ text: String) -> String {
    var bytes = [UInt8]()
    for scalar in text.lowercased().unicodeScalars.prefix(60) {
      if isWordLike(scalar) {
        bytes += String(scalar).utf8
      } else if bytes.last != 0x2D, !bytes.isEmpty {
        bytes.append(0x2D)
      }
    }
    bytes = shortened(bytes, to: 60)
    while bytes.last == 0x2D { bytes.removeLast() }
    return prefix + (bytes.isEmpty ? "section" : String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a source's key, such as an annotation's id, fit for use inside an id.
  static func key(_ raw: String) -> String {
    let bytes = raw.utf8.map { byte -> UInt8 in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: byte
      default: 0x2D
      }
    }
    return String(decoding: bytes.prefix(longest), as: UTF8.self)
  }

  private static func isWordLike(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: true
    case 0..<0x80: false
    default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }

  private static func shortened(_ bytes: [UInt8], to limit: Int = longest) -> [UInt8] {
    guard bytes.count > limit else { return bytes }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}
