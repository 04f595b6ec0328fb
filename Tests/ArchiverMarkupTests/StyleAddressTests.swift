import Testing

@testable import ArchiverMarkup

/// Backgrounds, lines and limits of inline styles.
@Suite struct StyleAddressTests {
  @Test(
    arguments: [
      ("background-image:url(a.png)", "a.png"), ("background:red url( 'a.png' )", "a.png"),
      ("BACKGROUND : URL(a.png), url(b.png)", "a.png"),
      ("background:url(a.png), url(b.png)", "a.png"),
      ("background:url(a.png);background-image:url(b.png)", "b.png"),
      ("background:url(a.png);background:none", nil), ("fill:url(a.png)", nil),
      ("mask:url(a.png);background:red", nil), ("background:red", nil), ("url(a.png)", nil),
      ("background:url(\"a;b.png\")", "a;b.png"),
    ] as [(String, String?)])
  func `the background of a style is the first image of the last declaration`(
    style: String, address: String?
  ) {
    #expect(StyleFilter.background(of: style) == address)
  }

  @Test func `the background of a style is found in one of any length`() {
    let data = "data:image/png;base64," + String(repeating: "A", count: 200_000)
    #expect(StyleFilter.background(of: "background:url(\(data))") == data)
    let others = String(repeating: "x:y;", count: 1_000)
    #expect(StyleFilter.background(of: others + "background:url(a)") == "a")
  }

  @Test func `a style that makes a line has less than 4,096 bytes`() {
    func style(_ size: Int) -> String {
      let begin = "display:block;"
      return begin + String(repeating: "x", count: size - begin.utf8.count)
    }
    #expect(StyleFilter.makesLine(style(4_095)))
    #expect(!StyleFilter.makesLine(style(4_096)))
  }

  @Test(
    arguments: [
      ("display:block", true), ("display:list-item", true), ("display:grid", true),
      ("Display : Table !important", true), ("display:table-cell;color:red", true),
      ("display:flow-root", true), ("display:inline-flex", false), ("display:none", false),
      ("display:contents", false), ("float:left;display:block", false),
      ("float:NONE;display:block", true), ("float:left", false), ("display", false), ("", false),
    ] as [(String, Bool)])
  func `a style makes a line by its display`(style: String, isLine: Bool) {
    #expect(StyleFilter.makesLine(style) == isLine)
  }

  @Test(
    arguments: sides(
      of: #"""
        background:rgb(255, 0, 0) => class="tint-red"
        background:hsl(210 90% 40%) => class="tint-blue"
        background:red none => class="tint-red"
        background-color:rgb(255, 0, 0) ! important => class="tint-red"
        background:url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==) => style="background-image:url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==)"
        background:url('a b;c(d).png') => style="background-image:url(https://example.org/dir/a%20b%3Bc%28d%29.png)"
        text-align:left;background:url(a.png) => style="background-image:url(https://example.org/dir/a.png);text-align:left"
        width:9999.5px =>
        """#))
  func `a background becomes a colour of the page or an image`(
    style: String, attribute: String
  ) throws {
    let expected = attribute.isEmpty ? "<p>x</p>" : "<p \(attribute)>x</p>"
    #expect(try canonical("<p style=\"\(style)\">x</p>") == expected)
  }

  @Test(
    arguments: [
      ("pre-wrap", "a\nb", "a<br>b", "a\nb"), ("pre-wrap", "a  \nb", "a<br>b", "a\nb"),
      ("pre-wrap", "a  b", "a\u{A0} b", "a\u{A0} b"), ("pre", "a\tb", "a\u{A0}\u{A0}\u{A0} b", nil),
      ("pre-line", "a  b\n c", "a b<br>c", "a b\nc"), ("preserve-breaks", "a\nb", "a<br>b", "a\nb"),
      ("break-spaces", "a  b", "a\u{A0} b", nil), ("preserve", "a  b", "a\u{A0} b", nil),
      ("nowrap", "a  b", "a b", "a b"), ("collapse", "a  b", "a b", "a b"),
      ("balance", "a  b", "a b", "a b"),
    ] as [(String, String, String, String?)])
  func `white space is kept as its style says`(
    value: String, content: String, expected: String, words: String?
  ) throws {
    let result = try sanitized("<p style='white-space:\(value)'>\(content)</p>")
    #expect(text(result.bytes) == "<p>\(expected)</p>")
    if let words { #expect(result.plainText == words) }
  }

  @Test func `white space between the items of a list is not content`() throws {
    #expect(
      try canonical("<ul style=white-space:pre> <li>a</li>  <li>b</li> </ul>")
        == "<ul><li>a</li><li>b</li></ul>")
  }
}
