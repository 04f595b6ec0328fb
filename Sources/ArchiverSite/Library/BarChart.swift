import ArchiverMarkup

/// Stacked bars as inline SVG. Each bar has its sum above it and as its title; the chart's
/// description lists all sums.
struct BarChart {
  struct Bar {
    let name: String
    /// One value per source.
    let values: [Int]

    var sum: Int { values.clampedSum }
  }

  /// The key of the chart's title in `Words.texts`.
  let key: String
  let words: Words
  let quantity: Quantity
  let sources: [String]
  let bars: [Bar]

  private static let height = 160
  private static let step = 24
  /// The maximum number of digits that fit above a bar.
  private static let digitCount = 4

  /// The unit of the numbers above the bars: that of the highest bar; `nil` for counts.
  var unit: String? {
    quantity == .bytes ? Words.byteUnits[Words.byteUnit(of: most)] : nil
  }

  private var most: Int { max(1, bars.map { quantity.shown($0.sum) }.max() ?? 1) }

  func write(_ html: inout HTMLWriter) {
    let most = most
    let width = max(2, bars.count) * BarChart.step
    html.element(
      "div",
      [
        "class": "chart newest", "tabindex": "0", "role": "group", "aria-label": words.text(key),
        "data-label": key,
      ]
    ) { html in
      html.element(
        "svg",
        [
          "viewBox": "0 0 \(width) \(BarChart.height + 34)", "width": String(width),
          "height": String(BarChart.height + 34), "role": "img", "aria-label": description,
          "data-chart": key,
        ]
      ) { html in
        for (index, bar) in bars.enumerated() { write(bar, at: index, most, &html) }
      }
    }
    legend(&html)
  }

  private var description: String {
    words.text(key) + ": "
      + bars.map { "\($0.name): \(words.text($0.sum, quantity))" }.joined(separator: ", ")
  }

  private func write(_ bar: Bar, at index: Int, _ most: Int, _ html: inout HTMLWriter) {
    let x = index * BarChart.step
    html.element("g") { html in
      html.element(
        "title", [quantity.attribute: String(quantity.shown(bar.sum)), "data-p": "\(bar.name): "],
        text: "\(bar.name): \(words.text(bar.sum, quantity))")
      var top = BarChart.height
      for (source, value) in bar.values.enumerated() where value > 0 {
        // Scales by a fraction: the product may exceed the maximum `Int`.
        let share = min(1, Double(quantity.shown(value)) / Double(most))
        let height = max(1, Int(share * Double(BarChart.height - 16)))
        top -= height
        html.element(
          "rect",
          [
            "class": BarChart.color(source), "x": String(x + 3), "y": String(max(0, top)),
            "width": String(BarChart.step - 6), "height": String(height), "rx": "2",
          ]
        ) { _ in }
      }
      if let number = number(bar.sum, most) {
        html.element(
          "text",
          [
            "class": "sum", "x": String(x + BarChart.step / 2), "y": String(max(0, top) - 3),
            "data-n": number.value,
          ], text: number.text)
      }
      let isYear = index == 0 || bars[index - 1].name.prefix(4) != bar.name.prefix(4)
      html.element(
        "text", ["x": String(x + BarChart.step / 2), "y": String(BarChart.height + 14)],
        text: String(bar.name.suffix(2)))
      if isYear {
        // Start the first year's label at the edge, so that it does not overlap the next one after a single month.
        let start = index == 0 ? 0 : x + 3
        html.element(
          "text", ["class": "year", "x": String(start), "y": String(BarChart.height + 29)],
          text: String(bar.name.prefix(4)))
      }
    }
  }

  /// Returns the class of a source's bars, one of eight.
  private static func color(_ source: Int) -> String { "bar\(source % 8)" }

  /// Returns a sum in the unit of the highest one, as data and as text; `nil` if it would be zero or not fit.
  private func number(_ sum: Int, _ most: Int) -> (value: String?, text: String)? {
    let shown = quantity.shown(sum)
    guard quantity == .bytes else {
      let text = String(shown)
      return shown > 0 && text.utf8.count <= BarChart.digitCount ? (nil, text) : nil
    }
    let tenths = Int(
      (Double(shown) / Words.byteSize(of: Words.byteUnit(of: most)) * 10).rounded())
    guard tenths > 0 else { return nil }
    guard tenths < 100, tenths % 10 > 0 else {
      let text = String((tenths + 5) / 10)
      return (nil, text)
    }
    return (
      "\(tenths / 10).\(tenths % 10)", "\(tenths / 10)\(words.numbers.decimal)\(tenths % 10)"
    )
  }

  private func legend(_ html: inout HTMLWriter) {
    guard sources.count > 1 else { return }
    html.element("ul", ["class": "legend"]) { html in
      for (index, source) in sources.enumerated() {
        html.element("li") { html in
          html.element(
            "span", ["class": "swatch \(BarChart.color(index))", "aria-hidden": "true"]
          ) { _ in }
          html.element("bdi", text: source)
        }
      }
    }
  }
}
