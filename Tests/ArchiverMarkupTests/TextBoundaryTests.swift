import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// The parts of which text and markup are made: bytes, escapes, patterns and trees.
@Suite struct TextBoundaryTests {
  /// The bytes that have a meaning in text.
  private static let marks: Set<UInt8> = [0x26, 0x3C, 0x3E]

  @Test func `each byte is of the classes that its value makes it`() {
    for byte in UInt8.min...UInt8.max {
      let isSpace = [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte)
      let isControl = byte < 0x20 || byte == 0x7F
      let isMark = Self.marks.contains(byte)
      #expect(TextByte.isSpace(byte) == isSpace, "\(byte)")
      #expect(TextByte.isPlain(byte) == !(isSpace || isControl || isMark), "\(byte)")
      #expect(TextByte.isEscapedInValue(byte) == (isControl || isMark || byte == 0x22), "\(byte)")
    }
  }

  @Test func `text has no control characters but white space`() {
    var bytes: [UInt8] = []
    for byte in UInt8(0)...0x40 { bytes.appendEscapedText(byte) }
    bytes.appendEscapedText(0x7F)
    let signs = (UInt8(0x20)...0x40).map { text([$0]) }.joined()
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    // A carriage return is left out, as parsers make a line feed of it.
    #expect(text(bytes) == "\t\n" + signs)
  }

  @Test(arguments: ["", "a", "a & b", "\"<>&\"", "&amp;", "&x;", "é&", "&&lt;"])
  func `a value that is written is read back`(value: String) {
    var bytes: [UInt8] = []
    bytes.appendEscapedValue(value)
    #expect(!bytes.contains { [0x22, 0x3C, 0x3E].contains($0) })
    #expect(CanonicalValue.decoded(bytes) == value)
  }

  @Test func `an ampersand that begins no escape is itself`() {
    #expect(CanonicalValue.decoded(Array("&x;&amp;lt;&&quot;&".utf8)) == "&x;&lt;&\"&")
  }

  @Test func `control characters of a value become spaces`() {
    var bytes: [UInt8] = []
    bytes.appendAttribute("a", "b\tc\u{0}\u{1F}\u{7F}d\"")
    #expect(text(bytes) == " a=\"b c   d&quot;\"")
  }

  @Test(arguments: [
    ("%41%4a%6F", "AJo"), ("%41b", "Ab"), ("%4", "%4"), ("%", "%"), ("%4g%g4%%41", "%4g%g4%A"),
    ("%C3%A9", "é"), ("%FF", "%FF"), ("a", "a"), ("%30%39%3a", "09:"),
    ("%:0%/0%@0%`0", "%:0%/0%@0%`0"),
  ])
  func `two digits behind a percent sign are a byte`(encoded: String, decoded: String) {
    #expect(PercentEncoding.decoded(encoded) == decoded)
  }

  @Test func `a byte is written with two digits`() {
    #expect(PercentEncoding.decodedBytes("%FF%00") == [0xFF, 0])
    for byte in UInt8.min...UInt8.max {
      #expect(PercentEncoding.decodedBytes(text(PercentEncoding.triplet(byte))) == [byte])
    }
    #expect(text(PercentEncoding.triplet(0xAF)) == "%AF")
  }

  @Test func `the writer escapes text and values, and closes what it opens`() {
    var html = HTMLWriter()
    html.open("ul", attributes: [("class", "a\"b"), ("id", "c")])
    html.element("li", ["title": "<&>\"", "lang": nil, "dir": ""]) { item in
      item.text("\"a\u{1}\t\n\r<&>\u{7F}\u{1F}é")
      item.void("img", attributes: [("src", "a&b")])
      item.void("br")
    }
    html.close("ul")
    html.raw("<hr>")
    html.raw(Array("<p>x".utf8))
    html.element("b", text: "y")
    #expect(
      text(html.bytes)
        == "<ul class=\"a&quot;b\" id=\"c\"><li title=\"&lt;&amp;&gt;&quot;\" dir=\"\">"
        + "\"a\t\n\r&lt;&amp;&gt;é<img src=\"a&amp;b\"><br></li></ul><hr><p>x<b>y</b>")
  }

  private static let words = Pattern("x*")
  private static let either = Pattern("(a)|(b)|(c)")

  private static func ranges(
    _ pattern: Pattern, _ text: String, _ range: Range<Int>? = nil
  ) -> [Range<Int>] {
    var found: [Range<Int>] = []
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      pattern.matches(in: bytes, range: range) { found.append($0.range) }
    }
    return found
  }

  @Test func `a pattern is found at each place, also where it is empty`() {
    #expect(Self.ranges(Self.words, "xxyx") == [0..<2, 2..<2, 3..<4, 4..<4])
    #expect(Self.ranges(Self.either, "axbyc") == [0..<1, 2..<3, 4..<5])
    #expect(Self.ranges(Self.either, "axbyc", 1..<4) == [2..<3])
    #expect(Self.ranges(Self.either, "abc", 1..<2) == [1..<2])
    #expect(Self.ranges(Self.either, "").isEmpty)
  }

  @Test func `a group that takes no part in a match has no range`() {
    var found: [[Range<Int>?]] = []
    Array("ab".utf8).withUnsafeBufferPointer { bytes in
      Self.either.matches(in: bytes) { found.append([$0[0], $0[1], $0[2], $0[3]]) }
    }
    let expected: [[Range<Int>?]] = [[0..<1, 0..<1, nil, nil], [1..<2, nil, 1..<2, nil]]
    #expect(found == expected)
  }

  @Test func `a pattern is in a text or not`() {
    func isFound(_ text: String) -> Bool {
      Array(text.utf8).withUnsafeBufferPointer { Self.either.isFound(in: $0) }
    }
    #expect(isFound("xb"))
    #expect(!isFound("xyz"))
    #expect(!isFound(""))
  }

  @Test func `a tree of content tells its elements and their text in order`() throws {
    let root = try ContentTree.parse(
      Array("a<p class=\" x  y\" id=i>b&amp;<b>c</b></p><i>d</i>e".utf8))
    #expect(root.text == "ab&cde")
    #expect(root.elements.map(\.name) == ["p", "i"])
    let paragraph = try #require(root.elements.first)
    #expect(paragraph.classes == ["x", "y"])
    #expect(paragraph["id"] == "i" && paragraph["none"] == nil)
    #expect(paragraph.children.count == 2, "text that comes in pieces is one")
    var names: [String] = []
    root.forEachInside { names.append($0.name) }
    #expect(names == ["p", "b", "i"])
    #expect(try ContentTree.parse([]).children.isEmpty)
  }
}
