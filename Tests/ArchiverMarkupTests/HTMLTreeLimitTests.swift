import Testing

@testable import ArchiverMarkup

/// The limits on depth, on formatting elements and on their copies.
@Suite struct HTMLTreeLimitTests {
  private func tree(_ html: String) throws -> HTMLTree {
    try HTMLParser.tree(of: Array(html.utf8))
  }

  private func log(_ html: String) throws -> HTMLEventLog {
    let log = HTMLEventLog()
    try HTMLParser.parse(Array(html.utf8), into: log)
    return log
  }

  private func repeated(_ piece: String, _ count: Int) -> String {
    String(repeating: piece, count: count)
  }

  /// Formatting elements with different attributes.
  private func distinct(_ count: Int) -> String {
    (0..<count).map { "<b id=\($0)>" }.joined()
  }

  @Test func `512 elements may be open, html and body included`() throws {
    #expect(try tree(repeated("<div>", 510)).lostElements == 0)
    #expect(try tree(repeated("<div>", 511)).lostElements == 1)
    #expect(try tree(repeated("<div>", 512)).lostElements == 2)
  }

  @Test func `512 nested elements are reported`() throws {
    let deepest = try log(repeated("<div>", 510) + "x")
    #expect(deepest.greatestDepth == 512)
    #expect(deepest.starts == 513)
    let deeper = try log(repeated("<div>", 511) + "x")
    #expect(deeper.greatestDepth == 512)
    #expect(deeper.starts == 513)
    #expect(deeper.text == "x")
  }

  @Test(arguments: ["a", "br", "embed", "hr", "iframe", "img", "input", "object"])
  func `a link or an element without text is reported beyond 512`(name: String) throws {
    let log = try log(repeated("<div>", 510) + "<\(name)>")
    #expect(log.greatestDepth == 513)
    #expect(log.log.contains("<\(name)></\(name)>"))
  }

  @Test(arguments: ["b", "span", "p", "svg", "video"])
  func `any other element is not reported beyond 512`(name: String) throws {
    let log = try log(repeated("<div>", 510) + "<\(name)>x")
    #expect(log.greatestDepth == 512)
    #expect(log.text == "x")
  }

  @Test func `a link in SVG is not reported beyond 512`() throws {
    let log = try log(repeated("<div>", 509) + "<svg><a>x")
    #expect(log.greatestDepth == 512)
    #expect(!log.log.contains("<a>"))
  }

  @Test func `four elements are reported beyond 512, and the walk counts the others`() throws {
    let html = repeated("<div>", 510) + repeated("<object>", 6)
    let found = try log(html)
    #expect(found.greatestDepth == 516)
    #expect(found.starts == 517)
    #expect(found.ends == 517)
    var walk = HTMLTreeWalk(try tree(html))
    #expect(walk.lostElements == 0)
    try walk.run(into: HTMLEventLog())
    #expect(walk.lostElements == 2)
  }

  @Test func `256 formatting elements are recorded after a marker`() throws {
    #expect(try tree(distinct(256)).lostElements == 0)
    #expect(try tree(distinct(257)).lostElements == 1)
    #expect(try tree(distinct(258)).lostElements == 2)
    #expect(try tree(distinct(200) + "<object>" + distinct(200)).lostElements == 0)
    #expect(try tree("<object>" + distinct(257)).lostElements == 1)
  }

  @Test func `the earliest of too many formatting elements is left out`() throws {
    #expect(try log("<p>" + distinct(256) + "<p>x").log.contains("</p><p><b id=0><b id=1>"))
    #expect(try log("<p>" + distinct(257) + "<p>x").log.contains("</p><p><b id=1><b id=2>"))
    let nested = try log("<object><p>" + distinct(257) + "<p>x</object>y").log
    #expect(nested.contains("</p><p><b id=1><b id=2>"))
    #expect(nested.hasSuffix("</p></object>y</body></html>"))
  }

  /// A formatting element whose value has a length, and paragraphs that copy it.
  private func copies(of length: Int, _ count: Int, before: String = "<p>") -> String {
    before + "<b title=" + repeated("x", length) + ">" + repeated("<p>x", count)
  }

  @Test func `10000 and an eighth of the input are the budget of copies`() throws {
    // The cost of a copy is (32 + 4 + length) / 32.
    #expect(try tree(copies(of: 3_164, 104)).lostElements == 0)
    #expect(try tree(copies(of: 3_164, 105)).lostElements == 1)
    #expect(try tree(copies(of: 3_163, 105)).lostElements == 0)
  }

  @Test func `a budget may be used up exactly`() throws {
    // 105 copies of 100 in 4,000 bytes use 10,500.
    func lost(_ padding: Int) throws -> Int {
      let comment = "<!--" + repeated("y", padding - 7) + "-->"
      return try tree(comment + copies(of: 3_164, 105)).lostElements
    }
    #expect(try lost(403) == 0)
    #expect(try lost(402) == 1)
  }

