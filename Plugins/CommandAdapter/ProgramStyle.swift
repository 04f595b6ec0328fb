/// Validates the style rules that a program supplies for its HTML.
enum ProgramStyle {
  /// Functions, rules and properties by which a style can load or execute something.
  private static let reaching = [
    "url(", "@import", "image-set(", "image(", "src(", "expression(", "behavior:", "-moz-binding",
    "javascript:", "//", "<",
  ]

  /// Whether a style contains no URL, however it is escaped (CSS Syntax 3, 4.3.7), and no tag.
  static func isSelfContained(_ css: String) -> Bool {
    let plain = unescaped(withoutComments(css)).lowercased().filter { !$0.isWhitespace }
    return !reaching.contains { plain.contains($0) }
  }

  private static func withoutComments(_ css: String) -> String {
    var result = ""
    var rest = css[...]
    while let start = rest.firstRange(of: "/*") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
    }
    return result + rest
  }

  private static func unescaped(_ css: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = css.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      let digits = rest.prefix(6).prefix { $0.isASCII && $0.properties.isASCIIHexDigit }
      rest = rest.dropFirst(digits.count)
      if digits.isEmpty {
        // An escaped character is copied.
        if let next = rest.popFirst() { result.append(next) }
      } else {
        if rest.first?.properties.isWhitespace == true { rest = rest.dropFirst() }
        let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
        result.append(value.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}")
      }
    }
    return String(result)
  }
}
