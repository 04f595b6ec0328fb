/// Finds lists and captions that HTML tolerates and the schema of books does not permit: a `dl` that is
/// not a sequence of terms with their definitions, and a `figcaption` that is not the only one at
/// either end of its `figure`. Their elements become `div`.
struct ContentModels {
  /// The range of an element's name in a tag.
  struct Name {
    let start: Int
    let end: Int
  }

  private struct Element {
    let name: String
    let start: Int
    /// The names of its tags and of those below it that would become invalid with it.
    var names: [Name] = []
    var isValid = true
    /// The elements among its children, in a `dl` or `figure`.
    var children: [String] = []
  }

  private var stack: [Element] = []

  /// Records a start tag that is written at an offset.
  mutating func start(_ name: String, at offset: Int) {
    if let parent = stack.indices.last { stack[parent].children.append(name) }
    stack.append(Element(name: name, start: offset))
  }

  /// Records text; text directly in a `dl` makes it invalid.
  mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
    guard let last = stack.indices.last, ["dl", "figure"].contains(stack[last].name),
      !text.allSatisfy(TextByte.isSpace)
    else { return }
    stack[last].children.append("#text")
  }

  /// Records an end tag that is written at an offset; returns the names to replace, last first.
  mutating func end(_ name: String, at offset: Int) -> [Name] {
    guard let element = stack.popLast() else { return [] }
    var own: [Name] {
      [
        Name(start: element.start + 1, end: element.start + 1 + name.utf8.count),
        Name(start: offset + 2, end: offset + 2 + name.utf8.count),
      ]
    }
    switch name {
    case "dt", "dd":
      // Judged with their list; without one they are invalid.
      guard let list = stack.lastIndex(where: { $0.name == "dl" }) else {
        return own.reversed()
      }
      stack[list].names += own
      if list != stack.indices.last { stack[list].isValid = false }
    case "figcaption":
      guard let parent = stack.indices.last, stack[parent].name == "figure" else {
        return own.reversed()
      }
      stack[parent].names += own
    case "dl":
      if !element.isValid || !ContentModels.isList(element.children) {
        return (element.names + own).sorted { $0.start > $1.start }
      }
    case "figure":
      let captions = element.children.indices.filter { element.children[$0] == "figcaption" }
      let isValid =
        captions.count <= 1
        && captions.allSatisfy { $0 == 0 || $0 == element.children.count - 1 }
      if !isValid { return element.names.sorted { $0.start > $1.start } }
    default: break
    }
    return []
  }

  /// Whether these are one or more groups of terms, each with definitions.
  private static func isList(_ children: [String]) -> Bool {
    var hasTerm = false
    var last = ""
    for child in children {
      switch child {
      case "dt": hasTerm = true
      case "dd" where hasTerm: break
      default: return false
      }
      last = child
    }
    return last == "dd"
  }
}

/// Values of `datetime` that the schema of books permits.
enum BookTime {
  private static let form = Pattern(
    #"""
    (?x) ^ (?:
      \d{4,}-\d\d-\d\d (?: [T\x20] \d\d:\d\d (?: :\d\d (?:\.\d{1,3})? )? (?: Z | [+-]\d\d:?\d\d )? )?
      | \d{4,}-\d\d | \d{4,} | \d\d-\d\d | \d\d:\d\d (?: :\d\d (?:\.\d{1,3})? )?
      | \d{4,}-W\d\d
    ) $
    """#)

  /// Returns a value with at most three digits of fractions; `nil` for invalid ones.
  static func valid(_ value: String) -> String? {
    var value = value
    if let point = value.firstIndex(of: ".") {
      let digits = value[value.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
      value = value[..<point] + "." + digits.prefix(3) + value[digits.endIndex...]
    }
    return value.withUTF8 { form.isFound(in: $0) } ? value : nil
  }
}
