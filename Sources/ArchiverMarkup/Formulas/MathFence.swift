/// The brackets and separators of an `mfenced` element, which no browser draws any more (MathML 3
/// section 3.3.8; MathML Core has no such element). Pages show a row with operators instead.
package struct MathFence: Sendable {
  /// Empty for none.
  package let open: String
  /// Empty for none.
  package let close: String
  private let separators: [Character]

  /// - Parameters:
  ///   - attribute: Returns the value of an attribute; `nil` if it is absent.
  package init(_ attribute: (String) -> String?) {
    func sign(_ name: String, _ ordinary: String) -> String {
      guard let text = attribute(name) else { return ordinary }
      return String(text.filter { !$0.isWhitespace }.prefix(MathFence.longest))
    }
    open = sign("open", "(")
    close = sign("close", ")")
    separators = Array(sign("separators", ","))
  }

  /// The maximum number of characters of each attribute.
  private static let longest = 16

  /// Returns the sign before a child by its number, from 1; `nil` for none. The last separator
  /// repeats.
  package func separator(before child: Int) -> String? {
    guard child > 0, let last = separators.last else { return nil }
    return String(child <= separators.count ? separators[child - 1] : last)
  }
}
