/// Writes PNG with a palette (RFC 2083); the data in one deflate block.
enum PNGEncoder {
  static func encode(_ image: IndexedImage) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk(
      "IHDR", bigEndian(UInt32(image.width)) + bigEndian(UInt32(image.height)) + [8, 3, 0, 0, 0])
    var palette: [UInt8] = []
    for color in image.palette {
      palette += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
    }
    file += chunk("PLTE", palette)
    var rows: [UInt8] = []
    rows.reserveCapacity((image.width + 1) * image.height)
    for row in 0..<image.height {
      rows.append(0)
      rows += image.indices[row * image.width..<(row + 1) * image.width]
    }
    return file + chunk("IDAT", Deflater.zlib(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(Checksum.crc32(body))
  }
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}

enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    return ~bytes.reduce(0xFFFF_FFFF as UInt32) { table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }
}
