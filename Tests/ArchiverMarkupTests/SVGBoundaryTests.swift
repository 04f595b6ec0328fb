import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// What of an SVG image is kept, and where its foreign text stands.
@Suite struct SVGBoundaryTests {
  private static let start =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">"

  /// What a sanitised image has between the tags of its root; `nil` if it is refused.
  private static func svg(
    _ inner: String, in surroundings: SVGSanitizer.Surroundings = SVGSanitizer.Surroundings()
  ) -> String? {
    let image = Array("\(start)\(inner)</svg>".utf8)
    guard let clean = SVGSanitizer.sanitize(image, in: surroundings).map({ text($0) }),
      let begin = clean.firstRange(of: start)
    else { return nil }
    return String(clean[begin.upperBound...].dropLast("</svg>".count))
  }

  /// The lines of a foreign object's text behind their places.
  private static func lines(_ attributes: String, _ content: String) -> [String]? {
    svg("<foreignObject \(attributes)>\(content)</foreignObject>").map { text in
      text.matches(of: /<tspan x="([^"]+)" y="([^"]+)">([^<]+)/).map { "\($0.1) \($0.2) \($0.3)" }
    }
  }

  private static let box = "x=\"20\" y=\"32\" width=\"100\" height=\"24\""

  @Test(arguments: [
    (box, "Words", ["70.0 44.0 Words"]),
    // A character is 7.7 wide, so that twelve fit.
    (box, "one two four", ["70.0 44.0 one two four"]),
    (box, "one two three four", ["70.0 35.6 one two", "70.0 52.4 three four"]),
    (box, "one two four xx", ["70.0 35.6 one two four", "70.0 52.4 xx"]),
    (box, "Supercalifragilistic", ["70.0 44.0 Supercalifragilistic"]),
    // Too narrow for four characters, it is not wrapped.
    ("width=\"31\"", "ab cd", ["15.5 -8.4 ab", "15.5 8.4 cd"]),
    ("width=\"30\"", "ab cd", ["15.0 0.0 ab cd"]),
    ("x=\"20px\" y=\"4.25\"", "a", ["20.0 4.3 a"]), ("x=\"9%\" y=\"1e3\"", "a", ["0.0 1000.0 a"]),
    ("x=\"999999\" y=\"1000000\"", "a", ["999999.0 0.0 a"]),
    ("x=\"-999999\"", "a", ["-999999.0 0.0 a"]),
    ("", "a<br/>b<p>c</p>d", ["0.0 -25.2 a", "0.0 -8.4 b", "0.0 8.4 c", "0.0 25.2 d"]),
    ("", "<i>a</i><script>b</script><style>c</style> <b>d</b>", ["0.0 0.0 a d"]),
    ("", "<div> a\n b </div><div> </div>", ["0.0 0.0 a b"]), ("", " ", []),
  ])
  func `foreign text is centred in its box, in lines that fit`(
    attributes: String, content: String, expected: [String]
  ) {
    #expect(Self.lines(attributes, content) == expected)
  }

  @Test func `foreign text is moved as its box is`() {
    let kept = Self.svg("<foreignObject transform=\"scale(2)\">a</foreignObject>")
    #expect(kept?.contains(" font-size=\"14\" transform=\"scale(2)\"><tspan ") == true)
  }

  @Test func `foreign text is left out only where a switch has an alternative`() {
    let foreign = "<foreignObject>a</foreignObject>"
    let alternative = "<switch><text>a</text></switch>"
    #expect(Self.svg("<switch>\(foreign)<text>a</text></switch>") == alternative)
    #expect(Self.svg("<switch>\(foreign) b</switch>")?.contains(">a<") == true)
    #expect(Self.svg("<switch><text>b</text>\(foreign)</switch>")?.contains(">a<") == true)
    #expect(Self.svg("<g>\(foreign)<text>b</text></g>")?.contains(">a<") == true)
    #expect(Self.svg("<foreignObject> </foreignObject>") == "")
  }

