/// Reads the size of an image from its first bytes, incrementally.
///
/// Supports JPEG (ITU T.81 annex B: the frame header follows segments of any length), PNG, GIF,
/// WebP and BMP.
struct PictureSize {
  private(set) var width = 0
  private(set) var height = 0
  private var isOver = false
  /// Bytes not parsed yet, at most a header.
  private var held: [UInt8] = []
  /// The number of remaining bytes of a JPEG segment to skip.
  private var toSkip = 0
  private var isJPEG = false

  private static let headerSize = 32

  /// Whether the image is wider than high, as double pages are; false if the size is unknown.
  var isDouble: Bool { height > 0 && width > height }
  /// Whether it is a strip to scroll through, not a page: more than 2.5 times as high as wide.
  var isStrip: Bool { width > 0 && height > width * 5 / 2 }

  /// Parses the next bytes of the image.
  mutating func feed(_ piece: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    var piece = piece[...]
    if !isJPEG {
      let count = min(piece.count, PictureSize.headerSize - held.count)
      held += piece.prefix(count)
      guard held.count == PictureSize.headerSize else { return }
      guard held.starts(with: [0xFF, 0xD8]) else { return finish(held) }
      isJPEG = true
      held.removeFirst(2)
      piece = piece.dropFirst(count)
    }
    scan(piece)
  }

  /// Skips segments of a JPEG up to its frame header.
  private mutating func scan(_ piece: Slice<UnsafeRawBufferPointer>) {
    var waiting = held[...]
    var piece = piece
    held = []
    while !isOver {
      let skipped = min(toSkip, waiting.count)
      waiting = waiting.dropFirst(skipped)
      toSkip -= skipped
      if toSkip > 0, waiting.isEmpty {
        let more = min(toSkip, piece.count)
        piece = piece.dropFirst(more)
        toSkip -= more
      }
      let lack = 9 - waiting.count
      if toSkip == 0, lack > 0 {
        waiting = Array(waiting + piece.prefix(lack))[...]
        piece = piece.dropFirst(lack)
      }
      guard toSkip == 0, waiting.count >= 9 else { break }
      let bytes = Array(waiting.prefix(9))
      guard bytes[0] == 0xFF else {
        isOver = true
        break
      }
      switch bytes[1] {
      case 0xFF: toSkip = 1
      case 0x01, 0xD0...0xD8: toSkip = 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        height = PictureSize.big(bytes[5..<7])
        width = PictureSize.big(bytes[7..<9])
        isOver = true
      case 0xD9, 0xDA: isOver = true
      default: toSkip = 2 + max(2, PictureSize.big(bytes[2..<4]))
      }
    }
    held = Array(waiting)
  }

  private mutating func finish(_ bytes: [UInt8]) {
    isOver = true
    held = []
    func starts(_ text: String, at place: Int = 0) -> Bool {
      bytes[place...].starts(with: text.utf8)
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      width = PictureSize.big(bytes[16..<20])
      height = PictureSize.big(bytes[20..<24])
    } else if starts("GIF8") {
      width = PictureSize.little(bytes[6..<8])
      height = PictureSize.little(bytes[8..<10])
    } else if starts("BM") {
      width = PictureSize.little(bytes[18..<22])
      // Negative if rows are stored from top to bottom.
      height = abs(Int(Int32(truncatingIfNeeded: PictureSize.little(bytes[22..<26]))))
    } else if starts("RIFF"), starts("VP8X", at: 12) {
      width = PictureSize.little(bytes[24..<27]) + 1
      height = PictureSize.little(bytes[27..<30]) + 1
    } else if starts("RIFF"), starts("VP8L", at: 12) {
      let bits = PictureSize.little(bytes[21..<25])
      width = bits & 0x3FFF + 1
      height = (bits >> 14) & 0x3FFF + 1
    } else if starts("RIFF"), starts("VP8 ", at: 12) {
      width = PictureSize.little(bytes[26..<28]) & 0x3FFF
      height = PictureSize.little(bytes[28..<30]) & 0x3FFF
    }
  }

  private static func big(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
