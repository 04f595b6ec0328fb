import ArchiverCore
import ArchiverFuzzing
import ArchiverMarkup
import Testing

/// Invariants for every input.
private func expectInvariants(_ html: [UInt8], _ note: String) throws {
  let sanitizer = HTMLSanitizer(.usual)
  let once = try sanitizer.sanitize(html, baseURL: page)
  let violations = CanonicalGrammar(once.bytes).violations
  #expect(violations.isEmpty, "\(note): \(violations.prefix(3)) in \(text(once.bytes.prefix(600)))")
  let twice = try sanitizer.sanitize(once.bytes, baseURL: page)
  let isStable = once.bytes == twice.bytes
  #expect(
    isStable,
    "\(note)\nONCE  \(text(once.bytes.prefix(1500)))\nTWICE \(text(twice.bytes.prefix(1500)))")
  let saysTheSame =
    once.plainText.split(whereSeparator: \.isWhitespace)
    == twice.plainText.split(whereSeparator: \.isWhitespace) && once.headings == twice.headings
  #expect(saysTheSame, "\(note)\nONCE  \(once.plainText)\nTWICE \(twice.plainText)")
}

@Suite struct SanitizerInvariantTests {
  private struct Vector: Decodable {
    var title: String
    var payload: String
  }

  @Test(.enabled(if: fixtures != nil, "the shared fixtures are not beside the project"))
  func `holds its promises for known attack vectors`() throws {
    let vectors = try JSONDecoder().decode(
      [Vector].self, from: Data(try fixture("security/xss-filter-evasion.json")))
    #expect(vectors.count > 100)
    for vector in vectors {
      try expectInvariants(Array(vector.payload.utf8), vector.title)
      try expectInvariants(Array("<table><p>\(vector.payload)<b>x".utf8), vector.title)
    }
  }

  @Test(.enabled(if: fixtures != nil, "the shared fixtures are not beside the project"))
  func `holds its promises for naughty strings`() throws {
    let strings = try JSONDecoder().decode(
      [String].self, from: Data(try fixture("security/blns.json")))
    #expect(strings.count > 500)
    for string in strings {
      try expectInvariants(Array(string.utf8), string)
      try expectInvariants(
        Array("<p title=\"\(string)\" class='\(string)'>\(string)</p>".utf8), string)
    }
  }

  @Test func `holds its promises for mutation attacks`() throws {
    let vectors = [
      "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
      "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
      "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
      "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
      "<a href=\"&#x6a;avascript&colon;alert(1)\">x</a><a href=\"\u{1}javascript:alert(1)\">y</a>",
      "<math><annotation-xml encoding=\"text/html\"><style><img src=x onerror=alert(1)></style>",
      "<svg><foreignObject><math><mi><svg><title><p id=\"</title><img src onerror=alert(1)>\">",
      "<textarea><img title=\"</textarea><img src onerror=alert(1)>\"></textarea>",
      "<xmp><p title=\"</xmp><img src onerror=alert(1)>\"></xmp><plaintext><b>x",
      "<style><style/><img src=x onerror=alert(1)>",
      "<template><script>alert(1)</script></template>",
      "<select><template><style><!--</style><a rel=\"--></style></template></select><img src onerror=alert(1)>\">",
      "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe><object data=\"javascript:alert(1)\">",
      "<p style=\"background:url(javascript:alert(1))\"><div style=\"background-image:url('x');}body{color:red\">",
      "<mark data-hl=\"a&quot; onclick=x\"><sup class=hl-note><a href=\"#note-'><script>\" title=\"<b>\">x</a></sup>",
      "<img srcset=\"javascript:alert(1) 2x, data:text/html;x 3x\" data-src=\"javascript:1\" alt=\"<script>\">",
      "<a id=c-x name=\"c-c-x\"><p id=x><p id='x y'><p id=\"&lt;\"><p id=c->",
    ]
    for vector in vectors { try expectInvariants(Array(vector.utf8), vector) }
  }

  @Test func `holds its promises for tag soup`() throws {
    var generator = SeededGenerator(state: 20_261_121)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(4)
    var rounds = 0
    while clock.now < end, rounds < 6_000 {
      let soup = Soup.cook(&generator)
      try expectInvariants(soup, "round \(rounds): \(text(soup))")
      rounds += 1
    }
    #expect(rounds > 50)
  }

