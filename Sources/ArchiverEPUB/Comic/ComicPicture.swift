/// A kind of picture that comics have for pages, told by the bytes and, where these say nothing, by the name.
enum ComicPicture: String, CaseIterable {
  case jpeg, png, gif, webp, avif, bmp, svg
  case jpegXL, tiff, heic, jpeg2000, psd

  /// What it is called, where no browser or only some show it; `nil` for a kind that all show.
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

  /// The ending that files of the kind get.
  var ending: String {
    switch self {
    case .jpeg: "jpg"
    case .jpegXL: "jxl"
    case .jpeg2000: "jp2"
    default: rawValue
    }
  }

  /// By at least 32 first bytes of a file, or all when it is shorter; `nil` when it is no picture.
  ///
  /// The bytes go before the name. A kind that browsers do not show needs the bytes: a browser looks
  /// into a file whose ending it does not know, and what it finds there must be no page.
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
    // The header of a bitmap: its size, four bytes of zeros, where the picture begins.
    if prefix.count >= 26, prefix.starts(with: "BM".utf8), prefix[6..<10].allSatisfy({ $0 == 0 }) {
      return .bmp
    }
    guard prefix.count >= 12, prefix[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    switch String(decoding: prefix[8..<12], as: UTF8.self) {
    case "avif", "avis": return .avif
    case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
    // A general brand: the list of brands behind it says more.
    case "mif1", "msf1":
      return prefix.dropFirst(12).prefix(64).firstRange(of: "avif".utf8) != nil ? .avif : .heic
    default: return nil
    }
  }
}
