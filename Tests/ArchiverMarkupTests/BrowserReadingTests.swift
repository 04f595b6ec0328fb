import ArchiverMarkup
import Testing

/// Markup of real pages that a page keeps as browsers read it.
@Suite struct BrowserReadingTests {
  @Test(arguments: [
    ("http:\\\\e.org\\a\\b", "http://e.org/a/b"),
    ("images\\a.png", "https://example.org/dir/images/a.png"),
    ("\\\\e.org:8080\\a.png", "https://e.org:8080/a.png"),
    ("//e.org\\a.png", "https://e.org/a.png"),
    ("http:/e.org/x", "http://e.org/x"), ("http:///e.org/x", "http://e.org/x"),
    ("https:/x", "https://example.org/x"), ("https:x", "https://example.org/dir/x"),
    ("x?a\\b", "https://example.org/dir/x?a%5Cb"),
  ])
  func `an address with backslashes or other numbers of slashes leads where browsers go`(
    address: String, expected: String
  ) throws {
    #expect(try canonical("<a href='\(address)'>x</a>").contains("href=\"\(expected)\""))
    #expect(try canonical("<img src='\(address)'>").contains("src=\"\(expected)\""))
  }

  @Test(arguments: ["https:javascript:alert(1)", "C:\\pictures\\a.png", "\\\\", "http:"])
  func `an odd number of slashes makes no other scheme of an address`(address: String) throws {
    let html = try canonical("<a href='\(address)'>x</a>")
    #expect(html == "x" || html.contains("href=\"https://example.org/"), "\(html)")
  }

  @Test(arguments: [
    "background-image: linear-gradient(rgba(0,0,0,.5), rgba(0,0,0,.5)), url(b.png)",
    "background: url('b.png') center / cover, linear-gradient(red, blue)",
    "background-image: -webkit-image-set(url(b.png) 1x, url(c.png) 2x)",
    "background-image: IMAGE-SET( URL( \"b.png\" ) 1x )",
  ])
  func `a background is found among gradients and in a set`(style: String) throws {
    let html = "<div style='\(style.replacing("'", with: "&#39;"))'>x</div>"
    #expect(
      try canonical(html).contains("background-image:url(https://example.org/dir/b.png)"))
  }

  @Test(arguments: ["linear-gradient(red, blue)", "url", "image-set(", "(((("])
  func `a background without an address is none`(value: String) throws {
    #expect(try !canonical("<p style='background-image:\(value)'>x").contains("url("))
  }

  @Test(arguments: [
    ("colspan=2000", "colspan=\"1000\""), ("colspan='3px'", "colspan=\"3\""),
    ("rowspan=99999999999999999999", "rowspan=\"65534\""), ("rowspan=' 0'", "rowspan=\"0\""),
  ])
  func `a cell spans at most as many rows and columns as browsers allow`(
    given: String, kept: String
  ) throws {
    #expect(try canonical("<table><td \(given)>x</table>").contains("<td \(kept)>"))
  }

  @Test(arguments: ["colspan=0", "colspan=-1", "rowspan=x", "colspan="])
  func `a span that is no number is left out`(given: String) throws {
    #expect(try canonical("<table><td \(given)>x</table>").contains("<td>x"))
  }

  @Test(arguments: ["<div>", "<blockquote>", "<ul><li>", "<b><i>"])
  func `links and images are kept however deep they are`(tags: String) throws {
    let html = try canonical(
      String(repeating: tags, count: 600)
        + "<a href=/x>words <img src=a.png alt=A></a><img src=b.png><iframe src=/f></iframe>")
    #expect(
      html.contains("<a href=\"https://example.org/x\" rel=\"noreferrer noopener\">words <img"))
    #expect(html.contains("src=\"https://example.org/dir/a.png\" alt=\"A\""))
    #expect(html.contains("src=\"https://example.org/dir/b.png\""))
    #expect(html.contains("Embedded content: https://example.org/f"))
  }

  @Test func `a link is kept however many inline elements are around it`() throws {
    let html = try canonical(
      (0..<60).map { "<span lang=e\($0)>" }.joined() + "<a href=/x>words</a> <a href=/y>more</a>")
    #expect(
      html.contains("<a href=\"https://example.org/x\" rel=\"noreferrer noopener\">words</a>"))
    #expect(html.contains(">more</a>"))
    #expect(try canonical(html) == html)
  }

  @Test(arguments: [
    ("<a href=about:blank>x</a><a href=file:///etc/passwd>y</a>", 2),
    ("<map name=m><area href=vscode://file/x></map>", 1),
    ("<a href=javascript:x()>x</a><a href='#'>y</a><a>z</a><a href=/x>w</a>", 0),
    (
      "<svg width=200 height=100><a xlink:href=https://e.org/><text>a</text></a>"
        + "<a href='#b'><rect width=9 height=9 /></a></svg>", 1
    ),
  ])
  func `a link that cannot be kept is counted`(html: String, count: Int) throws {
    #expect(try sanitized("<p>a</p>" + html).losses["link", default: 0] == count)
  }

  @Test func `the title of an embedded page is kept`() throws {
    #expect(
      try canonical("<iframe src=https://v.example/1 title='How &amp; why'></iframe>")
        == "<p class=\"embed\"><a title=\"How &amp; why\" href=\"https://v.example/1\" "
        + "rel=\"noreferrer noopener\">Embedded content: https://v.example/1</a></p>")
  }

  @Test(arguments: [
    (
      "<p>a <d-math>x^2</d-math> b</p>",
      "<msup><mi>x</mi><mn>2</mn></msup>"
    ),
    ("<d-math block>x</d-math>", "display=\"block\""),
    (
      "<d-math><span class=katex><math><mi>y</mi></math></span></d-math>", "<math><mi>y</mi></math>"
    ),
  ])
  func `a formula that Distill's script would render is drawn`(html: String, drawn: String) throws {
    #expect(try canonical(html).contains(drawn))
    #expect(try canonical("<d-math>\\nothing</d-math>").contains("\\nothing"))
  }

  @Test func `an image in a formula is its words`() throws {
    #expect(
      try canonical("<math><mtext>a <img src=b.png alt=tree></mtext></math>")
        == "<math><mtext>a tree</mtext></math>")
  }

  @Test(arguments: [
    (
      "data-native-src=https://e.org/i/-1x-1.png src=https://e.org/i/60x-1.png",
      "https://e.org/i/-1x-1.png"
    ),
    ("data-srv=https://e.org/p/1 src='#'", "https://e.org/p/1"),
  ])
  func `an image has the address that a script would give it`(
    attributes: String, address: String
  ) throws {
    #expect(try canonical("<img \(attributes)>").contains("data-src=\"\(address)\""))
  }
}