  @Test func `moves readings alike when it reads what it wrote`() throws {
    var generator = SeededGenerator(state: 20_261_123)
    let pieces = [
      "<ruby>", "<ruby>", "<rt>", "<rt>", "<rp>", "</rt>", "</rp>", "</ruby>", "<p>", "</p>",
      "<br>",
      "<b>", "</b>", "<li>", "<td>", "<h2>", "<pre>", "<p style='white-space:pre-line'>",
      "<rt id=a>",
      "東", "京", "とう", "one", " ", "\n", "&nbsp;", "<img src=i.png>", "<a href=/x>", "</a>",
    ]
    for round in 0..<1_500 {
      let count = Int.random(in: 2...24, using: &generator)
      let soup = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      try expectInvariants(Array(soup.utf8), "round \(round): \(soup)")
    }
  }
}

/// Random input from the vocabulary of an HTML parser.
private enum Soup {
  static let names = [
    "p", "div", "b", "i", "em", "a", "span", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr",
    "td",
    "th", "tbody", "thead", "caption", "col", "colgroup", "pre", "h1", "h2", "h3", "section",
    "figure", "figcaption", "details", "summary", "blockquote", "img", "br", "hr", "wbr", "picture",
    "source", "video", "noscript", "math", "mi", "mrow", "mtext", "svg", "text", "script", "style",
    "form", "input", "button", "select", "option", "textarea", "iframe", "embed", "object", "ruby",
    "rt", "rp", "rd-annotation", "mark", "sup", "template", "body", "html", "head", "title", "base",
    "font", "center", "x-y", "code", "frameset", "nobr", "tt", "q", "bdo", "menu", "address",
    "legend",
    "annotation", "mspace", "desc", "foreignobject", "xmp", "plaintext", "listing", "s", "u",
    "small",
  ]
  static let swallowing: Set<String> = [
    "script", "style", "select", "textarea", "template", "title", "button", "iframe", "noscript",
    "video", "object", "annotation", "svg", "math",
  ]
  static let attributes = [
    "id=a", "id=\"b c\"", "name=n", "href=#a", "href=\"/x?a=1&b=2\"", "href=javascript:1",
    "src=i.png",
    "src='data:image/gif;base64,R0lGODlhAQABAAAAACw='", "srcset=\"a 1x, b,c 2x\"", "data-src=l.jpg",
    "alt='a \"q\"'", "title=\"t<&>\"", "style='text-align:center;background:url(b.png)'",
    "class=embed",
    "class=hl-note", "data-hl=K", "data-annotation-id-value=K", "data-annotation-note",
    "data-annotation-color=red", "onclick=x", "colspan=2", "width=10", "height=1", "align=center",
    "dir=rtl", "lang=de", "open", "reversed", "start=3", "poster=p.jpg", "type=checkbox",
    "data='o.png'", "type=image/png", "headers='a b'", "cite=c", "datetime=2020-01-01", "=", "\"",
    "'", "/",
  ]
  static let texts = [
    "word", " ", "\n", "two words", "&amp;", "&lt;b&gt;", "é漢", "&#0;", "\u{0}", "&nbsp;", "<", ">",
    "<!-- c -->", "<!--", "-->", "<![CDATA[x]]>", "<?pi?>", "&#xD800;", "\u{FEFF}", "\r\n", "\t",
    "=\"",
    "&#13;", "&#10;", "\u{85}", "&#x80;", "\u{FFFF}", "\u{200B}",
  ]

  static func cook(_ generator: inout SeededGenerator) -> [UInt8] {
    var soup = [UInt8]()
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      var name = names.randomElement(using: &generator) ?? ""
      // One that swallows what follows is enough now and then.
      if swallowing.contains(name), Int.random(in: 0..<8, using: &generator) > 0 { name = "p" }
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        soup += "<\(name)".utf8
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          soup += " \(attributes.randomElement(using: &generator) ?? "")".utf8
        }
        soup += (Int.random(in: 0..<20, using: &generator) == 0 ? "/>" : ">").utf8
      case 5..<7: soup += "</\(name)>".utf8
      case 7: soup.append(UInt8.random(in: 0...255, using: &generator))
      default: soup += (texts.randomElement(using: &generator) ?? "").utf8
      }
    }
    return soup
  }
}
