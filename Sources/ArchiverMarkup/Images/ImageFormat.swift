import ArchiverCore

/// An image format.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, gif, webp, avif, bmp, ico, svg, tiff, jpegXL, jpeg2000, heic
  /// Recognised in comics only.
  case psd

  package var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .avif: "image/avif"
    case .bmp: "image/bmp"
    case .ico: "image/x-icon"
    case .svg: "image/svg+xml"
    case .tiff: "image/tiff"
    case .jpegXL: "image/jxl"
    case .jpeg2000: "image/jp2"
    case .heic: "image/heic"
    case .psd: "image/vnd.adobe.photoshop"
    }
  }

  /// Whether Chromium, Firefox and Safari all show it. Other formats are kept, but a page must not
  /// rely on them.
  package var isShownEverywhere: Bool {
    switch self {
    case .jpeg, .png, .gif, .webp, .avif, .bmp, .ico, .svg: true
    case .tiff, .jpegXL, .jpeg2000, .heic, .psd: false
    }
  }

  /// The common name of a format that not every browser shows.
  package var name: String {
    switch self {
    case .tiff: "TIFF"
    case .jpegXL: "JPEG XL"
    case .jpeg2000: "JPEG 2000"
    case .heic: "HEIC"
    default: rawValue.uppercased()
    }
  }

  /// The usual file name extension.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .jpegXL: "jxl"
    case .jpeg2000: "jp2"
    default: rawValue
    }
  }

  package init?(mediaType: String) {
    guard let format = ImageFormat.allCases.first(where: { $0.mediaType == mediaType }) else {
      return nil
    }
    self = format
  }

  /// Recognises an image by its first bytes, of which 512 suffice. Returns `nil` for anything else.
  package init?(prefix bytes: [UInt8]) {
    let head = Array(bytes.prefix(512))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if head.dropFirst(4).starts(with: "ftyp".utf8), let format = ImageFormat.heif(head) {
      self = format
    } else if head.starts(with: "BM".utf8), head.count >= 26,
      head[6..<10].allSatisfy({ $0 == 0 })
    {
      // The size is followed by four bytes without a meaning.
      self = .bmp
    } else if head.starts(with: [0, 0, 1, 0]), head.count >= 22 {
      self = .ico
    } else if head.starts(with: [0x49, 0x49, 0x2A, 0]) || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if head.starts(with: [0xFF, 0x0A]) || head.starts(with: ImageFormat.box("JXL ")) {
      self = .jpegXL
    } else if head.starts(with: ImageFormat.box("jP  "))
      || head.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
    {
      self = .jpeg2000
    } else if ImageFormat.looksLikeSVG(head) {
      self = .svg
    } else {
      return nil
    }
  }

  /// The signature box of a container (ISO/IEC 18181-2 section 9.1, ISO/IEC 15444-1 annex I.5.1).
  private static func box(_ type: String) -> [UInt8] {
    [0, 0, 0, 12] + Array(type.utf8) + [0x0D, 0x0A, 0x87, 0x0A]
  }

  /// Returns the format named by the brands of an ISO base media file (ISO/IEC 23008-12 section
  /// 10); `nil` for a video.
  private static func heif(_ head: [UInt8]) -> ImageFormat? {
    guard head.count >= 12 else { return nil }
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let brands = head[8..<min(max(size, 16), head.count)]
    func hasBrand(_ names: [String]) -> Bool {
      names.contains { name in
        stride(from: brands.startIndex, to: brands.endIndex - 3, by: 4).contains {
          brands[$0..<$0 + 4].elementsEqual(name.utf8)
        }
      }
    }
    if hasBrand(["avif", "avis"]) { return .avif }
    let others = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    return hasBrand(others) ? .heic : nil
  }

  /// Whether there is nothing but an XML declaration, comments and a document type other than
  /// HTML's.
  private static func isUnfinishedProlog(_ text: String) -> Bool {
    var rest = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard rest.hasPrefix("<?xml") else { return false }
    while let end = [("<?", "?>"), ("<!--", "-->")].first(where: { rest.hasPrefix($0.0) })?.1 {
      guard let range = rest.firstRange(of: end) else { return true }
      rest = rest[range.upperBound...].drop { $0.isWhitespace }
    }
    return rest.isEmpty
  }

  /// Whether the text starts like an SVG document; the SVG sanitiser decides finally.
  private static func looksLikeSVG(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    guard text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" else {
      return false
    }
    let lower = text.lowercased()
    // A comment or declaration may be longer than the prefix.
    if isUnfinishedProlog(lower) { return true }
    guard let tag = lower.firstRange(of: "<svg") else {
      return lower.contains("<!doctype svg")
    }
    return !lower[..<tag.lowerBound].contains("<html")
  }
}
