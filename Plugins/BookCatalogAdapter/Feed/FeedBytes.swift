import ArchiverCore
import ArchiverMarkup

/// Repairs encoding errors of feeds.
enum FeedBytes {
  /// Returns a feed as XML that declares its encoding or is UTF-8 (RFC 7303 section 3). A byte
  /// order mark has precedence over the `Content-Type` header, and the header over the XML
  /// declaration.
  ///
  /// Servers with one charset for all files mislabel feeds. A feed that is valid UTF-8 counts as
  /// UTF-8 if either declaration says so, because text in other encodings is hardly ever valid
  /// UTF-8. In a feed that declares UTF-8 alone, bytes that are not part of it are repaired.
  static func decoded(_ bytes: [UInt8], contentType: String) -> [UInt8] {
    if let text = utf16(bytes, contentType) { return withoutDeclaration(Array(text.utf8)) }
    let plain = withoutDeclaration(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return plain }
    let header = charset(contentType)
    let declared = declaredEncoding(bytes)
    let isSaid = [header, declared].contains("utf-8") || header == nil && declared == nil
    if isSaid, String(validating: plain, as: UTF8.self) != nil { return plain }
    if declared == "utf-8", header == nil || header == "utf-8" { return repaired(plain) }
    if header == nil || header == "utf-8", declared != nil { return bytes }
    // Without a declaration, the feed is assumed to be in Windows-1252.
    let name = header.flatMap { $0 == "utf-8" ? nil : $0 } ?? "windows-1252"
    return Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>".utf8) + plain
  }

  /// Returns a feed in which each byte that is not part of UTF-8 is the character of Windows-1252, as in titles
  /// that a server copies from files.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar):
        result += scalar
        index += scalar.count
      case .error(let length):
        for byte in bytes[index..<(index + length)] { result += windows(byte) }
        index += length
      case .emptyInput: return result
      }
    }
  }

  /// Returns a character of Windows-1252 in UTF-8.
  private static func windows(_ byte: UInt8) -> [UInt8] {
    let place = Int(byte) - 0x80
    let isMarked = marks.indices.contains(place)
    return Array(String(isMarked ? marks[place] : Character(Unicode.Scalar(byte))).utf8)
  }

  /// The characters from 0x80 to 0x9F.
  private static let marks = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ")

  /// Returns a feed without what precedes it: a message of PHP, or the like. A web page is returned
  /// unchanged.
  static func withoutMessage(_ bytes: [UInt8]) -> [UInt8] {
    let head = String(decoding: bytes.prefix(longestMessage), as: UTF8.self).lowercased()
    let starts = ["<?xml", "<feed"].compactMap { head.firstRange(of: $0)?.lowerBound }
    guard let start = starts.min() else { return bytes }
    let message = head[..<start]
    let isMessage = message.contains { !$0.isWhitespace && $0 != "\u{FEFF}" }
    guard isMessage, !["{", "<!", "<html"].contains(where: message.contains) else { return bytes }
    let place = ["<?xml", "<feed"].compactMap { bytes.firstIndex(of: $0) }
    return place.min().map { Array(bytes[$0...]) } ?? bytes
  }

  private static let longestMessage = 16 << 10

  /// Returns the encoding in an XML declaration, in lower case; `nil` without one.
  private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    guard let start = head.firstRange(of: "<?xml"),
      let end = head[start.upperBound...].firstRange(of: "?>"),
      let name = head[start.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = head[name.upperBound..<end.lowerBound].drop { !"\"'".contains($0) }.dropFirst()
    return String(value.prefix { !"\"'".contains($0) })
  }

  /// Returns a feed in which every ampersand begins a valid XML reference: HTML references become
  /// characters, other ampersands are escaped. Characters that XML forbids become U+FFFD.
  static func mended(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var known: [String: [UInt8]] = [:]
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x3C, bytes[index...].starts(with: Array("<![CDATA[".utf8)) {
        let end = bytes.firstIndex(of: "]]>", from: index).map { $0 + 3 } ?? bytes.count
        result += bytes[index..<end]
        index = end
        continue
      }
      index += 1
      guard byte == 0x26 else {
        if byte < 0x20, ![0x09, 0x0A, 0x0D].contains(byte) {
          result += replacement
        } else {
          result.append(byte)
        }
        continue
      }
      let name = bytes[index...].prefix(32).prefix { isName($0) }
      let end = index + name.count
      let text = String(decoding: name, as: UTF8.self)
      guard !name.isEmpty, end < bytes.count, bytes[end] == 0x3B else {
        result += Array("&amp;".utf8)
        continue
      }
      index = end + 1
      if text.hasPrefix("#"), !isCharacter(text) {
        result += replacement
      } else if text.hasPrefix("#") || ["amp", "lt", "gt", "quot", "apos"].contains(text) {
        result += Array("&\(text);".utf8)
      } else {
        let meaning = known[text] ?? Array(meaning(text).utf8)
        known[text] = meaning
        result += meaning
      }
    }
    return result
  }

  private static let replacement = Array("&#xFFFD;".utf8)

  /// Whether a reference such as `#65` or `#x41` names a character that XML allows (XML 1.0 section
  /// 2.2).
  private static func isCharacter(_ reference: String) -> Bool {
    let digits = reference.dropFirst()
    let number =
      digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    switch number ?? 0 {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return true
    default: return false
    }
  }

  /// Returns the characters of an HTML reference, escaped for XML.
  private static func meaning(_ name: String) -> String {
    let text = AtomText.plain("&\(name);") ?? ""
    return text.isEmpty || text.contains("&") || text.contains("<") ? "&amp;\(name);" : text
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == 0x23 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Returns a UTF-16 feed as UTF-8; `nil` for other encodings.
  private static func utf16(_ bytes: [UInt8], _ contentType: String) -> String? {
    let isBig: Bool
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFE, 0xFF), (0x00, 0x3C): isBig = true
    case (0xFF, 0xFE), (0x3C, 0x00): isBig = false
    default: return nil
    }
    let pairs = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (high, low) = isBig ? (index, index + 1) : (index + 1, index)
      return UInt16(bytes[high]) << 8 | UInt16(bytes[low])
    }
    return String(decoding: pairs.first == 0xFEFF ? pairs.dropFirst() : pairs[...], as: UTF16.self)
  }

  /// Returns the bytes without the XML declaration, whose encoding no longer applies.
  private static func withoutDeclaration(_ bytes: [UInt8]) -> [UInt8] {
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard start.starts(with: Array("<?xml".utf8)), let end = start.firstIndex(of: 0x3E) else {
      return Array(start)
    }
    return Array(start[(end + 1)...])
  }

  private static func charset(_ contentType: String) -> String? {
    let lower = contentType.lowercased()
    guard let mark = lower.split(separator: ";").first(where: { $0.contains("charset=") }),
      let value = mark.split(separator: "=").last
    else { return nil }
    let name = String(
      value.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    return name.isEmpty ? nil : name
  }
}
