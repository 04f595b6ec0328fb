import ArchiverMarkup
import Testing

/// The sizes of images on the page.
@Suite struct ImageSizeTests {
  /// Returns the size that an image gets whose file has these sides.
  private func size(_ attributes: String, _ width: Int?, _ height: Int?) throws -> String {
    let bytes = try sanitized("<p>a <img src=a.png \(attributes)> b</p>").bytes
    let slots = ImageExtractor.references(in: bytes).slots
    let page = text(
      ImageRewriter.rewrite(bytes, slots: slots) { _ in
        .local(path: "assets/a", width: width, height: height)
      })
    let found = page.firstMatch(of: /alt="[^"]*"(?: width="(\d+)")?(?: height="(\d+)")? loading/)
    return "\(found?.1 ?? "") \(found?.2 ?? "")"
  }

  @Test(arguments: [
    ("width=20 height=20", "20 20"), ("width=64 height=64", "64 64"),
    // Others are shown as large as they are.
    ("width=65 height=65", "512 512"), ("width=300 height=200", "512 512"),
    ("width=16 height=9", "512 512"), ("width=4 height=4", "512 512"), ("width=20", "512 512"),
    // An address for more pixels shows that the size is not its own.
    ("width=40 height=40 srcset='b.png 900w'", "512 512"), ("", "512 512"),
  ])
  func `an icon has its declared size`(attributes: String, expected: String) throws {
    #expect(try size(attributes, 512, 512) == expected)
  }

  @Test(arguments: ["😀", "🧙‍♂️", "☺️", "🇩🇪", "1️⃣"])
  func `an image of an emoji is as high as the text`(emoji: String) throws {
    #expect(try size("alt='\(emoji)'", nil, nil) == "20 20")
    #expect(try size("alt='\(emoji)'", 72, 72) == "20 20")
    #expect(try size("alt='\(emoji)' width=72 height=72", 72, 72) == "20 20")
    // A photograph may have such a name.
    #expect(try size("alt='\(emoji)'", 800, 600) == "800 600")
  }

  @Test func `a bitmap's size is in its header, negative heights included`() {
    var header = [UInt8](repeating: 0, count: 54)
    (header[0], header[1], header[14], header[18], header[36]) = (0x42, 0x4D, 40, 64, 1)
    header.replaceSubrange(22..<26, with: [0xE0, 0xFF, 0xFF, 0xFF])
    let size = PixelSize(format: .bmp, prefix: header)
    #expect(size?.width == 64)
    #expect(size?.height == 32)
  }

  @Test(arguments: ["1", "©", "a", "😀😀", "😀 smile", ""])
  func `other words are no emoji`(words: String) throws {
    #expect(try size("alt='\(words)'", 72, 72) == "72 72")
    #expect(try size("alt='\(words)'", nil, nil) == " ")
  }
}
