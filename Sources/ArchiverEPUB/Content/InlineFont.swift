import ArchiverCore
import ArchiverMarkup

/// Fonts written into a style sheet as `data:` URLs (RFC 2397).
enum InlineFont {
  /// The first bytes of the formats that browsers read: WOFF 2, WOFF, OpenType, TrueType.
  private static let signatures: [(bytes: [UInt8], mediaType: String)] = [
    (Array("wOF2".utf8), "font/woff2"), (Array("wOFF".utf8), "font/woff"),
    (Array("OTTO".utf8), "font/otf"), ([0, 1, 0, 0], "font/ttf"), (Array("true".utf8), "font/ttf"),
  ]

  /// Returns the content and the media type that its first bytes tell, whatever the declared one; `nil` if it
  /// is no such font or its encoding is broken.
  static func decode(_ url: String) -> (mediaType: String, bytes: [UInt8])? {
    guard url.prefix(5).lowercased() == "data:", let comma = url.utf8.firstIndex(of: 0x2C)
    else { return nil }
    let isBase64 = url[..<comma].lowercased().filter { !$0.isWhitespace }.hasSuffix(";base64")
    var bytes = PercentEncoding.decodedBytes(String(url[url.utf8.index(after: comma)...]))
    if isBase64 {
      let text = bytes.filter { $0 > 0x20 && $0 != 0x3D }
      let padding = [UInt8](repeating: 0x3D, count: (4 - text.count % 4) % 4)
      guard let data = Data(base64Encoded: String(decoding: text + padding, as: UTF8.self)) else {
        return nil
      }
      bytes = [UInt8](data)
    }
    return signatures.first { bytes.starts(with: $0.bytes) }.map { ($0.mediaType, bytes) }
  }
}
