extension HTMLTokenizer {
  /// Reads the text of a script up to its end tag, a NUL or the end.
  ///
  /// In a comment within the script, `<script` hides the next `</script`.
  mutating func script() -> Token {
    let start = position
    var index = start
    while index < count {
      switch input[index] {
      case 0: return index > start ? text(start, index) : replacement()
      case UInt8(ascii: "<"):
        if escape != .twice, isEndOfRawText(index) {
          if index > start { return text(start, index) }
          return endOfRawText()
        }
        index = angle(index)
      case UInt8(ascii: ">"):
        if escape != .none, index > 1, input[index - 1] == UInt8(ascii: "-"),
          input[index - 2] == UInt8(ascii: "-")
        {
          escape = .none
        }
        index += 1
      default: index += 1
      }
    }
    return index > start ? text(start, index) : .end
  }

  /// Examines a `<` in a script and returns the index at which to continue.
  private mutating func angle(_ index: Int) -> Int {
    switch escape {
    case .none:
      guard hasWord("<!--", at: index) else { return index + 1 }
      escape = .once
      return index + 4
    case .once:
      guard hasWholeWord("<script", at: index) else { return index + 1 }
      escape = .twice
      return index + 8
    case .twice:
      guard hasWholeWord("</script", at: index) else { return index + 1 }
      escape = .once
      return index + 9
    }
  }

  private func hasWholeWord(_ word: StaticString, at index: Int) -> Bool {
    let end = index + word.utf8CodeUnitCount
    return hasWord(word, at: index) && end < count && Self.endsName(input[end])
  }
}
