/// What an image's first bytes say that it is, whatever it was declared to be.
enum ImageSignature {
  private static let starts: [(bytes: [UInt8], mediaType: String)] = [
    ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
    (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
    ([0, 0, 1, 0], "image/x-icon"),
  ]

  /// Returns the type of an image that browsers show, by at least its first twelve bytes; `nil` for
  /// any other, and for drawings, which are text.
  static func mediaType(_ bytes: [UInt8]) -> String? {
    if let known = starts.first(where: { bytes.starts(with: $0.bytes) }) { return known.mediaType }
    guard bytes.count >= 12 else { return nil }
    if bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
      return "image/webp"
    }
    let brand = bytes[4..<12]
    let isAVIF = brand.elementsEqual("ftypavif".utf8) || brand.elementsEqual("ftypavis".utf8)
    return isAVIF ? "image/avif" : nil
  }
}
