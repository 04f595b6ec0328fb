import ArchiverMarkup

/// What a number of a page counts. The number is stored beside its text, for scripts that rewrite
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

  /// Writes the number of the items just named.
  func writeCount(_ count: Int, _ html: inout HTMLWriter) {
    html.element("span", ["class": "count", "data-n": String(count)], text: number(count))
  }
}
