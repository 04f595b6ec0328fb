import ArchiverMarkup

/// The unit of a number on a page. The number is stored with its text, so that scripts can rewrite
/// it in another language.
enum Quantity {
  case count, bytes

  var attribute: String {
    switch self {
    case .count: "data-n"
    case .bytes: "data-b"
    }
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
    html.element("span", [quantity.attribute: String(value)], text: text(value, quantity))
  }

  /// Writes the number of the items named before it.
  func writeCount(_ count: Int, _ html: inout HTMLWriter) {
    html.element("span", ["class": "count", "data-n": String(count)], text: number(count))
  }
}
