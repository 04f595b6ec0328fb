extension TextWidth {
  /// Breaks text into lines of at most `width` columns, each after `indent` spaces: at spaces, and
  /// between the wide characters of scripts without word spaces. Escape sequences for colours have
  /// no width. Without `width` the text stays a single line.
  static func wrap(_ text: String, width: Int?, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    guard let width else { return margin + text + "\n" }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      for (index, piece) in pieces(word).enumerated() {
        let gap = index == 0 && !line.isEmpty ? " " : ""
        if line.isEmpty || indent + shown(line + gap + piece) <= width {
          line += gap + piece
        } else {
          lines.append(margin + line)
          line = piece
        }
      }
    }
    lines.append(margin + line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Splits a word where a line may be broken: beside wide characters, but not before closing
  /// punctuation and not after opening punctuation.
  private static func pieces(_ word: Substring) -> [String] {
    var pieces: [String] = []
    var last: Character?
    for character in word {
      let mayBreak =
        last.map { last in
          (of(last) == 2 || of(character) == 2)
            && !"，。、；：！？）》」』”’…".contains(character) && !"（《「『“‘".contains(last)
        } ?? true
      if mayBreak { pieces.append("") }
      pieces[pieces.count - 1].append(character)
      last = character
    }
    return pieces
  }
}
