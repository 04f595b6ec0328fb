/// A picture of at most 256 colours.
struct IndexedImage {
  let width: Int
  let height: Int
  /// Packed RGB.
  let palette: [UInt32]
  let indices: [UInt8]

  /// Reduces a painting to 256 colours by median cut over colours of six bits a channel.
  init(_ canvas: Canvas) {
    width = canvas.width
    height = canvas.height
    let histogram = Histogram(canvas.pixels)
    var boxes = [ColorBox(histogram.colors)]
    while boxes.count < 256 {
      let widest = boxes.indices.max { boxes[$0].priority < boxes[$1].priority }
      guard let widest, let (low, high) = boxes[widest].halves else { break }
      boxes[widest] = low
      boxes.append(high)
    }
    palette = boxes.map(\.mean)
    var lookup = histogram.cells
    for (index, box) in boxes.enumerated() {
      for color in box.colors { lookup[color.cell] = Int32(index) }
    }
    indices = canvas.pixels.map { UInt8(lookup[Histogram.cell($0)]) }
  }
}

/// How often each colour of six bits a channel occurs.
private struct Histogram {
  struct Entry {
    let cell: Int
    let count: Int
    /// Red, green and blue, the mean of what fell into the cell.
    let channels: SIMD3<Int32>
  }

  let colors: [Entry]
  let cells: [Int32]

  static func cell(_ pixel: UInt32) -> Int {
    Int(pixel >> 18 & 63) << 12 | Int(pixel >> 10 & 63) << 6 | Int(pixel >> 2 & 63)
  }

  init(_ pixels: [UInt32]) {
    var slots = [Int32](repeating: -1, count: 1 << 18)
    var counts: [Int] = []
    var sums: [SIMD3<Int>] = []
    var used: [Int] = []
    for pixel in pixels {
      let cell = Histogram.cell(pixel)
      var slot = Int(slots[cell])
      if slot < 0 {
        slot = counts.count
        slots[cell] = Int32(slot)
        counts.append(0)
        sums.append(.zero)
        used.append(cell)
      }
      counts[slot] += 1
      sums[slot] &+= SIMD3(Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
    }
    colors = used.indices.map { slot in
      let n = counts[slot]
      return Entry(
        cell: used[slot], count: n,
        channels: SIMD3(
          Int32(sums[slot].x / n), Int32(sums[slot].y / n), Int32(sums[slot].z / n)))
    }
    cells = slots
  }
}

/// A set of neighbouring colours which becomes one of the palette.
private struct ColorBox {
  let colors: [Histogram.Entry]
  private let channel: Int
  /// Rare accents count as much as wide skies: the extent weighs, the area by its fourth root.
  let priority: Double

  init(_ colors: [Histogram.Entry]) {
    self.colors = colors
    var low = SIMD3<Int32>(repeating: 255)
    var high = SIMD3<Int32>(repeating: 0)
    var count = 0
    for color in colors {
      low = pointwiseMin(low, color.channels)
      high = pointwiseMax(high, color.channels)
      count += color.count
    }
    let extent = high &- low
    channel = (0..<3).max { extent[$0] < extent[$1] } ?? 0
    priority =
      colors.count < 2 ? -1 : Double(extent[channel]) * power(Double(count), 0.25)
  }

  var mean: UInt32 {
    var sum = SIMD3<Int>.zero
    var count = 0
    for color in colors {
      count += color.count
      for i in 0..<3 { sum[i] += Int(color.channels[i]) * color.count }
    }
    guard count > 0 else { return 0 }
    return UInt32(sum.x / count) << 16 | UInt32(sum.y / count) << 8 | UInt32(sum.z / count)
  }

  /// The box cut in the middle of its longest side; `nil` when it holds one colour.
  var halves: (ColorBox, ColorBox)? {
    guard colors.count > 1 else { return nil }
    let values = colors.map { $0.channels[channel] }
    guard let least = values.min(), let most = values.max(), least < most else { return nil }
    let middle = (least + most) / 2
    return (
      ColorBox(colors.filter { $0.channels[channel] <= middle }),
      ColorBox(colors.filter { $0.channels[channel] > middle })
    )
  }
}