  @Test func `every closed element is lost that the budget does not pay for`() throws {
    #expect(try tree(copies(of: 3_164, 200)).lostElements == 1)
    #expect(try tree(copies(of: 3_164, 200, before: "<p><i>")).lostElements == 2)
    #expect(try tree(copies(of: 3_164, 200, before: "<i><p>")).lostElements == 1)
    #expect(try tree(copies(of: 3_164, 200, before: "<i><p><u>")).lostElements == 2)
    let log = try log(copies(of: 3_164, 200, before: "<i><p>"))
    #expect(log.log.ranges(of: "<b ").count == 105)
    #expect(log.log.ranges(of: "<i>").count == 1)
    #expect(log.text.count == 200)
  }

  @Test func `moving a block out of a formatting element costs three and a copy`() throws {
    // 4,445 times 4 are 17,780, which is 10,000 and an eighth of 62,240 bytes.
    let html = repeated("<b><p></b></p>", 4_445)
    #expect(try tree(html + repeated("y", 10)).lostElements == 0)
    #expect(try tree(html + repeated("y", 9)).lostElements == 1)
  }

  @Test func `elements with up to 32 attributes are compared`() throws {
    func copies(_ attributes: Int) throws -> Int {
      let tag = "<b " + (0..<attributes).map { "a\($0) " }.joined() + ">"
      let log = try log("<p>" + repeated(tag, 4) + "x<p>y").log
      let last = try #require(log.ranges(of: "<p>").last)
      return log[last.upperBound...].ranges(of: "<b ").count
    }
    #expect(try copies(1) == 3)
    #expect(try copies(32) == 3)
    #expect(try copies(33) == 4)
  }

  @Test func `a repeated tag adds attributes to fewer than 256`() throws {
    func outline(_ count: Int) throws -> String {
      let names = (0..<count).map { "a\($0) " }.joined()
      return try HTMLTreeOutline.of("<html \(names)><html z=1><body>")
    }
    #expect(try outline(255).contains(" a254= z=1>"))
    #expect(try !outline(256).contains("z=1"))
  }
}

/// Which elements keep a frameset out, and elements closed as in XML.
@Suite struct HTMLTreeOptionTests {
  @Test(arguments: [
    "pre", "listing", "li", "dd", "dt", "button", "applet", "marquee", "object", "table",
    "textarea", "xmp", "iframe", "select", "template",
  ])
  func `no frameset replaces a body with this element`(name: String) throws {
    let outline = try HTMLTreeOutline.of("<p><\(name)></\(name)><frameset>")
    #expect(outline.contains("<\(name)>"))
    #expect(!outline.contains("<frameset>"))
  }

  @Test(arguments: ["area", "br", "embed", "img", "keygen", "wbr", "image", "hr", "input", "/br"])
  func `no frameset replaces a body with this void element`(name: String) throws {
    let outline = try HTMLTreeOutline.of("<p><\(name)><frameset>")
    #expect(outline.contains("<body>"))
    #expect(!outline.contains("<frameset>"))
  }

  @Test(arguments: [
    "div", "b", "a", "span", "form", "ul", "h1", "option", "optgroup", "rb", "rt", "rtc",
    "noembed", "svg", "math", "details", "nobr", "ruby", "x-y", "style", "title",
  ])
  func `a frameset replaces a body with this element`(name: String) throws {
    let outline = try HTMLTreeOutline.of("<p><\(name)></\(name)><frameset>")
    #expect(outline == "<html><head></head><frameset></frameset></html>")
  }

  @Test(
    arguments: sides(
      of: #"""
        <p/>x => <p></p>x
        <p>a<p/>b => <p>a</p><p></p>b
        <b/>x => <b></b>x
        <x-y/>x => <x-y></x-y>x
        <x-y>a</x-y>b => <x-y>a</x-y>b
        <div>a<div/>b</div>c => <div>a<div></div>b</div>c
        <li/>a<li/>b => <li></li>a<li></li>b
        <textarea/>⏎x => <textarea></textarea>⏎x
        <pre/>⏎x => <pre></pre>⏎x
        <script/>a<b>c => <script></script>a<b>c</b>
        <table><tr/><tr><td/>a</table> => a<table><tbody><tr></tr><tr><td></td></tr></tbody></table>
        <br/>a<img/>b => <br></br>a<img></img>b
        <svg/>a => <svg:svg></svg:svg>a
        <svg><svg/>a</svg>b => <svg:svg><svg:svg></svg:svg>a</svg:svg>b
        <svg><g/>a</svg> => <svg:svg><svg:g></svg:g>a</svg:svg>
        <form>a<form/>b</form>c => <form>ab</form>c
        """#))
  func `a tag that ends with a slash is an empty element if asked`(
    html: String, expected: String
  ) throws {
    #expect(try HTMLTreeOutline.ofBody(html, closesEmptyTags: true) == expected)
  }

  @Test func `a slash ends neither a document nor a body, and by default no element`() throws {
    let html = "<html/><body/><!--a-->x"
    let expected = "<html><head></head><body><!--a-->x</body></html>"
    #expect(try HTMLTreeOutline.of(html, closesEmptyTags: true) == expected)
    #expect(try HTMLTreeOutline.of(html) == expected)
    let tree = try HTMLParser.tree(of: Array("<p/>x".utf8))
    #expect(text(HTMLTreeText.lines(tree)).contains("|       \"x\"\n"))
  }
}
