import ArchiverMarkup

/// The unit of a number on a page. The number is stored with its text, so that scripts can rewrite
/// it in another language. Sizes are stored rounded as they are shown, so that a page's bytes
/// change only if its text does.
enum Quantity {
  case count, bytes
  /// A sum over many items, such as the number of all words. It is rounded like a size, so that a
  /// small change of one item does not change it.
  case total

  var attribute: String {
    switch self {
    case .count, .total: "data-n"
    case .bytes: "data-b"
    }
  }
}

extension Quantity {
  /// Rounds a number as it is shown.
  func shown(_ value: Int) -> Int {
    switch self {
    case .count: value
    case .bytes, .total: Quantity.rounded(value)
    }
  }

  /// Rounds a size as `Words.bytes` shows it: to whole units, or to tenths below ten.
  static func rounded(_ byteCount: Int) -> Int {
    let unit = Int(Words.byteSize(of: Words.byteUnit(of: byteCount)))
    let isSmall = unit > 1 && Double(byteCount) / Double(unit) < 9.95
    let step = isSmall ? unit / 10 : unit
    let rest = byteCount % step
    return byteCount - rest + (rest >= step - rest ? step : 0)
  }
}

extension Words {
  func text(_ value: Int, _ quantity: Quantity) -> String {
    switch quantity {
    case .count, .total: number(quantity.shown(value))
    case .bytes: bytes(value)
    }
  }

  func write(_ value: Int, _ quantity: Quantity, _ html: inout HTMLWriter) {
    html.element(
      "span", [quantity.attribute: String(quantity.shown(value))], text: text(value, quantity))
  }

  /// Writes the number of the items named before it.
  func writeCount(_ count: Int, _ html: inout HTMLWriter) {
    html.element("span", ["class": "count", "data-n": String(count)], text: number(count))
  }
}
