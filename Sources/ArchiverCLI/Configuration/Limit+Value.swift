import ArchiverCore

extension Limit {
  /// Validates a value of the file; the failure describes the accepted values.
  func parse(_ json: JSONValue) -> Result<Int, Option.Value.Expected> {
    let text = json.string ?? json.integer.map { String($0) } ?? ""
    let number: Int? =
      switch unit {
      case .bytes: Quantity.bytes(text)
      case .seconds: Quantity.duration(text).map { Int($0 / .seconds(1)) }
      case .count: json.integer
      }
    guard let number, range.contains(number) else {
      return .failure(Option.Value.Expected(expectation))
    }
    return .success(number)
  }

  /// Returns a value as in the file, quoted if necessary.
  func literal(_ value: Int) -> String {
    unit == .count ? text(value) : "\"\(text(value))\""
  }

  private var expectation: String {
    let bounds = "from \(text(range.lowerBound)) to \(text(range.upperBound))"
    return switch unit {
    case .bytes: "a size \(bounds), such as \(literal(standard))"
    case .seconds: "a time \(bounds), such as \(literal(standard))"
    case .count: "a whole number \(bounds)"
    }
  }
}
