import ArchiverCore

/// Entities declared in the document type of an XML document, as Illustrator uses for namespaces and
/// styles, and books for quotation marks.
///
/// They are replaced by their text, and the document type is removed: a parser with entity
/// replacement enabled would read files for external entities, which are replaced by nothing.
package enum XMLEntities {
  /// The maximum size of the result in bytes.
  private static let most = 20 << 20
  private static let longestValue = 64 << 10

  /// Returns the document without its document type; unchanged if that declares no entity, `nil` if
  /// the result or one of the entities would be too long.
  package static func expanded(_ bytes: [UInt8]) -> [UInt8]? {
    guard let begin = bytes.firstIndex(of: "<!DOCTYPE"),
      let end = bytes.firstIndex(of: "]>", from: begin),
      let first = bytes.firstIndex(of: "<!ENTITY", from: begin), first < end
    else { return bytes }
    guard let entities = declared(in: bytes[first..<end]),
      let rest = replaced(bytes[(end + 2)...], entities)
    else { return nil }
    return bytes[..<begin] + rest
  }

  /// Returns entities by name, external ones as empty; values have earlier entities replaced. Returns
  /// `nil` if a value is too long.
  private static func declared(in subset: ArraySlice<UInt8>) -> [[UInt8]: [UInt8]]? {
    var entities: [[UInt8]: [UInt8]] = [:]
    var rest = subset
    while let begin = rest.firstIndex(of: 0x3C), entities.count < 1_000 {
      rest = rest[begin...].dropFirst()
      guard rest.starts(with: "!ENTITY".utf8) else { continue }
      rest = rest.dropFirst(7).drop(while: TextByte.isSpace)
      let name = Array(rest.prefix { !TextByte.isSpace($0) && $0 != 0x3E })
      rest = rest.dropFirst(name.count).drop(while: TextByte.isSpace)
      if rest.starts(with: "SYSTEM".utf8) || rest.starts(with: "PUBLIC".utf8) {
        entities[name] = entities[name] ?? []
        continue
      }
      // Parameter entities and other forms are not replaced.
      guard let quote = rest.first, quote == 0x22 || quote == 0x27, !name.isEmpty,
        let end = rest.dropFirst().firstIndex(of: quote)
      else { continue }
      guard let value = replaced(rest[(rest.startIndex + 1)..<end], entities),
        value.count <= longestValue
      else { return nil }
      entities[name] = entities[name] ?? value
      rest = rest[end...]
    }
    return entities
  }

  private static func replaced(
    _ text: ArraySlice<UInt8>, _ entities: [[UInt8]: [UInt8]]
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = text
    while let mark = rest.firstIndex(of: 0x26) {
      result += rest[..<mark]
      rest = rest[mark...]
      let name = rest.dropFirst().prefix(100).prefix { $0 != 0x3B && $0 != 0x26 }
      if rest.indices.contains(name.endIndex), rest[name.endIndex] == 0x3B,
        let value = entities[Array(name)]
      {
        result += value
        rest = rest[(name.endIndex + 1)...]
      } else {
        result.append(0x26)
        rest = rest.dropFirst()
      }
      guard result.count <= most else { return nil }
    }
    result += rest
    return result.count <= most ? result : nil
  }
}
