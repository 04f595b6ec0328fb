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

  private static let width = 480.0
  private static let height = 260.0
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

  private func picture(
    _ height: Double, _ html: inout HTMLWriter, _ draw: (inout HTMLWriter) -> Void
  ) {
    html.element(
      "svg",
      [
        "viewBox": "0 0 480 \(ChartDrawing.number(height))", "width": "480",
        "height": ChartDrawing.number(height), "role": "img", "aria-label": title,
        "font-family": "sans-serif", "font-size": "13",
      ], draw)
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
    let every = max(1, (categories.count + 9) / 10)
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
        if categories.count <= 8, category.values.count == 1 {
          words(short(category.values[0].text, 10), x + step / 2, place(above) - 5, &html)
        }
        guard index % every == 0 else { continue }
        let room = max(3, Int(step * Double(every) / 7))
        words(short(category.title, room), x + step / 2, ChartDrawing.height - 12, &html)
      }
    }
  }

  private func bars(_ html: inout HTMLWriter) {
    let (low, high) = bounds
    let (left, right) = (120.0, ChartDrawing.width - 70)
    func place(_ value: Double) -> Double { left + ratio(value, low, high) * (right - left) }
    picture(Double(categories.count) * 26 + 12, &html) { html in
      for (index, category) in categories.enumerated() {
        let y = 6 + Double(index) * 26
        words(short(category.title, 16), left - 8, y + 16, anchor: "end", &html)
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
        words(short(category.values[0].text, 10), place(above) + 6, y + 16, anchor: "start", &html)
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
    let every = max(1, (categories.count + 5) / 6)
    picture(ChartDrawing.height, &html) { html in
      rectangle(10, place(0), ChartDrawing.width - 20, 1, ChartDrawing.ink, &html)
      for part in content.series.indices {
        let points = categories.enumerated().compactMap { index, category -> String? in
          let value = category.values[part].number
          // Infinite values and NaN are not drawn; the table has them.
          guard value.isFinite else { return nil }
          return
            "\(ChartDrawing.number(30 + Double(index) * step)),\(ChartDrawing.number(place(value)))"
        }
        html.element(
          "polyline",
          [
            "points": points.joined(separator: " "), "fill": "none", "stroke-width": "2.5",
            "stroke": color(content.series[part].color, part),
          ]
        ) { _ in }
      }
      for (index, category) in categories.enumerated() where index % every == 0 {
        let x = 30 + Double(index) * step
        words(short(category.title, 9), x, ChartDrawing.height - 12, &html)
        if content.series.count == 1, category.values[0].number.isFinite {
          words(short(category.values[0].text, 10), x, place(category.values[0].number) - 8, &html)
        }
      }
    }
  }

  /// The rings are dashes of a circle with the circumference 100.
  private func donut(_ html: inout HTMLWriter) {
    let most = categories.map(\.total).filter { $0.isFinite && $0 > 0 }.max() ?? 1
    let totals = categories.map { $0.total.isFinite ? max(0, $0.total / most) : 0 }
    let sum = totals.reduce(0, +)
    picture(max(200, Double(categories.count) * 20 + 20), &html) { html in
      html.element("g", ["transform": "translate(100 100) scale(5) rotate(-90)"]) { html in
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
        rectangle(220, y - 10, 12, 12, color(category.color, index), &html)
        let share = sum > 0 ? totals[index] / sum * 100 : 0
        let text = "\(short(category.title, 26)) · \(ChartDrawing.number(share))%"
        words(text, 240, y, anchor: "start", &html)
      }
    }
  }

  private static func fine(_ value: Double) -> String {
    PlainNumber.text((value * 1_000).rounded() / 1_000)
  }
}
