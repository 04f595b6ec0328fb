import ArchiverCore

/// Inflates seeds to a size at maximum cost: repeatable parts are repeated, variable-length parts
/// extended, and nestable parts nested.
package struct Inflation: Sendable {
  /// Makes one input; all inputs together would exceed the memory.
  package typealias Make = @Sendable () -> [UInt8]

  private static let pieces = [
    "a", "9", " ", "\n", "<b>", "&", "(", "{", "/a", "../", "%20", "http://a/?", "é", "\u{1F600}",
    "\\frac{", "-", ",",
  ]

  /// The approximate size of an input in bytes.
  package let size: Int

  package init(size: Int) {
    self.size = size
  }

  /// Returns the generators of a target's inputs, in a fixed order.
  package func inputs(of target: FuzzTarget) -> [Make] {
    var known: Set<String> = []
    return target.seeds.flatMap { seed -> [Make] in
      let prefix = Array(seed.prefix(target.hasSelector ? 1 : 0))
      let content = Array(seed.dropFirst(prefix.count))
      var inputs = [UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "9"), 0].map {
        byte -> Make in
        { prefix + [UInt8](repeating: byte, count: size) }
      }
      // Anything else than JSON is treated as text.
      if let value = try? JSONDecoder().decode(JSONValue.self, from: Data(content)) {
        inputs += json(value, "\(prefix)", &known) { $0 }.map { make in
          { prefix + Inflation.bytes(make()) }
        }
      } else {
        inputs += text(content).map { make in { prefix + make() } }
      }
      return inputs
    }
  }

  private static func bytes(_ value: JSONValue) -> [UInt8] {
    // A JSON value can always be encoded.
    Array((try? JSONEncoder().encode(value)) ?? Data())
  }

  // Inflates every part of a value; `around` returns the whole value with a changed part. Of parts
  // of the same kind in several positions only one is inflated.
  private func json(
    _ value: JSONValue, _ path: String, _ known: inout Set<String>,
    _ around: @escaping @Sendable (JSONValue) -> JSONValue
  ) -> [@Sendable () -> JSONValue] {
    var makes: [@Sendable () -> JSONValue] = []
    let isNew = known.insert(path).inserted
    if isNew {
      makes.append { around(.array(Array(repeating: .null, count: size / 5))) }
      makes.append { around((0..<400).reduce(.null) { value, _ in .array([value]) }) }
    }
    switch value {
    case .string where isNew:
      for piece in Inflation.pieces {
        makes.append { around(.string(repeated(piece))) }
      }
    case .array(let elements) where !elements.isEmpty:
      let count = max(1, size / max(Inflation.bytes(value).count, 1))
      if isNew {
        makes.append { around(.array((0..<count).flatMap { _ in elements })) }
        makes.append { around(.array((0..<count).flatMap { Inflation.distinct(elements, $0) })) }
      }
      for (index, element) in elements.enumerated() {
        makes += json(element, path + ".#", &known) { part in
          var elements = elements
          elements[index] = part
          return around(.array(elements))
        }
      }
    case .object(let members):
      if isNew {
        makes.append {
          let more = (0..<(size / 16)).map { ("key\($0)", JSONValue.integer($0)) }
          return around(.object(members.merging(more) { old, _ in old }))
        }
      }
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        makes += json(member, "\(path).\(key.prefix(20))", &known) { part in
          around(.object(members.merging([key: part]) { $1 }))
        }
      }
    default: break
    }
    return makes
  }

  /// Returns the elements with distinct ids.
  private static func distinct(_ elements: [JSONValue], _ number: Int) -> [JSONValue] {
    elements.map { element in
      guard case .object(var members) = element, let id = members["id"]?.string else {
        return element
      }
      // The length stays, because ids have a fixed form.
      let digits = String(number + 0x10_0000, radix: 16)
      members["id"] = .string(String(id.dropLast(digits.count)) + digits)
      return .object(members)
    }
  }

  // Inflates each element, text, value and line.
  private func text(_ content: [UInt8]) -> [Make] {
    let parts = MarkupParts(content)
    var makes: [Make] = []
    for element in parts.elements {
      let whole = Array(content[element.range])
      let start = Array(content[element.start])
      makes.append { replacing(element.range, in: content, with: repeated(whole)) }
      makes.append {
        replacing(
          element.start.lowerBound..<element.start.lowerBound, in: content, with: repeated(start))
      }
    }
    for range in parts.texts {
      for piece in Inflation.pieces {
        makes.append { replacing(range, in: content, with: Array(repeated(piece).utf8)) }
      }
    }
    for line in Set(content.split(separator: 0x0A)).sorted(by: { $0.startIndex < $1.startIndex }) {
      makes.append {
        replacing(line.indices, in: content, with: repeated(Array(line) + [0x0A]))
      }
    }
    return makes
  }

  private func replacing(
    _ range: Range<Int>, in content: [UInt8], with piece: [UInt8]
  ) -> [UInt8] {
    content[..<range.lowerBound] + piece + content[range.upperBound...]
  }

  private func repeated(_ piece: String) -> String {
    String(repeating: piece, count: max(1, size / piece.utf8.count))
  }

  private func repeated(_ piece: [UInt8]) -> [UInt8] {
    Array(repeatElement(piece, count: max(1, size / max(piece.count, 1))).joined())
  }
}

/// The ranges of elements, texts and values in well-formed markup.
private struct MarkupParts {
  /// Elements with their end tags, and their start tags.
  private(set) var elements: [(range: Range<Int>, start: Range<Int>)] = []
  private(set) var texts: [Range<Int>] = []

  init(_ content: [UInt8]) {
    var open: [Range<Int>] = []
    var textStart = 0
    var position = 0
    while let less = content[position...].firstIndex(of: UInt8(ascii: "<")) {
      guard let greater = content[less...].firstIndex(of: UInt8(ascii: ">")) else { break }
      if less > textStart, textStart > 0 { texts.append(textStart..<less) }
      let tag = less..<(greater + 1)
      let isEnd = content[less + 1] == UInt8(ascii: "/")
      let isWhole = content[greater - 1] == UInt8(ascii: "/")
      if isEnd {
        if let start = open.popLast() {
          elements.append((range: start.lowerBound..<tag.upperBound, start: start))
        }
      } else if isWhole {
        elements.append((range: tag, start: tag))
      } else if ![UInt8(ascii: "?"), UInt8(ascii: "!")].contains(content[less + 1]) {
        open.append(tag)
      }
      addValues(of: tag, in: content)
      position = greater + 1
      textStart = position
    }
  }

  private mutating func addValues(of tag: Range<Int>, in content: [UInt8]) {
    let quotes = tag.filter { content[$0] == UInt8(ascii: "\"") }
    for index in stride(from: 0, to: quotes.count - 1, by: 2) {
      texts.append((quotes[index] + 1)..<quotes[index + 1])
    }
  }
}
