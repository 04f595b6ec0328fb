/// Finds what HTML tolerates and the schema of books does not permit, and corrects it:
///
/// - a `dl` that is not a sequence of terms with their definitions: its elements become `div`
/// - a `figcaption` that is not the only one at either end of its `figure`, likewise
/// - `details` without a `summary` of words as their first child, likewise
/// - the parts of a table, which are sorted as browsers show them; a second head or foot is a body
/// - the parentheses of a `ruby`, which are dropped unless they enclose each annotation, and text behind
///   the last annotation, which gets an empty one
struct ContentModels {
  /// The range of an element's name in a tag, with attributes that leave with it.
  private struct Name {
    let start: Int
    let end: Int
  }

  private struct Element {
    let name: String
    let start: Int
    /// The length of attributes behind the name that leave with it.
    let extra: Int
    /// The names of its tags and of those below it that would become invalid with it.
    var names: [Name] = []
    var isValid = true
    /// The elements among its children, in elements whose content is checked.
    var children: [String] = []
    /// The children of a table, and the parentheses of a `ruby`.
    var parts: [Part] = []
  }

  /// A child element.
  private struct Part {
    let name: String
    let start: Int
    /// The offset behind its end tag.
    let end: Int
    let names: [Name]
  }

  private static let checked: Set<String> = ["dl", "figure", "details", "ruby", "rp"]
  /// Elements that a `summary` may not contain.
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figure",
    "footer", "form", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table", "ul",
  ]

  private var stack: [Element] = []
  private var corrections = FragmentCorrections()

  /// Records a start tag that is written at an offset, with the length of attributes behind its name
  /// that leave with the name.
  mutating func start(_ name: String, at offset: Int, extra: Int = 0) {
    if let parent = stack.indices.last { stack[parent].children.append(name) }
    if ContentModels.blocks.contains(name),
      let summary = stack.lastIndex(where: { $0.name == "summary" })
    {
      stack[summary].isValid = false
    }
    stack.append(Element(name: name, start: offset, extra: extra))
  }

  /// Records text; text directly in a `dl` makes it invalid.
  mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
    guard let last = stack.indices.last, ContentModels.checked.contains(stack[last].name),
      !text.allSatisfy(TextByte.isSpace)
    else { return }
    stack[last].children.append("#text")
  }

  /// Records an end tag that is written at an offset.
  mutating func end(_ name: String, at offset: Int) {
    guard let element = stack.popLast() else { return }
    let length = name.utf8.count
    let own = [
      Name(start: element.start + 1, end: element.start + 1 + length + element.extra),
      Name(start: offset + 2, end: offset + 2 + length),
    ]
    if let parent = stack.indices.last,
      stack[parent].name == "table" || (stack[parent].name == "ruby" && name == "rp")
    {
      stack[parent].parts.append(
        Part(name: name, start: element.start, end: offset + length + 3, names: own))
    }
    switch name {
    case "dt", "dd":
      // Judged with their list; without one they are invalid.
      guard let list = stack.lastIndex(where: { $0.name == "dl" }) else { return replace(own) }
      stack[list].names += own
      if list != stack.indices.last { stack[list].isValid = false }
    case "figcaption": judgeWithParent(own, of: "figure")
    case "summary":
      judgeWithParent(own, of: "details")
      if !element.isValid, let parent = stack.indices.last { stack[parent].isValid = false }
    case "dl":
      if !element.isValid || !ContentModels.isList(element.children) {
        replace(element.names + own)
      }
    case "figure":
      let captions = element.children.indices.filter { element.children[$0] == "figcaption" }
      let isValid =
        captions.count <= 1
        && captions.allSatisfy { $0 == 0 || $0 == element.children.count - 1 }
      if !isValid { replace(element.names) }
    case "details":
      let isValid =
        element.isValid && element.children.first == "summary"
        && !element.children.dropFirst().contains("summary")
      if !isValid { replace(element.names + own) }
    case "table": sort(element.parts, end: offset)
    case "rt", "rtc", "rp":
      let isText = element.children.allSatisfy { $0 == "#text" }
      guard let parent = stack.indices.last, ["ruby", "rtc"].contains(stack[parent].name) else {
        return replace(own, by: "span")
      }
      if name == "rp", !isText { stack[parent].isValid = false }
    case "ruby": correct(element, end: offset)
    default: break
    }
  }

  /// Returns what was written with its corrections.
  func corrected(_ bytes: [UInt8]) -> [UInt8] { corrections.applied(to: bytes) }

  private mutating func judgeWithParent(_ names: [Name], of parent: String) {
    guard let last = stack.indices.last, stack[last].name == parent else { return replace(names) }
    stack[last].names += names
  }

  private mutating func replace(_ names: [Name], by name: String = "div") {
    for found in names { corrections.replace(found.start..<found.end, by: name) }
  }

  private mutating func sort(_ parts: [Part], end: Int) {
    var counts: [String: Int] = [:]
    var ranks: [Int] = []
    for part in parts {
      counts[part.name, default: 0] += 1
      let isFurther = counts[part.name] != 1
      switch part.name {
      case "caption": ranks.append(0)
      case "colgroup": ranks.append(1)
      case "thead" where !isFurther: ranks.append(2)
      case "tfoot" where !isFurther: ranks.append(4)
      case "thead", "tfoot":
        replace(part.names, by: "tbody")
        ranks.append(3)
      default: ranks.append(3)
      }
    }
    let order = parts.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    guard !order.elementsEqual(parts.indices) else { return }
    corrections.reorder(
      order.map { index in
        parts[index].start..<(index + 1 < parts.count ? parts[index + 1].start : end)
      })
  }

  private mutating func correct(_ ruby: Element, end: Int) {
    let kinds = ruby.children.map { name -> UInt8 in
      switch name {
      case "rp": UInt8(ascii: "p")
      case "rt", "rtc": UInt8(ascii: "t")
      default: UInt8(ascii: "b")
      }
    }
    let isValid = kinds.withUnsafeBufferPointer { ContentModels.rubyForm.isFound(in: $0) }
    if ruby.isValid, isValid { return }
    for part in ruby.parts { corrections.replace(part.start..<part.end, by: "") }
    if kinds.last(where: { $0 != UInt8(ascii: "p") }) != UInt8(ascii: "t") {
      corrections.replace(end..<end, by: "<rt></rt>")
    }
  }

  /// Of bases, annotations (`t`) and parentheses.
  private static let rubyForm = Pattern("^(?:b*+(?:t++|p(?:tp)++))+$")

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

