/// Percent-encoding of URLs (RFC 3986 section 2.1).
enum PercentEncoding {
  /// Returns the text with encoded bytes decoded; what is no valid encoding stays as it is.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = NotionID.digit(bytes[index + 1]), let low = NotionID.digit(bytes[index + 2])
      {
        result.append(UInt8(high << 4 | low))
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
