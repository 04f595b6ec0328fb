/// Comments in the source of a formula: from `%` to the end of the line.
enum TeXComment {
  /// Returns the lines of a source without their comments, joined by spaces. The pair of comments
  /// that hides a script from XML parsers stays.
  static func removed(from source: [UInt8]) -> [UInt8] {
    let lines = source.split { $0 == 0x0A || $0 == 0x0D }.map(withoutComment)
    return Array(lines.joined(separator: [0x20]))
  }

  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var place = line.startIndex
    while place < line.endIndex {
      if line[place] == UInt8(ascii: "%"), !hidesFromXML(line[(place + 1)...]) {
        return line[..<place]
      }
      place += line[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return line
  }

  /// Whether a comment with this text is one of the pair.
  private static func hidesFromXML(_ comment: ArraySlice<UInt8>) -> Bool {
    let text = comment.drop(while: TextByte.isSpace)
    return text.starts(with: "<![CDATA[".utf8) || text.starts(with: "]]>".utf8)
  }
}
