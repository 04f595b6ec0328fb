/// Limits the nesting of XML elements: tags beyond the limit are removed, their content stays.
enum FlattenedXML {
  /// Returns the document without tags at a depth of more than `deepest`, where the root has the
  /// depth 1. Only tags are examined, and none in comments and CDATA sections.
  static func bytes(_ xml: [UInt8], deepest: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(xml.count)
    var depth = 0
    var rest = xml[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = end(of: rest) else { break }
      let tag = rest[..<end]
      rest = rest[end...]
      switch kind(of: tag) {
      case .other: result += tag
      case .empty: if depth < deepest { result += tag }
      case .start:
        depth += 1
        if depth <= deepest { result += tag }
      case .end:
        if depth <= deepest { result += tag }
        depth = max(0, depth - 1)
      }
    }
    return result + rest
  }

  private enum Kind {
    case start, end, empty, other
  }

  private static func kind(of tag: ArraySlice<UInt8>) -> Kind {
    switch tag.dropFirst().first {
    case UInt8(ascii: "!"), UInt8(ascii: "?"), nil: .other
    case UInt8(ascii: "/"): .end
    default: tag.suffix(2).first == UInt8(ascii: "/") ? .empty : .start
    }
  }

  /// Returns the end of the tag, comment or section that begins here; `nil` if it is incomplete.
  private static func end(of rest: ArraySlice<UInt8>) -> Int? {
    for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    where rest.starts(with: opening.utf8) {
      return rest.dropFirst(opening.utf8.count).firstRange(of: closing.utf8)?.upperBound
    }
    var quote: UInt8?
    for index in rest.indices {
      let byte = rest[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return nil
  }
}
