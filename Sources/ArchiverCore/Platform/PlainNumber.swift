/// Numbers without redundant digits: `2`, not `2.0`.
package enum PlainNumber {
  /// Returns the number as text, without a fraction of zero.
  package static func text(_ value: Double) -> String {
    Int(exactly: value).map { String($0) } ?? String(value)
  }

  /// Removes redundant zeros from the text of a number. Returns any other text, and numbers from
  /// 10^9 on, unchanged.
  package static func text(of written: some StringProtocol) -> String {
    guard let value = Double(written), abs(value) < 1e9 else { return String(written) }
    return text(value)
  }
}
