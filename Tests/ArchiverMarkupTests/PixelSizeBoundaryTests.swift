import ArchiverMarkup
import Testing

/// The sides of images, read from the first bytes of their files.
@Suite struct PixelSizeBoundaryTests {
  private static func size(_ format: ImageFormat, _ bytes: [UInt8]) -> [Int]? {
    PixelSize(format: format, prefix: bytes).map { [$0.width, $0.height] }
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  @Test(
    arguments: [
      ([0, 1, 2, 3, 0, 1, 0, 4], [66_051, 65_540]),
      ([0, 1, 0x86, 0xA0, 0, 0, 0, 1], [100_000, 1]), ([0, 1, 0x86, 0xA1, 0, 0, 0, 1], nil),
      ([0, 0, 0, 1, 0, 1, 0x86, 0xA0], [1, 100_000]), ([0, 0, 0, 1, 0, 1, 0x86, 0xA1], nil),
      ([0, 0, 0, 0, 0, 0, 0, 1], nil), ([0, 0, 0, 1, 0, 0, 0, 0], nil),
      ([0, 0, 0, 1, 0, 0, 0], nil),
    ] as [([UInt8], [Int]?)])
  func `a PNG has one to 100,000 pixels a side, told behind 16 bytes`(
    sides: [UInt8], size: [Int]?
  ) {
    #expect(Self.size(.png, Self.zeros(16) + sides) == size)
  }

  @Test func `a GIF tells its size in the first ten bytes`() {
    let header = Self.zeros(6) + [0x34, 0x12, 0x78, 0x56]
    #expect(Self.size(.gif, header) == [0x1234, 0x5678])
    #expect(Self.size(.gif, header.dropLast()) == nil)
  }

  @Test(
    arguments: [
      (40, [1, 2, 1, 0, 3, 1, 0, 0], [66_049, 259]), (124, [9, 0, 0, 0, 8, 0, 0, 0], [9, 8]),
      // Lines from the top down have a negative number.
      (40, [1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF], [1, 2]),
      // An older header has other fields there.
      (39, [1, 2, 1, 0, 3, 1, 0, 0], nil), (40, [1, 0, 0, 0, 1, 0, 0], nil),
    ] as [(UInt8, [UInt8], [Int]?)])
  func `a bitmap tells its size behind the length of a header of 40 bytes or more`(
    length: UInt8, sides: [UInt8], size: [Int]?
  ) {
    #expect(Self.size(.bmp, Self.zeros(14) + [length, 0, 0, 0] + sides) == size)
  }

  @Test(
    arguments: [
      ([], 0xC0), ([], 0xC1), ([], 0xCF),
      // A fill byte; markers without a segment; segments, whose length includes itself.
      ([0xFF], 0xC0), ([0xFF, 0x01], 0xC0), ([0xFF, 0xD0], 0xC0), ([0xFF, 0xD8], 0xC2),
      ([0xFF, 0xE0, 0, 4, 1, 2], 0xC0), ([0xFF, 0xFE, 0, 2, 0xFF, 0xDB, 0, 3, 9], 0xC0),
      // These look like the start of a frame: tables, an extension, and arithmetic conditions.
      ([0xFF, 0xC4, 0, 3, 9], 0xC0), ([0xFF, 0xC8, 0, 2], 0xC0), ([0xFF, 0xCC, 0, 3, 9], 0xC0),
    ] as [([UInt8], UInt8)])
  func `a JPEG tells its size at the start of a frame, behind other segments`(
    before: [UInt8], marker: UInt8
  ) {
    let frame: [UInt8] = [0xFF, marker, 0, 17, 8, 0x12, 0x34, 0x56, 0x78, 3]
    let image = [0xFF, 0xD8] + before + frame
    #expect(Self.size(.jpeg, image) == [0x5678, 0x1234])
    #expect(Self.size(.jpeg, image.dropLast(2)) == nil, "cut off in the width")
  }

  @Test(
    arguments: [
      [0xFF, 0xD8, 0, 0xFF, 0xC0, 0, 17, 8, 0x12, 0x34, 0x56, 0x78, 3],
      [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF, 0xC0, 0, 17, 8, 0x12, 0x34, 0x56, 0x78, 3],
      [0xFF, 0xD8], [],
    ] as [[UInt8]])
  func `a JPEG without the start of a frame where a marker is due has no size`(image: [UInt8]) {
    #expect(Self.size(.jpeg, image) == nil)
  }

  @Test(
    arguments: [
      // 14 bits a side, the two above them are a scale.
      ("VP8 ", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x34, 0xD2, 0x78, 0x56], [0x1234, 0x1678]),
      // 14 bits a side, less one, and bits for transparency and the version.
      ("VP8L", [0, 0, 0, 0, 0x2F, 0x33, 0xD2, 0x9D, 0x15, 0, 0, 0, 0, 0], [0x1234, 0x1678]),
      // 24 bits a side, less one.
      ("VP8X", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 4, 3, 0], [65_793, 773]),
      ("ANIM", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 4, 3, 0], nil),
    ] as [(String, [UInt8], [Int]?)])
  func `a WebP image tells its size in its first chunk`(
    chunk: String, content: [UInt8], size: [Int]?
  ) {
    let image = Self.zeros(12) + Array(chunk.utf8) + content
    #expect(image.count == 30)
    #expect(Self.size(.webp, image) == size)
    #expect(Self.size(.webp, image.dropLast()) == nil)
  }

  @Test func `other formats tell no size here`() {
    #expect(Self.size(.ico, [UInt8](repeating: 1, count: 100)) == nil)
  }
}
