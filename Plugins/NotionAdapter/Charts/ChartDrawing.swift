import ArchiverCore
import ArchiverMarkup

/// Draws a chart as SVG in colours that are readable on light and dark backgrounds. A table beside
/// it has the numbers.
struct ChartDrawing {
  let content: ChartContent
  /// The accessible name of the chart.
  let title: String

  /// The maximum number of groups drawn; the table has all.
  static let most = 60

  // Small, so that the text of 13 units is readable when a phone or a part of a dashboard shows the
  // drawing at 300 pixels.
  private static let width = 360.0
  private static let height = 220.0
  /// The average width of a Latin letter.
  private static let letter = 7.0
  private static let ink = "#85837d"
  private static let palette = [
    "blue", "orange", "green", "purple", "yellow", "red", "pink", "brown", "gray",
  ]
  private static let colors = [
    "gray": "#8f8d87", "brown": "#a8714f", "orange": "#d9822b", "yellow": "#c9a227",
    "green": "#4f9a6e", "blue": "#3f86c6", "purple": "#9467c4", "pink": "#c75d9a", "red": "#d1584f",
  ]

  private var categories: ArraySlice<ChartContent.Category> {
    content.categories.prefix(ChartDrawing.most)
  }

  private func color(_ name: String?, _ index: Int) -> String {
    let palette = ChartDrawing.palette
    return ChartDrawing.colors[name ?? palette[index % palette.count]] ?? ChartDrawing.ink
  }

  func write(to html: inout HTMLWriter) {
    switch content.kind {
    case "donut": donut(&html)
    case "line": line(&html)
    case "bar": bars(&html)
    default: columns(&html)
    }
  }

  /// Draws into an area of `height`; the names of the series are below it if there are several.
  private func picture(
    _ height: Double, _ html: inout HTMLWriter, _ draw: (inout HTMLWriter) -> Void
  ) {
    let legend =
      content.series.count > 1 && content.kind != "donut" ? legendPlaces(below: height) : []
    let whole = legend.last.map { $0.y + 10 } ?? height
    html.element(
      "svg",
      [
        "viewBox": "0 0 \(ChartDrawing.number(ChartDrawing.width)) \(ChartDrawing.number(whole))",
        "width": ChartDrawing.number(ChartDrawing.width),
        "height": ChartDrawing.number(whole), "role": "img", "aria-label": title,
        "font-family": "sans-serif", "font-size": "13",
      ]
    ) { html in
      draw(&html)
      for (index, place) in legend.enumerated() {
        let series = content.series[index]
        rectangle(place.x, place.y - 10, 12, 12, color(series.color, index), &html)
        words(short(series.title, 24), place.x + 18, place.y, anchor: "start", &html)
      }
    }
  }

  /// Returns the places of the series' names in lines as wide as the drawing.
  private func legendPlaces(below height: Double) -> [(x: Double, y: Double)] {
    var (x, y) = (10.0, height + 14)
    return content.series.prefix(ChartDrawing.most).map { series in
      let width = 18 + ChartDrawing.width(of: short(series.title, 24)) + 14
      if x > 10, x + width > ChartDrawing.width { (x, y) = (10, y + 20) }
      defer { x += width }
      return (x, y)
    }
  }

  /// Estimates the width of a text; characters of East Asian scripts are twice as wide.
  private static func width(of text: String) -> Double {
    text.reduce(0) { sum, character in
      sum + (character.unicodeScalars.contains { $0.value >= 0x1100 } ? 13 : letter)
    }
  }

  /// Shortens a text to a width.
  private func fitting(_ text: String, _ width: Double) -> String {
    guard ChartDrawing.width(of: text) > width else { return text }
    var room = width - 10
    let kept = text.prefix { character in
      room -= ChartDrawing.width(of: String(character))
      return room >= 0
    }
    return (kept.isEmpty ? text.prefix(1) : kept) + "…"
  }

  private static func number(_ value: Double) -> String {
    PlainNumber.text((value * 10).rounded() / 10)
  }

  private func words(
    _ text: String, _ x: Double, _ y: Double, anchor: String = "middle", _ html: inout HTMLWriter
  ) {
    html.element(
      "text",
      [
        "x": ChartDrawing.number(x), "y": ChartDrawing.number(y), "text-anchor": anchor,
        "fill": ChartDrawing.ink,
      ], text: text)
  }

