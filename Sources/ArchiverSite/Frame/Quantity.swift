import ArchiverMarkup

/// The unit of a number on a page. The number is stored with its text, so that scripts can rewrite
/// it in another language; sizes only as exactly as they are shown, so that a page stays the same while
/// it reads the same.
enum Quantity {
  case count, bytes

  var attribute: String {
    switch self {
    case .count: "data-n"
    case .bytes: "data-b"
    }
  }
}

extension Quantity {
  /// Rounds a size to what `Words.bytes` shows of it: whole units, tenths below ten.
  static func shown(_ byteCount: Int) -> Int {
    var unit = 1
    while unit < 1_000_000_000_000, Double(byteCount) / Double(unit) >= 999.5 { unit *= 1_000 }
    let isSmall = unit > 1 && Double(byteCount) / Double(unit) < 9.95
    let step = isSmall ? unit / 10 : unit
    let rest = byteCount % step
    return byteCount - rest + (rest >= step - rest ? step : 0)
  }
}

extension Words {
  func text(_ value: Int, _ quantity: Quantity) -> String {
    switch quantity {
    case .count: number(value)
    case .bytes: bytes(value)
    }
  }

  func write(_ value: Int, _ quantity: Quantity, _ html: inout HTMLWriter) {
    let stored = quantity == .bytes ? Quantity.shown(value) : value
    html.element("span", [quantity.attribute: String(stored)], text: text(value, quantity))
  }

  /// Writes the number of the items named before it.
  func writeCount(_ count: Int, _ html: inout HTMLWriter) {
    html.element("span", ["class": "count", "data-n": String(count)], text: number(count))
  }
}
