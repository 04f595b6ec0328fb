import ArchiverMarkup

/// The unit of a number on a page. The number is stored with its text, so that scripts can rewrite
/// it in another language; sizes only as exactly as they are shown, so that a page stays the same while
/// it reads the same.
enum Quantity {
  case count, bytes
  /// A number that many items add to, such as that of all words. It is rounded as sizes are, so that a
  /// small change of one item leaves it.
  case total

  var attribute: String {
    switch self {
    case .count, .total: "data-n"
    case .bytes: "data-b"
    }
  }
}

extension Quantity {
  /// Rounds a number to what a page shows of it.
  func shown(_ value: Int) -> Int {
    switch self {
    case .count: value
    case .bytes, .total: Quantity.rounded(value)
    }
  }

  /// Rounds a size to what `Words.bytes` shows of it: whole units, tenths below ten.
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
