import ArchiverMarkup
import Testing

/// What the first bytes of a file tell about an image.
@Suite struct ImageFormatBoundaryTests {
  /// The bytes of a text in Latin-1.
  private static func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  @Test(
    arguments: [
      ("\u{FF}\u{D8}\u{FF}", .jpeg), ("\u{FF}\u{D8}", nil),
      ("\u{89}PNG\r\n\u{1A}\n", .png), ("\u{89}PNG\r\n\u{1A}", nil),
      ("GIF87a", .gif), ("GIF89a", .gif), ("GIF88a", nil),
      ("RIFF\0\0\0\0WEBP", .webp), ("RIFF\0\0\0WEBP", nil), ("RIFF\0\0\0\0WAVE", nil),
      ("RIFX\0\0\0\0WEBP", nil),
      ("II*\0", .tiff), ("MM\0*", .tiff), ("II\0*", nil),
      ("\u{FF}\n", .jpegXL), ("\0\0\0\u{C}JXL \r\n\u{87}\n", .jpegXL), ("\0\0\0\u{D}JXL ", nil),
      ("\0\0\0\u{C}jP  \r\n\u{87}\n", .jpeg2000), ("\u{FF}\u{4F}\u{FF}\u{51}", .jpeg2000),
      ("", nil), ("%PDF-1.4", nil),
    ] as [(String, ImageFormat?)])
  func `a format is recognised by its signature`(start: String, format: ImageFormat?) {
    #expect(ImageFormat(prefix: Self.bytes(start)) == format)
  }

  @Test(
    arguments: [
      // The brand of the file, in a box that ends there or continues behind the prefix.
      ("\0\0\0\u{10}ftypavif\0\0\0\0", .avif), ("\0\0\0\u{40}ftypheic", .heic),
      // A box without a size, which ends with the file.
      ("\0\0\0\0ftypheic", .heic), ("\0\0\0\0ftyphei", nil),
      // The last of the compatible brands.
      ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif", .avif),
      ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1miaf", .heic),
      // A video, and one whose box is followed by what looks like a brand.
      ("\0\0\0\u{10}ftypisom\0\0\0\0", nil), ("\0\0\0\u{10}ftypisom\0\0\0\0avif", nil),
      ("\0\0\0\u{10}fotoavif\0\0\0\0", nil),
    ] as [(String, ImageFormat?)])
  func `a base media file is an image if one of its brands says so`(
    start: String, format: ImageFormat?
  ) {
    #expect(ImageFormat(prefix: Self.bytes(start)) == format)
  }

  @Test func `a bitmap has 26 bytes, the four behind its size are zero`() {
    let bitmap = Self.bytes("BM") + [UInt8](repeating: 0, count: 24)
    #expect(ImageFormat(prefix: bitmap) == .bmp)
    #expect(ImageFormat(prefix: bitmap.dropLast()) == nil)
    for (index, isBitmap) in [(5, true), (6, false), (9, false), (10, true)] {
      var changed = bitmap
      changed[index] = 1
      #expect((ImageFormat(prefix: changed) == .bmp) == isBitmap, "\(index)")
    }
  }

  @Test func `an icon has a directory with at least one entry`() {
    let icon: [UInt8] = [0, 0, 1, 0] + [UInt8](repeating: 0, count: 18)
    #expect(ImageFormat(prefix: icon) == .ico)
    #expect(ImageFormat(prefix: icon.dropLast()) == nil)
  }

  @Test(arguments: [
    ("<svg", true), (" \n\u{FEFF}<SVG", true), ("x<svg", false), ("<p>svg", false),
    ("<html><svg>", false),
    ("<svg><html", true), ("<!DOCTYPE svg PUBLIC", true), ("<!DOCTYPE html><p>", false),
    // Nothing but a prolog, complete or not, may be followed by anything.
    ("<?xml version='1.0'", true), ("<?xml version='1.0'?>\n", true), ("<?xml?> <!-- a", true),
    ("<?xml?><?a?><!-- b --> ", true), ("<?xml?><!-- b --><rss>", false), ("<?xml?><rss>", false),
    ("<!-- a", false),
  ])
  func `a drawing is recognised behind its prolog`(start: String, isDrawing: Bool) {
    #expect((ImageFormat(prefix: Array(start.utf8)) == .svg) == isDrawing)
  }

  @Test func `what follows the first 512 bytes does not count`() {
    func file(_ spaces: Int) -> [UInt8] {
      Array("<?xml?>\(String(repeating: " ", count: spaces))<rss>".utf8)
    }
    #expect(ImageFormat(prefix: file(505)) == .svg)
    #expect(ImageFormat(prefix: file(504)) == nil)
  }

  @Test func `a format is found by its media type`() {
    for format in ImageFormat.allCases {
      #expect(ImageFormat(mediaType: format.mediaType) == format)
    }
    #expect(ImageFormat(mediaType: "text/html") == nil)
  }

  @Test(
    arguments: [
      (.jpeg, "JPEG", "jpg", true), (.svg, "SVG", "svg", true), (.tiff, "TIFF", "tiff", false),
      (.jpegXL, "JPEG XL", "jxl", false), (.jpeg2000, "JPEG 2000", "jp2", false),
      (.heic, "HEIC", "heic", false), (.psd, "PSD", "psd", false),
    ] as [(ImageFormat, String, String, Bool)])
  func `a format has a name, an extension and browsers that show it`(
    format: ImageFormat, name: String, ending: String, isShown: Bool
  ) {
    #expect(format.name == name)
    #expect(format.fileExtension == ending)
    #expect(format.isShownEverywhere == isShown)
  }
}