  @Test func `what is left out is reported, but for metadata`() {
    var names: [String] = []
    let surroundings = SVGSanitizer.Surroundings(
      image: { $0 == "a.png" ? "data:image/png;base64,AAAA" : nil }, leftOut: { names.append($0) })
    let kept = Self.svg(
      "<metadata>m</metadata><video/><x:y xmlns:x=\"u:x\"/><image href=\"a.png\"/>"
        + "<image xlink:href=\"b.png\"/><image href=\"\"/><image href=\"#a\"/>"
        + "<image href=\"data:image/png;base64,AAAA\"/>",
      in: surroundings)
    let image = "<image href=\"data:image/png;base64,AAAA\"></image>"
    #expect(
      kept == image + "<image></image><image></image><image href=\"#a\"></image>" + image)
    #expect(names == ["video", "image"])
  }

  @Test func `250 levels of elements are kept`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<g>", count: depth) + String(repeating: "</g>", count: depth)
    }
    var names: [String] = []
    let surroundings = SVGSanitizer.Surroundings(leftOut: { names.append($0) })
    // The root is the first.
    #expect(Self.svg(nested(249), in: surroundings) == nested(249))
    #expect(names.isEmpty)
    #expect(Self.svg(nested(250), in: surroundings) == nested(249))
    #expect(names == ["g"])
  }

  @Test(
    arguments: [
      ("href", nil, "#a", "use", "href"),
      ("href", "http://www.w3.org/1999/xlink", "#a", "use", "xlink:href"),
      ("href", "u:x", "#a", "use", nil), ("href", nil, "a", "use", nil),
      ("href", nil, "data:image/png;base64,AAAA", "image", "href"),
      ("href", nil, "data:image/png;base64,AAAA", "use", nil),
      ("href", nil, "data:image/svg+xml,<svg/>", "image", nil),
      ("space", "http://www.w3.org/XML/1998/namespace", "preserve", "text", "xml:space"),
      ("lang", "http://www.w3.org/XML/1998/namespace", "de", "text", "xml:lang"),
      ("base", "http://www.w3.org/XML/1998/namespace", "/", "text", nil),
      ("fill", nil, "red", "g", "fill"), ("fill", "u:x", "red", "g", nil),
      ("onload", nil, "a", "g", nil),
      ("fill", nil, "url( '#a' ) red", "g", "fill"), ("fill", nil, "url(#a) url(b)", "g", nil),
      ("style", nil, "a:\\72l", "g", nil), ("style", nil, "a:/**/b", "g", nil),
      ("style", nil, "a: Expression (1)", "g", nil), ("style", nil, "a:image-set('b')", "g", nil),
    ] as [(String, String?, String, String, String?)])
  func `an attribute is kept that draws and refers to nothing outside`(
    name: String, space: String?, value: String, element: String, written: String?
  ) {
    #expect(SVGSanitizer.accepted(name, space, value, element) == written)
  }

  @Test(arguments: [
    (".a{b:c}}.d{e:f}", ".a{b:c}}.d{e:f}"), (".a{b:\"}\"}.c{d:';'}", ".a{b:\"}\"}.c{d:';'}"),
    (".a{b:c}.d{e", ".a{b:c}"), (".a{b:c}/*.d{e:f}", ".a{b:c}"), (".a{/**/b:c/* } */}", ".a{b:c}"),
    ("@charset 'a';@layer b;.c{d:e}", ".c{d:e}"), (".a{@import 'b'}.c{d:e}", ".c{d:e}"),
    ("@media url(a){.b{c:d}}.e{f:g}", ".e{f:g}"),
    ("@MEDIA a{.b{c:d}.e{f:g}}", "@MEDIA a{.b{c:d}.e{f:g}}"),
    ("@media a{.b{c:d}@media e{.f{g:url(h)}}}", ""),
    ("@media a{@media b{.c{d:e}}}", "@media a{@media b{.c{d:e}}}"),
    (
      "@font-face{src:url(data:font/a,b),url('data:application/c,d')}",
      "@font-face{src:url(data:font/a,b),url('data:application/c,d')}"
    ),
    ("@font-face{src:url(data:font/a,b),url(c)}", ""),
    ("@font-face{a:\\62;src:url(data:font/a,b)}", ""),
    ("@font-face{src:url(data:image/a,b)}", ""),
  ])
  func `a style sheet keeps its rules without those that refer to anything outside`(
    sheet: String, expected: String
  ) {
    #expect(SVGStyle.filtered(sheet) == expected)
  }

  @Test func `an image without a shape, of less than 1,000 bytes, is blank`() {
    func isBlank(_ inner: String, _ size: Int = 0) -> Bool {
      let image = Self.start + inner + "</svg>"
      let spaces = String(repeating: " ", count: max(0, size - image.utf8.count))
      return SVGSanitizer.isBlank(Array((Self.start + spaces + inner + "</svg>").utf8))
    }
    #expect(isBlank(""))
    #expect(isBlank("<!-- a --><metadata/>"))
    #expect(!isBlank("<g/>"))
    #expect(!isBlank("<"))
    #expect(isBlank("", 999) && !isBlank("", 1_000))
    #expect(!SVGSanitizer.isBlank(Array("<html></html>".utf8)))
  }

  @Test func `a chain of 99 uses is drawn`() {
    func chain(_ uses: Int) -> String {
      (0..<uses).map { "<g id=\"l\($0)\"><use href=\"#l\($0 + 1)\"/></g>" }.joined()
        + "<g id=\"l\(uses)\"/>"
    }
    #expect(Self.svg(chain(99)) != nil)
    #expect(Self.svg(chain(100)) == nil)
  }
}
