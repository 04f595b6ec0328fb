/// An image format of comics, determined by content and, if the content does not tell, by the name.
enum ComicPicture: String, CaseIterable {
  case jpeg, png, gif, webp, avif, bmp, svg
  case jpegXL, tiff, heic, jpeg2000, psd

  /// The format's name if not every browser supports it; otherwise `nil`.
  var foreignName: String? {
    switch self {
    case .jpeg, .png, .gif, .webp, .avif, .bmp, .svg: nil
    case .jpegXL: "JPEG XL"
    case .tiff: "TIFF"
    case .heic: "HEIC"
    case .jpeg2000: "JPEG 2000"
    case .psd: "PSD"
    }
  }

  /// The extension for files in the format.
  var ending: String {
    switch self {
    case .jpeg: "jpg"
    case .jpegXL: "jxl"
    case .jpeg2000: "jp2"
    default: rawValue
    }
  }

  /// Detects the format from at least the first 32 bytes of a file, or all of a shorter one; `nil`
  /// if it is not an image.
  ///
  /// Content has precedence over the name. A format that browsers do not support must be recognised
  /// by content: browsers sniff files with unknown extensions, which must not turn out to be HTML.
  init?(name: String, prefix: [UInt8]) {
    if let found = ComicPicture.byBytes(prefix) {
      self = found
      return
    }
    let ending = name.split(separator: ".").last?.lowercased() ?? ""
    guard name.contains("."), let named = ComicPicture.byEnding[ending] else { return nil }
    self = named
  }

  private static let byEnding: [String: ComicPicture] = [
    "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "png": .png, "gif": .gif,
    "webp": .webp, "avif": .avif, "bmp": .bmp, "svg": .svg,
  ]

  private static let starts: [(bytes: [UInt8], kind: ComicPicture)] = [
    ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif), ([0xFF, 0x0A], .jpegXL),
    ([0, 0, 0, 0x0C] + Array("JXL \r\n".utf8) + [0x87, 0x0A], .jpegXL),
    ([0x49, 0x49, 0x2A, 0], .tiff), ([0x4D, 0x4D, 0, 0x2A], .tiff),
    ([0, 0, 0, 0x0C] + Array("jP  \r\n".utf8) + [0x87, 0x0A], .jpeg2000),
    ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000), (Array("8BPS".utf8), .psd),
  ]

  private static func byBytes(_ prefix: [UInt8]) -> ComicPicture? {
    if let known = starts.first(where: { prefix.starts(with: $0.bytes) }) { return known.kind }
    if prefix.starts(with: "RIFF".utf8), prefix.dropFirst(8).starts(with: "WEBP".utf8) {
      return .webp
    }
    // The header of a bitmap: size, four zero bytes, offset of the pixels.
    if prefix.count >= 26, prefix.starts(with: "BM".utf8), prefix[6..<10].allSatisfy({ $0 == 0 }) {
      return .bmp
    }
    guard prefix.count >= 12, prefix[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    switch String(decoding: prefix[8..<12], as: UTF8.self) {
    case "avif", "avis": return .avif
    case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
    // For a general brand, the list of compatible brands decides.
    case "mif1", "msf1":
      return prefix.dropFirst(12).prefix(64).firstRange(of: "avif".utf8) != nil ? .avif : .heic
    default: return nil
    }
  }
}
