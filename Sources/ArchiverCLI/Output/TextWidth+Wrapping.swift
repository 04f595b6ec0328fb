extension TextWidth {
  /// Breaks text at spaces, and between the wide characters of scripts without spaces, into lines
  /// of at most `width` columns, each after `indent` spaces. Escape sequences for colours take none.
  /// Without a width the text stays a single line.
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

  /// Cuts a word where a line may end: beside wide characters, but not before marks that close
  /// something and not behind those that open it.
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
