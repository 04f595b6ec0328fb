/// Rows in aligned columns.
struct TextTable {
  struct Column {
    let heading: String
    /// Numbers stand at the right.
    let isNumber: Bool
    /// May be cut when the rows are wider than the terminal; one column at most.
    let isFlexible: Bool

    init(_ heading: String, isNumber: Bool = false, isFlexible: Bool = false) {
      self.heading = heading
      self.isNumber = isNumber
      self.isFlexible = isFlexible
    }
  }

  let columns: [Column]
  var rows: [[Cell]] = []

  /// A cell's text and what stands before it on a terminal without taking part in its width.
  struct Cell: ExpressibleByStringInterpolation {
    let text: String
    let style: Style?

    init(_ text: String, style: Style? = nil) {
      self.text = text
      self.style = style
    }

    init(stringLiteral value: String) { self.init(value) }
  }

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Returns heading and rows, each line ending in a line feed, without spaces at line ends.
  ///
  /// With `width` the flexible column is cut, but not below 16 columns, so that lines fit.
  func text(width: Int?, styles: Styles) -> String {
    let widths = fitted(to: width)
    let heading = line(
      columns.map { Cell($0.heading, style: .dim) }, widths: widths, styles: styles)
    return rows.reduce(heading) { $0 + line($1, widths: widths, styles: styles) }
  }

  private func fitted(to width: Int?) -> [Int] {
    var widths = columns.enumerated().map { index, column in
      rows.reduce(TextWidth.of(column.heading)) { max($0, TextWidth.of($1[index].text)) }
    }
    if let width, let flexible = columns.firstIndex(where: \.isFlexible) {
      let excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
      if excess > 0 { widths[flexible] = min(widths[flexible], max(16, widths[flexible] - excess)) }
    }
    return widths
  }

  private func line(_ cells: [Cell], widths: [Int], styles: Styles) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() {
      let text = TextWidth.truncate(cell.text, to: widths[index], ellipsis: styles.ellipsis)
      let isLast = index == cells.count - 1 && !columns[index].isNumber
      let padded =
        isLast ? text : TextWidth.pad(text, to: widths[index], atStart: columns[index].isNumber)
      parts.append(cell.style.map { styles.apply($0, padded) } ?? padded)
    }
    return parts.joined(separator: "  ").trimmingSuffix { $0 == " " } + "\n"
  }
}
