import ArchiverCore

/// Repairs of XML that a parser would cut off or misread.
package enum XMLRepair {
  /// Returns a document in which
  ///
  /// - bytes that are invalid in its encoding, and characters that XML forbids, are U+FFFD,
  /// - the named characters of HTML are numbers, and a `&` that begins no reference is `&amp;`,
  ///   outside CDATA sections.
  ///
  /// A document that is not valid UTF-8 becomes UTF-8, and loses its XML declaration. One in UTF-16 or
  /// UTF-32 is unchanged.
  package static func mended(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.prefix(4).contains(0) else { return bytes }
    var bytes = bytes
    while bytes.starts(with: mark) { bytes.removeFirst(mark.count) }
    let text =
      String(validating: bytes, as: UTF8.self) == nil ? XHTMLDocument.utf8(bytes) : bytes
    return text.contains { $0 == 0x26 || isForbidden($0) } ? characters(text) : text
  }

  /// The byte order mark, which some programs add again to a text that has it.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let cdata = Array("<![CDATA[".utf8)
  private static let ampersand = Array("&amp;".utf8)
  private static let replacement = Array("\u{FFFD}".utf8)

  private static func characters(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var index = 0
    var textEnd = 0
    while index < bytes.count {
      let byte = bytes[index]
      if isForbidden(byte) {
        result += replacement
      } else if byte == 0x26, index >= textEnd {
        if let (text, length) = XHTMLDocument.named(bytes[index...]) {
          for scalar in text.unicodeScalars { result += "&#\(scalar.value);".utf8 }
          index += length
          continue
        }
        result += isReference(bytes[index...]) ? [0x26] : ampersand
      } else {
        if byte == 0x3C, index >= textEnd, bytes[index...].starts(with: cdata) {
          textEnd = bytes.firstIndex(of: "]]>", from: index) ?? bytes.count
        }
        result.append(byte)
      }
      index += 1
    }
    return result
  }

  /// Whether XML forbids a character (XML 1.0 section 2.2).
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  /// Whether a `&` begins a reference to a character or to an entity of XML itself.
  private static func isReference(_ bytes: ArraySlice<UInt8>) -> Bool {
    let name = bytes.dropFirst().prefix(12).prefix { $0 != 0x3B && $0 != 0x26 && $0 != 0x3C }
    guard bytes.dropFirst(name.count + 1).first == 0x3B else { return false }
    let text = String(decoding: name, as: UTF8.self)
    if ["amp", "lt", "gt", "quot", "apos"].contains(text) { return true }
    guard text.hasPrefix("#") else { return false }
    let digits = text.dropFirst()
    return digits.hasPrefix("x")
      ? UInt32(digits.dropFirst(), radix: 16) != nil : UInt32(digits) != nil
  }
}
