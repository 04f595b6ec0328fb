import ArchiverCore

/// Which screens the `media` attribute of a picture's source is for.
enum MediaCondition {
  /// Pixels of the screen for which pictures are chosen: a wide one.
  private static let width = 1_280.0
  private static let upperLimits = ["max-width:", "width<=", "width<"]

  /// Whether a wide screen does not meet the condition, which is written without spaces and in lower case.
  static func isForNarrowScreens(_ condition: String) -> Bool {
    // Alternatives are separated by commas: one that fits is enough.
    condition.split(separator: ",").allSatisfy { alternative in
      upperLimits.contains { limit in
        guard let range = alternative.firstRange(of: limit) else { return false }
        return pixels(alternative[range.upperBound...]).map { $0 < width } ?? false
      }
    }
  }

  private static func pixels(_ text: Substring) -> Double? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let isInEms =
      text[digits.endIndex...].hasPrefix("em") || text[digits.endIndex...].hasPrefix("rem")
    return Double(digits).map { isInEms ? $0 * 16 : $0 }
  }
}
