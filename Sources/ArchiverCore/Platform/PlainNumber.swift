/// Numbers as people write them: `2`, not `2.0`.
package enum PlainNumber {
  /// Returns the digits without a fraction that is zero.
  package static func text(_ value: Double) -> String {
    Int(exactly: value).map { String($0) } ?? String(value)
  }

  /// Returns a number without zeros that say nothing; what is no number, or beyond a thousand
  /// million, as it is written.
  package static func text(of written: some StringProtocol) -> String {
    guard let value = Double(written), abs(value) < 1e9 else { return String(written) }
    return text(value)
  }
}
