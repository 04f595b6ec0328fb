import ArchiverMarkup

/// Stacked bars as inline SVG. Each bar has its values as its title; the chart has all as its
/// description.
struct BarChart {
  struct Bar {
    let name: String
    /// One name per source.
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

  func write(_ html: inout HTMLWriter) {
    let most = max(1, bars.map { quantity.shown($0.sum) }.max() ?? 1)
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
        let height = max(1, Int(share * Double(BarChart.height - 6)))
        top -= height
        html.element(
          "rect",
          [
            "class": "bar\(source % 4)", "x": String(x + 3), "y": String(max(0, top)),
            "width": String(BarChart.step - 6), "height": String(height), "rx": "2",
          ]
        ) { _ in }
      }
      let isYear = index == 0 || bars[index - 1].name.prefix(4) != bar.name.prefix(4)
      html.element(
        "text", ["x": String(x + BarChart.step / 2), "y": String(BarChart.height + 14)],
        text: String(bar.name.suffix(2)))
      if isYear {
        html.element(
          "text", ["class": "year", "x": String(x + 3), "y": String(BarChart.height + 29)],
          text: String(bar.name.prefix(4)))
      }
    }
  }

  private func legend(_ html: inout HTMLWriter) {
    guard sources.count > 1 else { return }
    html.element("ul", ["class": "legend"]) { html in
      for (index, source) in sources.enumerated() {
        html.element("li") { html in
          html.element("span", ["class": "swatch bar\(index % 4)", "aria-hidden": "true"]) { _ in }
          html.element("bdi", text: source)
        }
      }
    }
  }
}
