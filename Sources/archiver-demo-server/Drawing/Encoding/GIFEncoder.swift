/// Writes GIF89a with one frame (LZW with variable code length).
enum GIFEncoder {
  static func encode(_ image: IndexedImage) -> [UInt8] {
    var bytes = Array("GIF89a".utf8)
    bytes += [UInt8(image.width & 255), UInt8(image.width >> 8)]
    bytes += [UInt8(image.height & 255), UInt8(image.height >> 8), 0xF7, 0, 0]
    for index in 0..<256 {
      let color = index < image.palette.count ? image.palette[index] : 0
      bytes += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
    }
    bytes += [0x2C, 0, 0, 0, 0, UInt8(image.width & 255), UInt8(image.width >> 8)]
    bytes += [UInt8(image.height & 255), UInt8(image.height >> 8), 0, 8]
    let codes = compress(image.indices)
    var start = 0
    while start < codes.count {
      let count = min(255, codes.count - start)
      bytes.append(UInt8(count))
      bytes += codes[start..<start + count]
      start += count
    }
    return bytes + [0, 0x3B]
  }

  private static func compress(_ indices: [UInt8]) -> [UInt8] {
    let clear = 256
    var writer = BitWriter()
    // Child of a string by its next byte: 4,096 strings times 256 bytes.
    var children = [UInt16](repeating: 0, count: 4096 * 256)
    var next = 258
    var width = 9
    writer.write(clear, bits: width)
    var current = -1
    for byte in indices {
      if current < 0 {
        current = Int(byte)
        continue
      }
      let slot = current << 8 | Int(byte)
      if children[slot] != 0 {
        current = Int(children[slot])
        continue
      }
      writer.write(current, bits: width)
      if next < 4096 {
        children[slot] = UInt16(next)
        if next == 1 << width { width += 1 }
        next += 1
      } else {
        writer.write(clear, bits: width)
        for slot in children.indices { children[slot] = 0 }
        next = 258
        width = 9
      }
      current = Int(byte)
    }
    if current >= 0 { writer.write(current, bits: width) }
    if next == 1 << width, width < 12 { width += 1 }
    writer.write(257, bits: width)
    return writer.finish()
  }
}

/// Packs bits into bytes, least significant first, as GIF and deflate both want.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var count = 0

  mutating func write(_ value: Int, bits: Int) {
    pending |= UInt64(value) << UInt64(count)
    count += bits
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  mutating func finish() -> [UInt8] {
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    pending = 0
    count = 0
    return bytes
  }
}
