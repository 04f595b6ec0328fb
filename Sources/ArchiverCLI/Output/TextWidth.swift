/// The number of columns that text occupies on a terminal.
///
/// East Asian Wide and Fullwidth characters (Unicode Standard Annex 11) and emoji take two columns,
/// combining marks and format characters none.
enum TextWidth {
  static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value >= 0x20, first.value < 0x7F, scalars.count == 1 { return 1 }
    if scalars.contains(where: { $0.value == 0xFE0F }) || first.properties.isEmojiPresentation {
      return 2
    }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(first.value) ? 2 : 1
    }
  }

  /// Truncates text to at most `columns`, with an ellipsis at the end.
  static func truncate(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
    guard of(text) > columns else { return text }
    let room = columns - of(ellipsis)
    guard room > 0 else { return String(ellipsis.prefix(max(0, columns))) }
    var width = 0
    let kept = text.prefix { character in
      width += of(character)
      return width <= room
    }
    return kept.trimmingSuffix(\.isWhitespace) + ellipsis
  }

  /// Pads text with spaces to `columns`, after it or, with `atStart`, before it.
  static func pad(_ text: String, to columns: Int, atStart: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - of(text)))
    return atStart ? spaces + text : text + spaces
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F1E6...0x1F1FF, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]

  private static func isWide(_ value: UInt32) -> Bool {
    value >= 0x1100 && wide.contains { $0.contains(value) }
  }

  /// Returns the width of a line on a terminal, without escape sequences for colours.
  static func shown(_ line: some StringProtocol) -> Int {
    var isEscape = false
    var width = 0
    for character in line {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { width += TextWidth.of(character) }
      if isEscape, character == "m" { isEscape = false }
    }
    return width
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  var trimmed: String { drop(while: \.isWhitespace).trimmingSuffix(\.isWhitespace) }

  /// Returns the text without the characters at its end for which `isDropped` holds.
  func trimmingSuffix(_ isDropped: (Character) -> Bool) -> String {
    var rest = self[...]
    while let last = rest.last, isDropped(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
