import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@Suite struct XMLTests {
  private let feed = """
    <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/">
    <title type="text"> Books &amp; <![CDATA[<more>]]> </title>
    <entry><title>One</title><dc:issued>2020</dc:issued><link rel="next" href="/a?b&amp;c" dc:x="y"/></entry>
    <entry><title>Two</title></entry></feed>
    """

  @Test func `reads elements, namespaces, attributes and text`() throws {
    let root = try #require(try XMLDocument(Array(feed.utf8)).root)
    #expect(root.name == "feed")
    #expect(root.namespace == "http://www.w3.org/2005/Atom")
    #expect(root.child("title")?.words == "Books & <more>")
    #expect(root.children("entry").compactMap { $0.child("title")?.text } == ["One", "Two"])
    let entry = try #require(root.child("entry"))
    #expect(entry.child("issued", namespace: "http://purl.org/dc/terms/")?.text == "2020")
    #expect(entry.child("issued", namespace: "http://www.w3.org/2005/Atom") == nil)
    #expect(entry.child("link")?.attribute("href") == "/a?b&c")
    #expect(entry.child("link")?.attribute("x") == nil)
    #expect(entry.child("link")?.attribute("x", namespace: "http://purl.org/dc/terms/") == "y")
    #expect(root.descendants("title").count == 3)
  }

  @Test func `names the line of a mistake`() {
    #expect(throws: MarkupError.self) { try XMLDocument(Array("<a>\n<b></a>".utf8)) }
    do throws(MarkupError) {
      _ = try XMLDocument(Array("<a>\n<b></a>".utf8))
    } catch {
      #expect(error.code == .malformed)
      #expect(error.message.contains("line 2"))
    }
    #expect(throws: MarkupError.self) { try XMLDocument([]) }
  }

  @Test(arguments: [200, 300, 20_000])
  func `deeply nested content keeps its text and affects nothing beside it`(depth: Int) throws {
    let deep =
      String(repeating: "<b title='a>b'>", count: depth) + "x<i/><!-- <b> --><![CDATA[<b>]]>"
      + String(repeating: "</b>", count: depth)
    let feed = "<feed><entry>\(deep)</entry><entry><title>Two</title></entry></feed>"
    let root = try #require(try XMLDocument(Array(feed.utf8)).root)
    #expect(root.children("entry").count == 2)
    #expect(root.child("entry")?.words == "x<b>")
    #expect(root.children("entry").last?.child("title")?.text == "Two")
  }

  @Test func `keeps what it can when recovering`() throws {
    let root = try XMLDocument(Array("<a><b>x</b><c>y".utf8), recovering: true).root
    #expect(root?.child("b")?.text == "x")
  }

  @Test func `expands no entity from outside and survives a billion laughs`() throws {
    var laughs = "<!DOCTYPE a [<!ENTITY l0 \"lol\">"
    for level in 1...20 {
      laughs += "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
    }
    laughs += "]><a>&l20;</a>"
    let time = processorTime {
      do throws(MarkupError) {
        let words = try XMLDocument(Array(laughs.utf8), recovering: true).root?.text ?? ""
        #expect(words.utf8.count < 10_000)
      } catch {
        #expect(error.code == .malformed)
      }
    }
    #expect(time < .seconds(2))
    let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"
    #expect((try XMLDocument(Array(outside.utf8), recovering: true).root?.text ?? "").isEmpty)
  }

  @Test(arguments: ["a%=\"\" ", "a%='>' ", "xmlns:a%=\"b\" ", "p:a%=\"\"\n"], [false, true])
  func `a megabyte of attributes in one tag is refused at once`(
    _ attribute: String, isSixteenBit: Bool
  ) throws {
    let count = 1_000_000 / 9 / PathologicalInputTests.scale
    let attributes = (0..<count).map { attribute.replacing("%", with: String($0)) }.joined()
    let xml = "<_ xmlns:p=\"q\" \(attributes)><b/></_>"
    let units = xml.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let time = processorTime {
      for isRecovering in [false, true] {
        do throws(MarkupError) {
          _ = try XMLDocument(
            isSixteenBit ? [0xFF, 0xFE] + units : Array(xml.utf8), recovering: isRecovering)
          Issue.record("it was read")
        } catch {
          #expect(error.message.hasSuffix("too many attributes (500, a fixed limit)"))
        }
      }
      #expect(SVGSanitizer.sanitize(Array(xml.replacing("_", with: "svg").utf8)) == nil)
    }
    #expect(time < .seconds(2))
  }

  @Test func `attributes of many tags, and text that looks like them, are read`() throws {
    let many = String(repeating: "<b c=\"1\" d='>'/>", count: 20_000)
    let text = String(repeating: "&lt;b c=\"1\"&gt; ", count: 20_000)
    for encoding in ["", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"] {
      let xml = "\(encoding)<a>\(many)\(text)</a>"
      #expect(try XMLDocument(Array(xml.utf8)).root?.children.count == 20_000)
    }
    let odd = "<?xml version=\"1.0\" encoding=\"UTF-7\"?><a>\(many)</a>"
    #expect(throws: MarkupError.self) { try XMLDocument(Array(odd.utf8)) }
  }

  @Test func `looks things up in a page`() throws {
    let root = try HTMLDocument.parse(Array("<title>A &amp; B</title><p>x<a href=u>y".utf8)).root
    #expect(root?.descendants("title").first?.words == "A & B")
    #expect(root?.descendants("a").first?.attribute("href") == "u")
  }

  @Test func `a page of a book that is not well formed keeps its empty elements empty`() throws {
    let html =
      "<html><head><title/><script src='a.js'/><style/></head><body><p><a id='x'/>one<br/>two"
      + "<textarea/><div/>three & four<p>five</body></html>"
    let page = try XHTMLDocument.parse(Array(html.utf8))
    #expect(!page.isWellFormed)
    let root = try #require(page.document.root)
    #expect(root.descendants("a").first?.words == "")
    #expect(root.descendants("div").first?.words == "")
    #expect(root.words == "onetwothree & fourfive")
    #expect(root.descendants("p").last?.words == "five")
  }

  @Test func `a page of a book in neither UTF is read as windows-1252`() throws {
    let page = try XHTMLDocument.parse(Array("<p>".utf8) + [0x93, 0xE9, 0x94] + Array("<p>x".utf8))
    #expect(page.document.root?.words == "\u{201C}é\u{201D}x")
  }

  @Test func `a page keeps its text however deep it is and however many pieces it comes in`() throws
  {
    let deep = String(repeating: "<div>a&amp;", count: 20_000)
    let time = try processorTime {
      let root = try HTMLDocument.parse(Array(deep.utf8)).root
      #expect(root?.text.utf8.count == 40_000)
    }
    #expect(time < .seconds(5), "\(time)")
    let many = "<p " + (0..<501).map { "a\($0) " }.joined() + ">"
    #expect(throws: MarkupError.self) { try HTMLDocument.parse(Array(many.utf8)) }
    #expect(throws: MarkupError.self) { try HTMLDocument.parse([]) }
  }

  private func svg(_ inner: String) -> String? {
    let image =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 1 1\">\(inner)</svg>"
    return SVGSanitizer.sanitize(Array(image.utf8)).map { text($0) }
  }

  @Test(arguments: [
    ("<path d=\"M0 0\" fill=\"url(#g)\"/>", "<path d=\"M0 0\" fill=\"url(#g)\"></path>"),
    (
      "<script>alert(1)</script><g onload=\"x\"><text x=\"1\">a &lt; b</text></g>",
      "<g><text x=\"1\">a &lt; b</text></g>"
    ),
    (
      "<foreignObject><p></p></foreignObject><animate attributeName=\"href\" to=\"javascript:1\"/><set/>",
      ""
    ),
    (
      "<use href=\"#a\"/><use xlink:href=\"http://e.org/#a\"/>",
      "<use href=\"#a\"></use><use></use>"
    ),
    (
      "<image href=\"http://e.org/t.png\"/><image href=\"data:image/png;base64,AAAA\"/>",
      "<image></image><image href=\"data:image/png;base64,AAAA\"></image>"
    ),
    (
      "<a href=\"javascript:1\"><rect style=\"fill:url(http://e.org/)\" width=\"1\"/></a>",
      "<g><rect width=\"1\"></rect></g>"
    ),
    ("<image hRef=\"http://e.org/i.png\" data=\"//e.org\" x=\"1\"/>", "<image x=\"1\"></image>"),
    (
      "<image href=\"\n data:image/PNG;base64,AA ==\"/>",
      "<image href=\"data:image/png;base64,AA==\"></image>"
    ),
    (
      "<style>@import 'x';</style><style>.a{fill:red}</style><style>.b{fill:u\\72l(http://e.org)}</style>",
      "<style>.a{fill:red}</style>"
    ),
    (
      "<x:script xmlns:x=\"http://www.w3.org/2000/svg\">1</x:script><html:img xmlns:html=\"http://www.w3.org/1999/xhtml\" src=\"x\"/>",
      ""
    ),
    (
      "<style>@import url(x.css);@media (prefers-color-scheme:dark){.a{fill:#fff}}@keyframes k{from{r:0}}/* c */.b{fill:url(#g)}.c{fill:url(http://e.org/)}</style>",
      "<style>@media (prefers-color-scheme:dark){.a{fill:#fff}}@keyframes k{from{r:0}}.b{fill:url(#g)}</style>"
    ),
    (
      "<style>@media print{.a{fill:url(http://e.org/)}}@font-face{font-family:f;src:url(http://e.org/f)}.d{fill:red}</style>",
      "<style>.d{fill:red}</style>"
    ),
    (
      "<style>@font-face{font-family:f;src:url('data:font/woff2;base64,AA==')}</style>",
      "<style>@font-face{font-family:f;src:url('data:font/woff2;base64,AA==')}</style>"
    ),
    (
      "<foreignObject x=\"20\" y=\"32\" width=\"100\" height=\"24\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p onclick=\"x\">Client &lt;asks</p></div></foreignObject>",
      "<text text-anchor=\"middle\" dominant-baseline=\"central\" font-size=\"14\"><tspan x=\"70.0\" y=\"44.0\">Client &lt;asks</tspan></text>"
    ),
    (
      "<foreignObject x=\"20\" y=\"32\" width=\"100\" height=\"24\">Client</foreignObject>",
      "<text text-anchor=\"middle\" dominant-baseline=\"central\" font-size=\"14\"><tspan x=\"70.0\" y=\"44.0\">Client</tspan></text>"
    ),
    (
      "<switch><foreignObject><p>x</p></foreignObject><text>x</text></switch>",
      "<switch><text>x</text></switch>"
    ),
    (
      "<linearGradient id=\"g\"><stop offset=\"0\" stop-color=\"red\"/></linearGradient>",
      "<linearGradient id=\"g\"><stop offset=\"0\" stop-color=\"red\"></stop></linearGradient>"
    ),
  ])
  func `keeps the static part of an SVG image`(_ inner: String, _ expected: String) throws {
    let result = try #require(svg(inner))
    #expect(result.contains("viewBox=\"0 0 1 1\">\(expected)</svg>"), "\(result)")
    #expect(SVGSanitizer.sanitize(Array(result.utf8)).map { text($0) } == result)
  }

  @Test func `an SVG image with entities of its own and a long comment before it is kept`() throws {
    let comment = "<!-- \(String(repeating: "0", count: 600)) -->"
    let drawing =
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n\(comment)\n<!DOCTYPE svg PUBLIC "
      + "\"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\" [ <!ENTITY ns \"http://www.w3.org/2000/svg\"> "
      + "<!ENTITY st0 \"fill:teal;\"> ]><svg xmlns=\"&ns;\" width=\"40\"><circle style=\"&st0;\" r=\"18\"/></svg>"
    let result = try #require(SVGSanitizer.sanitize(Array(drawing.utf8)).map { text($0) })
    #expect(result.contains("<circle style=\"fill:teal;\" r=\"18\"></circle>"), "\(result)")
  }

  @Test func `entities that grow without end are refused at once`() {
    let ladder = (1..<40).map {
      "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">"
    }
    let drawing =
      "<!DOCTYPE svg [ <!ENTITY e0 \"xxxxxxxxxx\"> \(ladder.joined()) ]><svg xmlns=\"http://www.w3.org/2000/svg\">"
      + String(repeating: "<text>&e4;</text>", count: 1_000) + "</svg>"
    let time = processorTime { #expect(SVGSanitizer.sanitize(Array(drawing.utf8)) == nil) }
    #expect(time < .seconds(2))
  }

  @Test func `an entity outside of the SVG image is never read`() throws {
    let drawing =
      "<!DOCTYPE svg [ <!ENTITY x SYSTEM \"file:///etc/hostname\"> <!ENTITY y \"red\"> ]>"
      + "<svg xmlns=\"http://www.w3.org/2000/svg\"><text fill=\"&y;\">a</text><text>&x;</text></svg>"
    let clean = String(
      decoding: try #require(SVGSanitizer.sanitize(Array(drawing.utf8))), as: UTF8.self)
    #expect(clean.contains("fill=\"red\"") && clean.contains(">a</text>"))
    #expect(clean.contains("<text></text>") || clean.contains("<text/>"), "\(clean)")
  }

  @Test(arguments: [
    "", "<html></html>", "GIF89a", "<svg", "<svg><g></svg>",
    "<?xml version='1.0'?><html><svg/></html>",
  ])
  func `refuses what is no SVG image`(_ bytes: String) {
    #expect(SVGSanitizer.sanitize(Array(bytes.utf8)) == nil)
  }

  /// Each level draws the one below ten times.
  private func ladder(_ levels: Int, _ step: (Int) -> String) -> String {
    (1...levels).map { level in
      "<g id=\"l\(level)\">" + String(repeating: step(level - 1), count: 10) + "</g>"
    }.joined()
  }

  private let ground = "<g id=\"l0\"><path d=\"M0 0\"/></g>"

  @Test func `an SVG image that multiplies itself is refused`() {
    #expect(svg(ground + ladder(3) { "<use href=\"#l\($0)\"/>" }) != nil)
    #expect(svg(ground + ladder(7) { "<use href=\"#l\($0)\"/>" }) == nil)
    #expect(svg(ground + ladder(7) { "<use xlink:href=\"#%6C\($0)\"/>" }) == nil)
    #expect(svg(ground + ladder(7) { "<g mask=\"url(#l\($0))\"/>" }) == nil)
    #expect(svg(ground + ladder(7) { "<g style=\"Clip-Path: url('#l\($0)')\"/>" }) == nil)
    let classes = (0..<7).map { ".c\($0){mask:url(#l\($0))}" }.joined()
    #expect(
      svg("<style>\(classes)</style>" + ground + ladder(7) { "<g class=\"c\($0)\"/>" }) == nil)
    #expect(
      svg("<style>g g{mask:url(#l6)}</style>" + ground + ladder(7) { _ in "<g/>" }) != nil,
      "what is drawn for itself is not drawn")
    let points = String(repeating: "L1 1", count: 1_000)
    #expect(
      svg(ground + ladder(2) { "<path d=\"M0 0\(points)\" marker-mid=\"url(#l\($0))\"/>" }) == nil)
    #expect(
      svg(ground + ladder(2) { "<path d=\"M0 0\(points)\" style=\"marker-mid:url(#l\($0))\"/>" })
        == nil)
  }

  @Test func `an SVG image that uses its parts is kept`() {
    let uses = String(repeating: "<use href=\"#l0\"/>", count: 60_000)
    #expect(svg(ground + uses) != nil, "each is there to be seen")
    let clipped = String(repeating: "<path class=\"c\" d=\"M0 0\"/>", count: 20_000)
    #expect(svg("<style>.c{clip-path:url(#l0)}</style>" + ground + clipped) != nil)
    #expect(svg("<g id=\"l0\"><use href=\"#l0\"/></g>") != nil, "a circle is left to browsers")
    #expect(
      svg((0..<200).map { "<g id=\"l\($0)\"><use href=\"#l\($0 + 1)\"/></g>" }.joined()) == nil)
  }

  @Test(arguments: [
    "<p title=\"a\u{FFFF}b\">a\u{FFFE}b\u{1}c&#xFFFF;d&#x8;</p>", "a & b &nbsp; &lt;c>",
    "<img usemap=#m src=i.png><map name=m><area href=/x coords=1,2,3,4></map>",
    "<video src=v.mp4><track src=t.vtt></video><xmp><b></xmp><select><option>x</select>",
    "<p style=\"white-space:pre;color:red\">a\n  b</p><ol reversed><li>x</ol>",
    "<math><semantics><mi>x</mi></semantics></math><details open><summary>s</summary></details>",
  ])
  func `chapters of a book are well-formed XML`(html: String) throws {
    let clean = try sanitized(html).bytes
    let fragment = try XHTMLFragment.make(clean) { _, address in address }
    let wrapped = Array("<body xmlns=\"http://www.w3.org/1999/xhtml\">".utf8) + fragment
    let document = try XMLDocument(wrapped + Array("</body>".utf8))
    #expect(document.root?.name == "body")
  }
}
