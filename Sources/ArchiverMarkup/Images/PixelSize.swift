/// The width and height of an image, read from its header.
package struct PixelSize: Sendable, Hashable {
  package let width: Int
  package let height: Int

  /// Reads the size from the first bytes of a file; `nil` if they do not contain it.
  ///
  /// PNG (RFC 2083), GIF89a, JPEG (ITU T.81: the first start-of-frame), WebP (RFC 9649), BMP.
  package init?(format: ImageFormat, prefix bytes: [UInt8]) {
    let size: (Int, Int)? =
      switch format {
      case .png: PixelSize.png(bytes)
      case .gif: PixelSize.gif(bytes)
      case .jpeg: PixelSize.jpeg(bytes)
      case .webp: PixelSize.webp(bytes)
      case .bmp: PixelSize.bmp(bytes)
      case .avif, .ico, .svg, .tiff, .jpegXL, .jpeg2000, .heic, .psd: nil
      }
    guard let (width, height) = size, (1...100_000).contains(width), (1...100_000).contains(height)
    else { return nil }
    self.width = width
    self.height = height
  }

  private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 24 else { return nil }
    return (big(bytes, 16, 4), big(bytes, 20, 4))
  }

  private static func gif(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 10 else { return nil }
    return (little(bytes, 6, 2), little(bytes, 8, 2))
  }

  private static func bmp(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 26, little(bytes, 14, 4) >= 40 else { return nil }
    let height = Int32(truncatingIfNeeded: little(bytes, 22, 4))
    return (little(bytes, 18, 4), Int(height.magnitude))
  }

  private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
    var index = 2
    while index + 9 < bytes.count {
      guard bytes[index] == 0xFF else { return nil }
      let marker = bytes[index + 1]
      if marker == 0xFF {  // fill byte
        index += 1
        continue
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {  // markers without a segment
        index += 2
        continue
      }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (big(bytes, index + 7, 2), big(bytes, index + 5, 2))
      }
      index += 2 + big(bytes, index + 2, 2)
    }
    return nil
  }

  private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 30 else { return nil }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ":
      return (little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
    case "VP8L":
      let bits = little(bytes, 21, 4)
      return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
    case "VP8X":
      return (little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
    default:
      return nil
    }
  }

  private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
