import ArchiverMarkup
import Testing

/// Ids, references and required attributes in the drawings of a book.
@Suite struct BookDrawingReferenceTests {
  private static let start =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\">"

  /// Returns the content of the valid copy; `nil` if the drawing needs no change.
  private static func written(_ inner: String) -> String? {
    BookDrawing.make(Array("\(start)\(inner)</svg>".utf8)).map { bytes in
      String(text(bytes).dropFirst(start.count).dropLast("</svg>\n".count))
    }
  }

  @Test(
    arguments: [
      // Ids below an element with an id are found as well.
      ("<g id=\"a\"><g id=\"1\"/></g>", "<g id=\"a\"><g id=\"_1\"/></g>"),
      ("<g id=\"1\"/><g id=\"1\"/>", "<g id=\"_1\"/><g/>"),
      (
        "<mask id=\"a b\"/><g mask=\"url(#a%20b)\"/>",
        "<mask id=\"_a_b\"/><g mask=\"url(#_a_b)\"/>"
      ),
      (
        "<mask id=\"1\"/><g style=\"mask:url('#1')\"/>",
        "<mask id=\"_1\"/><g style=\"mask:url('#_1')\"/>"
      ),
      (
        "<g fill=\"url('#no')\" stroke=\"url( &quot;#no&quot; )  blue\"/>",
        "<g fill=\"none\" stroke=\"blue\"/>"
      ),
      ("<g id=\"1\"/><g filter=\"url(#no) x\"/>", "<g id=\"_1\"/><g/>"),
    ] as [(String, String)])
  func `ids become names and references follow them`(inner: String, expected: String) {
    #expect(Self.written(inner) == expected)
    #expect(Self.written(expected) == nil, "valid")
  }

  @Test(
    arguments: [
      // An escape has at most six digits, and the space behind them is a part of it.
      (#"#\000031a{fill:red}"#, "1a", "#_1a{fill:red}"), (#"#\31 a{}"#, "1a", "#_1a{}"),
      (#"#\31{}"#, "1", "#_1{}"), (#"#a\:b-1{}"#, "a:b-1", "#_a_b-1{}"),
      (#"#a\:b .c{}"#, "a:b", "#_a_b .c{}"), ("g{mask:url('#1')}", "1", "g{mask:url('#_1')}"),
      // What begins with a digit is a colour, even if an element has such an id.
      ("g{fill:#1ab}", "1ab", "g{fill:#1ab}"),
      ("g{fill:#0;stroke:#9}", "9", "g{fill:#0;stroke:#9}"),
    ] as [(String, String, String)])
  func `selectors of a style sheet follow the ids`(sheet: String, id: String, expected: String) {
    let name = "_" + id.replacing(":", with: "_")
    #expect(
      Self.written("<style>\(sheet)</style><g id=\"\(id)\"/>")
        == "<style>\(expected)</style><g id=\"\(name)\"/>")
  }

  @Test(
    arguments: [
      ("<ellipse rx=\"2\"/>", "<ellipse rx=\"2\" ry=\"2\"/>"),
      ("<ellipse/>", "<ellipse rx=\"0\" ry=\"0\"/>"),
      ("<polygon/><polyline/>", "<polygon points=\"\"/><polyline points=\"\"/>"),
      ("<rect height=\"1\"/>", "<rect height=\"1\" width=\"0\"/>"),
      (
        "<svg version=\"1.0\"/><svg version=\"1.2\"/><svg version=\"\"/>",
        "<svg version=\"1.0\"/><svg version=\"1.2\"/><svg/>"
      ),
    ] as [(String, String)])
  func `a shape has the attributes that it needs`(inner: String, expected: String) {
    #expect(Self.written(inner) == expected)
    #expect(Self.written(expected) == nil, "valid")
  }

  @Test(
    arguments: [
      // A group is not text, not even within text.
      ("<text>b<g>c</g></text>", "<text>b<g/></text>"),
      ("<line><g/></line>", "<line/>"),
      (
        "<rect width=\"1\" height=\"1\"><desc>d</desc><g/></rect>",
        "<rect width=\"1\" height=\"1\"><desc>d</desc></rect>"
      ),
      ("<desc>a</desc>b<textPath>c</textPath>", "<desc>a</desc><textPath>c</textPath>"),
    ] as [(String, String)])
  func `what is not drawn is left out`(inner: String, expected: String) {
    #expect(Self.written(inner) == expected)
    #expect(Self.written(expected) == nil, "valid")
  }

  @Test(arguments: [
    "<stop offset=\"0\"><g/></stop>", "<line/>", "<g fill=\"url(#no\"/>", "<g fill=\"url(no)\"/>",
    "<a href=\"x\"/>", "<g> <g/>\n</g>", "<g version=\"2\"/>", "<title>a</title>", "",
  ])
  func `a drawing that is valid needs no copy`(inner: String) {
    #expect(Self.written(inner) == nil)
  }
}
