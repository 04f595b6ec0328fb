import ArchiverCore

/// Limits the number of attributes per tag in XML.
///
/// libxml2 compares each attribute of a tag with all before it, in quadratic time. A tag ends at
/// the first `>` outside quoted values, which cannot contain a `<` (XML 1.0, 3.1), so that counting
/// needs no parser. The count is never lower than the parser's; in a comment or CDATA section it
/// may include text that is not a tag.
struct AttributeCount {
  /// The maximum number of attributes and namespace declarations of one tag.
  static let most = 500
  /// The size in bytes up to which any tags are acceptable.
  private static let harmless = 64_000
  /// Prefixes of names of encodings in which markup looks as in ASCII.
  private static let readable = [
    "utf-8", "utf8", "us-ascii", "ascii", "iso-8859", "iso8859", "latin", "windows-", "cp125",
    "koi8",
    "gb", "big5", "shift", "sjis", "euc", "macintosh", "tis-620",
  ]

  /// Throws if a tag has too many attributes, or if that cannot be determined.
  static func check(_ xml: [UInt8]) throws(MarkupError) {
    guard xml.count > harmless else { return }
    let isSixteenBit =
      xml.prefix(4).contains(0) || xml.starts(with: [0xFF, 0xFE])
      || xml.starts(with: [0xFE, 0xFF])
    // Text between markup characters is irrelevant, and these have the same value in either half.
    let text = isSixteenBit ? marks(xml) : xml
    guard isSixteenBit || isReadable(xml) else {
      throw MarkupError(.malformed, "the XML has an unsupported encoding")
    }
    guard widest(text) <= most else {
      throw MarkupError(
        .tooManyNodes, "an element of the XML has too many attributes \(Limit.fixed(most))")
    }
  }

  /// Whether the declaration names no encoding, or one in which markup looks as in ASCII.
  private static func isReadable(_ xml: [UInt8]) -> Bool {
    // In EBCDIC, XML begins with another byte.
    let start = xml.prefix(512)
    guard start.contains(UInt8(ascii: "<")) else { return false }
    guard let end = start.firstIndex(of: UInt8(ascii: ">")) else { return true }
    let declaration = String(decoding: start[..<end], as: UTF8.self).lowercased()
    guard declaration.contains("<?xml"),
      let name = declaration.split(separator: "encoding").dropFirst().first
    else { return true }
    let word = name.drop { !$0.isLetter && !$0.isNumber }
    return readable.contains { word.hasPrefix($0) }
  }

  /// Returns the ASCII characters of text in UTF-16 or UTF-32.
  private static func marks(_ xml: [UInt8]) -> [UInt8] {
    let isBig = xml.starts(with: [0xFE, 0xFF]) || xml.first == 0
    let isWide = xml.prefix(4).count { $0 == 0 } > 2 || xml.starts(with: [0xFF, 0xFE, 0, 0])
    let width = isWide ? 4 : 2
    return stride(from: 0, to: xml.count - width + 1, by: width).compactMap { index in
      let unit = xml[index..<(index + width)]
      let low = isBig ? unit.last : unit.first
      let isASCII =
        isBig ? unit.dropLast().allSatisfy { $0 == 0 } : unit.dropFirst().allSatisfy { $0 == 0 }
      return isASCII ? low : nil
    }
  }

  private static func widest(_ text: [UInt8]) -> Int {
    text.withUnsafeBufferPointer { buffer in
      var widest = 0
      var count = 0
      var isInTag = false
      var quote: UInt8 = 0
      for byte in buffer {
        if byte == UInt8(ascii: "<") {
          (isInTag, quote, count) = (true, 0, 0)
        } else if !isInTag {
          continue
        } else if quote != 0 {
          if byte == quote { quote = 0 }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
          count += 1
          widest = max(widest, count)
        } else if byte == UInt8(ascii: ">") {
          isInTag = false
        }
      }
      return widest
    }
  }
}
