/// Rows in aligned columns.
struct TextTable {
  struct Column {
    let heading: String
    /// Whether the column contains numbers, which are aligned to the right.
    let isNumber: Bool
    /// Whether the column may be truncated if the rows are wider than the terminal; at most one column.
    let isFlexible: Bool

    init(_ heading: String, isNumber: Bool = false, isFlexible: Bool = false) {
      self.heading = heading
      self.isNumber = isNumber
      self.isFlexible = isFlexible
    }
  }

  let columns: [Column]
  var rows: [[Cell]] = []

  /// A cell's text and its style, which does not count towards the width.
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
  /// With `width`, the flexible column is truncated to at least 16 columns so that lines fit. If
  /// they still do not, each row becomes a block of lines, and the heading is omitted.
  func text(width: Int?, styles: Styles) -> String {
    let widths = fitted(to: width)
    if let width, columns.contains(where: \.isFlexible),
      widths.reduce(0, +) + 2 * (widths.count - 1) > width
    {
      return rows.reduce("") { $0 + block($1, width: width, styles: styles) }
    }
    let heading = line(
      columns.map { Cell($0.heading, style: .dim) }, widths: widths, styles: styles)
    return rows.reduce(heading) { $0 + line($1, widths: widths, styles: styles) }
  }

  /// Returns the cells of a row on one line, with the flexible cell wrapped below.
  private func block(_ row: [Cell], width: Int, styles: Styles) -> String {
    var head: [(text: String, style: Style?)] = []
    var rest = ""
    for (column, cell) in zip(columns, row) where !cell.text.allSatisfy(\.isWhitespace) {
      if column.isFlexible {
        rest = TextWidth.wrap(cell.text, width: width, indent: 2)
      } else {
        // Without a heading, a bare number needs the name of its column.
        let isBare = column.isNumber && cell.text.allSatisfy(\.isNumber)
        let text = isBare ? "\(column.heading) \(cell.text)" : cell.text
        head.append((text.drop(while: \.isWhitespace).description, cell.style))
      }
    }
    let plain = head.map(\.text).joined(separator: "  ")
    let first =
      TextWidth.of(plain) <= width
      ? head.map { cell in cell.style.map { styles.apply($0, cell.text) } ?? cell.text }
        .joined(separator: "  ") + "\n"
      : TextWidth.wrap(plain, width: width)
    return first + rest
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