/// Changes to a finished text. Offsets are those of the text as it was written.
private struct FragmentCorrections {
  private var replacements: [(range: Range<Int>, text: String)] = []
  /// Adjacent ranges in the order in which they are to stand, and all of their text.
  private var orders: [(parts: [Range<Int>], whole: Range<Int>)] = []

  mutating func replace(_ range: Range<Int>, by text: String) {
    replacements.append((range, text))
  }

  mutating func reorder(_ parts: [Range<Int>]) {
    guard let first = parts.map(\.lowerBound).min(), let last = parts.map(\.upperBound).max()
    else { return }
    orders.append((parts, first..<last))
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    if replacements.isEmpty, orders.isEmpty { return bytes }
    var writer = Writer(bytes: bytes)
    writer.replacements = replacements.sorted { $0.range.lowerBound < $1.range.lowerBound }
    // The outermost of those that begin at the same place comes first.
    writer.orders = orders.sorted {
      ($0.whole.lowerBound, -$0.whole.upperBound) < ($1.whole.lowerBound, -$1.whole.upperBound)
    }
    writer.write(0..<bytes.count)
    return writer.output
  }

  private struct Writer {
    let bytes: [UInt8]
    var replacements: [(range: Range<Int>, text: String)] = []
    var orders: [(parts: [Range<Int>], whole: Range<Int>)] = []
    var output: [UInt8] = []

    mutating func write(_ range: Range<Int>) {
      var position = range.lowerBound
      var order = FragmentCorrections.first(orders) { $0.whole.lowerBound >= range.lowerBound }
      while order < orders.count, orders[order].whole.lowerBound < range.upperBound {
        let (parts, whole) = orders[order]
        order += 1
        // Those inside another are written with its parts.
        guard whole.lowerBound >= position, whole.upperBound <= range.upperBound,
          parts.count > 1
        else { continue }
        replace(position..<whole.lowerBound)
        for part in parts { write(part) }
        position = whole.upperBound
      }
      replace(position..<range.upperBound)
    }

    private mutating func replace(_ range: Range<Int>) {
      var position = range.lowerBound
      var next = FragmentCorrections.first(replacements) {
        $0.range.lowerBound >= range.lowerBound
      }
      while next < replacements.count, replacements[next].range.lowerBound < range.upperBound {
        let (found, text) = replacements[next]
        next += 1
        guard found.lowerBound >= position else { continue }
        output += bytes[position..<found.lowerBound]
        output += text.utf8
        position = found.upperBound
      }
      output += bytes[position..<max(position, range.upperBound)]
    }
  }

  /// Returns the index of the first element of a sorted list for which a condition holds.
  private static func first<Element>(
    _ list: [Element], where holds: (Element) -> Bool
  ) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(list[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
