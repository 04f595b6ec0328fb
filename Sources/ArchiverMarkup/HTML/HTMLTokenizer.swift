/// The standard's tokenizer. `next` reads one token; the fields hold it until the next call.
///
/// States of the standard that collect one token are loops here; only `content` is kept between
/// tokens. Every byte is examined a constant number of times.
struct HTMLTokenizer: ~Copyable {
  enum Token {
    case startTag, endTag, text, comment, doctype, end
    /// A NUL in text, whose meaning depends on the context.
    case nul
  }

  /// The kind of content between tags.
  enum Content {
    case data, rcdata, rawText, script, plainText, cdata
  }

  /// Whether a script is outside a comment, inside one, or inside a nested script in one.
  enum Escape {
    case none, once, twice
  }

  let input: UnsafeBufferPointer<UInt8>
  var position = 0
  var content = Content.data
  /// The name of the last start tag, whose end tag ends raw text.
  var lastStartTag: Int32 = -1
  /// Whether CDATA sections are permitted, as in foreign content only.
  var allowsCDATA = false
  var names: HTMLNames
  /// Bytes that differ from the input.
  var side: [UInt8] = []

  var name: Int32 = 0
  var tag = HTMLTag.other
  var isSelfClosing = false
  var attributes: [HTMLAttribute] = []
  /// The text, the comment or the name of the doctype.
  var slice = HTMLSlice.empty
  var hasDoctypeName = false
  var publicIdentifier: HTMLSlice?
  var systemIdentifier: HTMLSlice?
  var forcesQuirks = false

  var escape = Escape.none
  /// For each name, the last tag with such an attribute.
  private var lastTag: [Int] = []
  private var tagNumber = 0
  /// The size of the input, because an unsafe pointer has no bounds.
  let count: Int

  init(_ input: UnsafeBufferPointer<UInt8>, names: HTMLNames) {
    self.input = input
    self.names = names
    count = input.count
  }

  mutating func next() -> Token {
    switch content {
    case .data: data()
    case .rcdata, .rawText: rawText()
    case .script: script()
    case .plainText: plainText()
    case .cdata: cdata()
    }
  }

  @inline(__always)
  func byte(_ index: Int) -> UInt8 { index < count ? input[index] : 0 }

  // MARK: Text

  private mutating func data() -> Token {
    while position < count {
      let start = position
      var index = start
      while index < count, !Self.endsText(input[index]) { index += 1 }
      if index > start { return text(start, index) }
      switch input[index] {
      case UInt8(ascii: "&"): return reference()
      case 0: return nul()
      default:
        if let token = markup() { return token }
      }
    }
    return .end
  }

  /// Whether a byte ends a run of text: NUL, `&` and `<` do.
  @inline(__always)
  private static func endsText(_ byte: UInt8) -> Bool {
    byte < 0x40 && (1 << 0x3C | 1 << 0x26 | 1) & (UInt64(1) &<< UInt64(byte)) != 0
  }

  mutating func text(_ start: Int, _ end: Int) -> Token {
    slice = HTMLSlice(start: start, count: end - start)
    position = end
    return .text
  }

  private mutating func nul() -> Token {
    position += 1
    return .nul
  }

  /// Returns U+FFFD in place of a NUL.
  mutating func replacement() -> Token {
    position += 1
    slice = HTMLSlice(start: count + side.count, count: 3)
    side.append(contentsOf: Self.replacementBytes)
    return .text
  }

  static let replacementBytes: [UInt8] = [0xEF, 0xBF, 0xBD]

  private mutating func reference() -> Token {
    let start = count + side.count
    if readReference(inAttribute: false) {
      slice = HTMLSlice(start: start, count: count + side.count - start)
      return .text
    }
    return text(position, position + 1)
  }

  private mutating func rawText() -> Token {
    let isRCDATA = content == .rcdata
    let start = position
    var index = start
    while index < count {
      switch input[index] {
      case 0 where index == start: return replacement()
      case UInt8(ascii: "&") where isRCDATA && index == start: return reference()
      case 0: return text(start, index)
      case UInt8(ascii: "&") where isRCDATA: return text(start, index)
      case UInt8(ascii: "<") where isEndOfRawText(index):
        if index > start { return text(start, index) }
        return endOfRawText()
      default: index += 1
      }
    }
    return index > start ? text(start, index) : .end
  }

  mutating func endOfRawText() -> Token {
    content = .data
    escape = .none
    return readTag(at: position + 2, .endTag)
  }

  /// Whether the end tag for the last start tag begins at an index.
  func isEndOfRawText(_ index: Int) -> Bool {
    guard lastStartTag >= 0, byte(index + 1) == UInt8(ascii: "/") else { return false }
    let end = names.match(lastStartTag, input, at: index + 2)
    return end > 0 && end < count && Self.endsName(input[end])
  }

  private mutating func plainText() -> Token {
    let start = position
    guard start < count else { return .end }
    if input[start] == 0 { return replacement() }
    var index = start
    while index < count, input[index] != 0 { index += 1 }
    return text(start, index)
  }

  private mutating func cdata() -> Token {
    let start = position
    var index = start
    while index < count {
      if input[index] == 0 { return index > start ? text(start, index) : nul() }
      if input[index] == UInt8(ascii: "]"), byte(index + 1) == UInt8(ascii: "]"),
        byte(index + 2) == UInt8(ascii: ">")
      {
        content = .data
        let token = text(start, index)
        position = index + 3
        return index == start ? next() : token
      }
      index += 1
    }
    return index > start ? text(start, index) : .end
  }

  // MARK: Helpers

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0C
  }

  static func endsName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Begins a tag, whose attributes are compared with each other only.
  mutating func beginTag() {
    tagNumber += 1
    attributes.removeAll(keepingCapacity: true)
    isSelfClosing = false
  }

  /// Adds an attribute unless the tag has one of that name.
  mutating func add(_ name: Int32, _ value: HTMLSlice) {
    let index = Int(name)
    while lastTag.count <= index {
      lastTag.append(contentsOf: repeatElement(0, count: max(64, names.count - lastTag.count)))
    }
    guard lastTag[index] != tagNumber else { return }
    lastTag[index] = tagNumber
    attributes.append(HTMLAttribute(name: name, value: value))
  }
}
