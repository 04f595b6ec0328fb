/// Makes untrusted text safe to print.
///
/// Titles, URLs and servers' messages may contain escape sequences that move the cursor or set the
/// window's title, line breaks that imitate archiver's own lines, and characters that reverse the
/// direction of the following text. All of these are removed.
enum DisplayText {
  /// Returns the text as one line of at most `limit` characters. Runs of white space become one
  /// space, control and direction characters are removed, and long runs of combining marks are
  /// shortened.
  static func line(_ text: some StringProtocol, limit: Int = 400) -> String {
    if isPlain(text, limit) { return String(text) }
    var result = ""
    var count = 0
    var spaceIsDue = false
    for character in text {
      if character.isWhitespace || character.isNewline {
        spaceIsDue = !result.isEmpty
        continue
      }
      let safe = cleaned(character)
      if safe.isEmpty { continue }
      if count >= limit { return result + "…" }
      if spaceIsDue { result += " " }
      spaceIsDue = false
      result.unicodeScalars.append(contentsOf: safe)
      count += 1
    }
    return result
  }

  /// Whether a text can be printed unchanged: printable ASCII with single spaces between words,
  /// which is the usual case.
  private static func isPlain(_ text: some StringProtocol, _ limit: Int) -> Bool {
    let space = UInt8(ascii: " ")
    var previous = space
    var count = 0
    for byte in text.utf8 {
      guard (0x20..<0x7F).contains(byte), byte != space || previous != space else { return false }
      previous = byte
      count += 1
    }
    return count <= limit && (count == 0 || previous != space)
  }

  /// Returns the title, or the id of an item without one.
  static func title(_ title: String, id: String) -> String {
    let shown = line(title)
    return shown.isEmpty ? line(id) : shown
  }

  private static func cleaned(_ character: Character) -> [Unicode.Scalar] {
    var kept: [Unicode.Scalar] = []
    for scalar in character.unicodeScalars {
      if scalar.value < 0x7F || !isUnsafe(scalar) {
        if scalar.value >= 0x20 { kept.append(scalar) }
      }
      if kept.count == 12 { break }
    }
    // A character of joiners only has nothing to join.
    return kept.allSatisfy { $0.value == 0x200D || $0.value == 0x200C } ? [] : kept
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: scalar.value != 0x200D && scalar.value != 0x200C
    default: false
    }
  }
}
