import ArchiverCore
import Testing

@testable import ArchiverMarkup

@Suite struct HTMLParserTests {
  /// Returns what a parser reports of a document that is only a body.
  private func body(_ html: String) throws -> String {
    let log = HTMLEventLog()
    try HTMLParser.parse(Array(html.utf8), into: log)
    #expect(log.starts == log.ends)
    let start = "<html><head></head><body>"
    let end = "</body></html>"
    #expect(log.log.hasPrefix(start) && log.log.hasSuffix(end))
    return String(log.log.dropFirst(start.count).dropLast(end.count))
  }

  @Test(arguments: [
    ("a<!-->b", "ab"), ("a<!--->b", "ab"), ("a<!-- x --!>b", "ab"), ("a<!-- x -- y -->b", "ab"),
    ("a<![if !supportLists]>b<![endif]>c", "abc"), ("a<?xml x?>b", "ab"), ("a</>b", "ab"),
    ("a<![CDATA[x]]>b", "ab"), ("a<!-- no end", "a"),
  ])
  func `a comment ends where the standard ends it`(html: String, expected: String) throws {
    #expect(try body(html) == expected)
  }

  @Test func `CDATA is text in SVG and MathML`() throws {
    #expect(
      try body("<svg><title><![CDATA[x<y]]></title><text><![CDATA[x<y]]></text></svg>")
        == "<svg><title>x<y</title><text>x<y</text></svg>")
  }

  @Test(arguments: [
    ("&#146;", "\u{2019}"), ("&#x80;", "\u{20AC}"), ("&#0;", "\u{FFFD}"),
    ("&#xD800;", "\u{FFFD}"), ("&#99999999999999999999;", "\u{FFFD}"), ("&copy 2024", "© 2024"),
    ("&check;", "✓"), ("&nbsp x", "\u{A0} x"), ("R&#D", "R&#D"), ("AT&T", "AT&T"),
    ("&notit;", "¬it;"), ("&notin;", "∉"), ("&NotEqualTilde;", "\u{2242}\u{338}"),
    ("&unknown;", "&unknown;"), ("&#x;", "&#x;"), ("&", "&"), ("&amp;lt;", "&lt;"),
  ])
  func `a character reference is read as browsers read it`(
    html: String, expected: String
  ) throws {
    #expect(try body(html) == expected)
  }

  @Test func `all names of the standard are known`() throws {
    let source = HTMLCharacterReferences.source.description
    let names = source.split(whereSeparator: \.isWhitespace)
    let withoutSemicolon = names.filter { $0.contains("!") }
    #expect(names.count + withoutSemicolon.count == 2_231)
    for name in names {
      let end = name.firstIndex { $0 == "!" || $0 == ":" } ?? name.endIndex
      let codes = name[end...].dropFirst().split(separator: "+")
      let expected = codes.compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
      #expect(try scalars("x&\(name[..<end]);y") == ["x"] + expected + ["y"])
      guard name.contains("!") else { continue }
      #expect(try scalars("x&\(name[..<end]) y") == ["x"] + expected + [" ", "y"])
    }
  }

  /// The text of a document, a letter and its accents apart.
  private func scalars(_ html: String) throws -> [Unicode.Scalar] {
    let log = HTMLEventLog()
    try HTMLParser.parse(Array(html.utf8), into: log)
    return Array(log.text.unicodeScalars)
  }

  @Test func `a name without a semicolon stays in an address`() throws {
    #expect(
      try body("<a href='?a=1&copy=2&amp;b=3&lt'>x</a>") == "<a href=?a=1&copy=2&b=3<>x</a>")
  }

  @Test(arguments: [
    ("alpha</p>beta", "alpha<p></p>beta"), ("<b><i>x</b>y</i>z", "<b><i>x</i></b><i>y</i>z"),
    ("<b><i>x</b></i>", "<b><i>x</i></b>"), ("<p>a<p>b", "<p>a</p><p>b</p>"),
    ("<b>1<p>2</b>3</p>", "<b>1</b><p><b>2</b>3</p>"),
    ("<a>1<p>2<a>3", "<a>1</a><p><a>2</a><a>3</a></p>"),
    ("<p><b>1<p>2", "<p><b>1</b></p><p><b>2</b></p>"),
    ("<ul><li>1<li>2</ul>", "<ul><li>1</li><li>2</li></ul>"),
    ("<table>x<tr><td>y</table>", "x<table><tbody><tr><td>y</td></tr></tbody></table>"),
    ("<ruby>a<rt>b<rp>c</ruby>", "<ruby>a<rt>b</rt><rp>c</rp></ruby>"),
    ("<pre>\n\nx</pre>", "<pre>\nx</pre>"), ("<pre>\r\n\r\nx</pre>", "<pre>\nx</pre>"),
    ("<textarea>\nx<b></textarea>", "<textarea>x<b></textarea>"), ("</br>", "<br></br>"),
    ("<IMG SRC=a ALT=b SRC=c>", "<img src=a alt=b></img>"),
    ("<template><td>x</template>", "<template><td>x</td></template>"),
    ("<template><col>x y<col></template>", "<template><col></col> <col></col></template>"),
    ("<svg><desc><p>x</svg>y", "<svg><desc><p>xy</p></desc></svg>"),
    ("<svg><g><p>x</svg>y", "<svg><g></g></svg><p>xy</p>"),
    ("<math><mi>x</math>z", "<math><mi>x</mi></math>z"),
    ("<noscript><img src=a></noscript>", "<noscript><img src=a></img></noscript>"),
    ("<div/>x", "<div>x</div>"), ("<p>x<b", "<p>x</p>"),
  ])
  func `tags out of place make the tree of the standard`(html: String, expected: String) throws {
    #expect(try body("<body>" + html) == expected)
  }

  @Test func `scripts and style sheets are raw text`() throws {
    #expect(
      try body(
        "<body><script>a<b</script><style>p>q</style><script><!--<script></script>--></script>x")
        == "<script>{a<b}</script><style>{p>q}</style>"
        + "<script>{<!--<script></script>-->}</script>x")
  }

  @Test func `a NUL is left out of a body`() throws {
    #expect(try body("a\0b<i t=a\0b>") == "ab<i t=a\u{FFFD}b></i>")
  }

  @Test func `elements beyond the greatest depth keep their text in its order`() throws {
    let count = 100_000
    var html = ""
    for index in 0..<count { html += "<div>\(index) " }
    for index in 0..<count { html += "</div>\(index) " }
    let log = HTMLEventLog()
    try HTMLParser.parse(Array(html.utf8), into: log)
    let numbers = (0..<count).map { "\($0) " }.joined()
    #expect(log.text == numbers + numbers)
    #expect(log.greatestDepth == HTMLTreeWalk.maximumDepth)
    #expect(log.starts == log.ends)
  }

  @Test func `each element beyond the greatest depth counts once as lost`() throws {
    func lost(_ count: Int) throws -> Int {
      try HTMLParser.tree(of: Array(String(repeating: "<div>", count: count).utf8)).lostElements
    }
    #expect(try lost(500) == 0)
    let (first, second) = (try lost(900), try lost(1_000))
    #expect(first > 0 && second - first == 100)
  }

  @Test func `content after deep nesting is placed as without it`() throws {
    let deep =
      String(repeating: "<span>", count: 5_000) + String(repeating: "</span>", count: 5_000)
    let log = HTMLEventLog()
    try HTMLParser.parse(Array("<div>\(deep)<p>x</p></div><h1>y</h1>".utf8), into: log)
    #expect(log.log.hasSuffix("</span><p>x</p></div><h1>y</h1></body></html>"))
  }

  @Test(arguments: [
    "<b>", "<font>", "<a>", "<p>", "<table>", "<table><tr><td>", "<", "&", "&#", "<!--", "</x",
    "<i><div></i>", "<b><p>", "<li><ul>", "<svg><desc>", "<button><b>", "<template>",
    "<span></i>", "<select><option>", "x\0", "\r",
  ])
  func `input that repeats for ever makes a bounded number of nodes for each copy`(piece: String)
    throws
  {
    func nodes(_ count: Int) throws -> Int {
      try HTMLParser.tree(of: Array(String(repeating: piece, count: count).utf8)).nodes.count
    }
    // Each copy costs at most a few nodes, however many have come before.
    #expect(try nodes(20_000) <= 20_000 * 8 + 12_000)
  }

  @Test func `unclosed formatting of many kinds is repeated a bounded number of times`() throws {
    var html = ""
    for index in 0..<5_000 { html += "<font color=\(index)>" }
    for _ in 0..<5_000 { html += "<p>x</p>" }
    let tree = try HTMLParser.tree(of: Array(html.utf8))
    #expect(tree.nodes.count < 100_000)
    let log = HTMLEventLog()
    try HTMLParser.parse(Array(html.utf8), into: log)
    #expect(log.text == String(repeating: "x", count: 5_000))
  }

  @Test func `a thousand formatted paragraphs all have the formatting`() throws {
    let html = "<b><i><u><s>" + String(repeating: "<p>x</p>", count: 1_000)
    let log = HTMLEventLog()
    try HTMLParser.parse(Array(html.utf8), into: log)
    #expect(log.starts == 3 + 4 + 1_000)
  }

  @Test func `a tag of many attributes keeps the first of each name`() throws {
    var html = "<p "
    for index in 0..<50_000 { html += "a\(index % 20_000)=\(index) " }
    let tree = try HTMLParser.tree(of: Array((html + ">").utf8))
    #expect(tree.attributes.count == 20_000)
  }

  @Test func `a fragment is read as the content of its element`() throws {
    func fragment(_ html: String, _ name: String) throws -> String {
      let tree = try HTMLParser.tree(of: Array(html.utf8), in: .init(name: name))
      let root = tree[HTMLTree.document].lastChild
      return text(HTMLTreeText.lines(tree, below: root))
    }
    #expect(try fragment("<td>x", "tr") == "| <td>\n|   \"x\"\n")
    #expect(try fragment("<td>x", "div") == "| \"x\"\n")
    #expect(try fragment("<b>x", "title") == "| \"<b>x\"\n")
  }
}