  private func short(_ text: String, _ most: Int) -> String {
    text.count > most ? text.prefix(most - 1) + "…" : text
  }

  private func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: String,
    _ html: inout HTMLWriter
  ) {
    html.element(
      "rect",
      [
        "x": ChartDrawing.number(x), "y": ChartDrawing.number(y),
        "width": ChartDrawing.number(max(width, 0)), "height": ChartDrawing.number(max(height, 0)),
        "fill": color,
      ]
    ) { _ in }
  }

  /// The lowest and highest total including zero, never equal.
  private var bounds: (low: Double, high: Double) {
    var (low, high) = (0.0, 0.0)
    for category in categories {
      let numbers = category.values.map(\.number)
      high = max(high, numbers.filter { $0 > 0 }.reduce(0, +))
      low = min(low, numbers.filter { $0 < 0 }.reduce(0, +))
    }
    let most = Double.greatestFiniteMagnitude
    (low, high) = (max(low, -most), min(high, most))
    return high > low ? (low, high) : (low, low + 1)
  }

  /// Returns the relative position of a value between two others, from 0 to 1.
  private func ratio(_ value: Double, _ low: Double, _ high: Double) -> Double {
    let ratio = (value / 2 - low / 2) / (high / 2 - low / 2)
    return ratio.isNaN ? 0 : min(1, max(0, ratio))
  }

  private func color(of category: Int, part: Int) -> String {
    content.series.count > 1
      ? color(content.series[part].color, part)
      : color(
        content.categories[category].color, content.categories[category].color == nil ? 0 : category
      )
  }

  private func columns(_ html: inout HTMLWriter) {
    let (low, high) = bounds
    let base = ChartDrawing.height - 34
    func place(_ value: Double) -> Double { base - ratio(value, low, high) * (base - 22) }
    let step = (ChartDrawing.width - 20) / Double(max(1, categories.count))
    let every = max(1, (categories.count + 5) / 6)
    picture(ChartDrawing.height, &html) { html in
      rectangle(10, place(0), ChartDrawing.width - 20, 1, ChartDrawing.ink, &html)
      for (index, category) in categories.enumerated() {
        let x = 10 + Double(index) * step
        var (above, below) = (0.0, 0.0)
        for (part, value) in category.values.enumerated() where value.number.isFinite {
          let start = value.number < 0 ? below : above
          let end = start + value.number
          if value.number < 0 { below = end } else { above = end }
          let top = place(max(start, end))
          rectangle(
            x + step * 0.14, top, step * 0.72, place(min(start, end)) - top,
            color(of: index, part: part), &html)
        }
        if categories.count <= 6, category.values.count == 1 {
          words(fitting(category.values[0].text, step + 8), x + step / 2, place(above) - 5, &html)
        }
        guard index % every == 0 else { continue }
        let label = fitting(category.title, step * Double(every) - 4)
        words(label, x + step / 2, ChartDrawing.height - 12, &html)
      }
    }
  }

  private func bars(_ html: inout HTMLWriter) {
    let (low, high) = bounds
    let (left, right) = (110.0, ChartDrawing.width - 76)
    func place(_ value: Double) -> Double { left + ratio(value, low, high) * (right - left) }
    picture(Double(categories.count) * 26 + 12, &html) { html in
      for (index, category) in categories.enumerated() {
        let y = 6 + Double(index) * 26
        words(fitting(category.title, left - 8), left - 8, y + 16, anchor: "end", &html)
        var (above, below) = (0.0, 0.0)
        for (part, value) in category.values.enumerated() where value.number.isFinite {
          let start = value.number < 0 ? below : above
          let end = start + value.number
          if value.number < 0 { below = end } else { above = end }
          let first = place(min(start, end))
          rectangle(
            first, y + 3, place(max(start, end)) - first, 19, color(of: index, part: part), &html)
        }
        guard category.values.count == 1 else { continue }
        words(
          fitting(category.values[0].text, 70), place(above) + 6, y + 16, anchor: "start", &html)
      }
    }
  }

  private func line(_ html: inout HTMLWriter) {
    let numbers = categories.flatMap { $0.values.map(\.number) }.filter(\.isFinite)
    let low = min(0, numbers.min() ?? 0)
    let top = max(0, numbers.max() ?? 0)
    let high = top > low ? top : low + 1
    let base = ChartDrawing.height - 34
    func place(_ value: Double) -> Double { base - ratio(value, low, high) * (base - 22) }
    let step = (ChartDrawing.width - 60) / Double(max(1, categories.count - 1))
    func x(_ index: Int) -> Double { 30 + Double(index) * step }
    picture(ChartDrawing.height, &html) { html in
      rectangle(10, place(0), ChartDrawing.width - 20, 1, ChartDrawing.ink, &html)
      for part in content.series.indices {
        // Infinite values and NaN are not drawn; the table has them.
        let points = categories.enumerated().compactMap { index, category in
          let value = category.values[part].number
          return value.isFinite ? (x(index), place(value)) : nil
        }
        drawLine(points, color(content.series[part].color, part), &html)
      }
      let every = max(1, (categories.count + 3) / 4)
      for (index, category) in categories.enumerated() where index % every == 0 {
        let room = (index == 0 || index == categories.count - 1 ? 0.5 : 1) * step * Double(every)
        label(fitting(category.title, max(60, room)), x(index), ChartDrawing.height - 12, &html)
        if content.series.count == 1, category.values[0].number.isFinite {
          let y = place(category.values[0].number)
          // Below a point from which the line rises on both sides.
          let isLowest = [index - 1, index + 1].allSatisfy { next in
            !categories.indices.contains(next) || place(categories[next].values[0].number) < y
          }
          let isBelow = isLowest && y + 20 < base
          label(
            fitting(category.values[0].text, max(60, room)), x(index), isBelow ? y + 19 : y - 9,
            &html)
        }
      }
    }
  }

  private func drawLine(
    _ points: [(x: Double, y: Double)], _ color: String, _ html: inout HTMLWriter
  ) {
    let texts = points.map { "\(ChartDrawing.number($0.x)),\(ChartDrawing.number($0.y))" }
    html.element(
      "polyline",
      [
        "points": texts.joined(separator: " "), "fill": "none", "stroke-width": "2.5",
        "stroke": color,
      ]
    ) { _ in }
    guard points.count <= 20 else { return }
    for point in points {
      html.element(
        "circle",
        [
          "cx": ChartDrawing.number(point.x), "cy": ChartDrawing.number(point.y), "r": "3.5",
          "fill": color,
        ]
      ) { _ in }
    }
  }

  /// Writes words centred at `x`, but inside the drawing.
  private func label(_ text: String, _ x: Double, _ y: Double, _ html: inout HTMLWriter) {
    let half = ChartDrawing.width(of: text) / 2
    if x - half < 2 {
      words(text, 2, y, anchor: "start", &html)
    } else if x + half > ChartDrawing.width - 2 {
      words(text, ChartDrawing.width - 2, y, anchor: "end", &html)
    } else {
      words(text, x, y, &html)
    }
  }

  /// The rings are dashes of a circle with the circumference 100.
  private func donut(_ html: inout HTMLWriter) {
    let most = categories.map(\.total).filter { $0.isFinite && $0 > 0 }.max() ?? 1
    let totals = categories.map { $0.total.isFinite ? max(0, $0.total / most) : 0 }
    let sum = totals.reduce(0, +)
    picture(max(180, Double(categories.count) * 20 + 20), &html) { html in
      html.element("g", ["transform": "translate(82 90) scale(4) rotate(-90)"]) { html in
        var start = 0.0
        for (index, total) in totals.enumerated() where sum > 0 {
          let share = total / sum * 100
          html.element(
            "circle",
            [
              "r": "15.9155", "fill": "none", "stroke-width": "7",
              "stroke": color(content.categories[index].color, index),
              "stroke-dasharray": "\(ChartDrawing.fine(share)) \(ChartDrawing.fine(100 - share))",
              "stroke-dashoffset": ChartDrawing.fine(-start),
            ]
          ) { _ in }
          start += share
        }
      }
      for (index, category) in categories.enumerated() {
        let y = 20 + Double(index) * 20
        rectangle(176, y - 10, 12, 12, color(category.color, index), &html)
        let share = sum > 0 ? totals[index] / sum * 100 : 0
        let text = "\(fitting(category.title, 100)) · \(ChartDrawing.number(share))%"
        words(text, 194, y, anchor: "start", &html)
      }
    }
  }

  private static func fine(_ value: Double) -> String {
    PlainNumber.text((value * 1_000).rounded() / 1_000)
  }
}
