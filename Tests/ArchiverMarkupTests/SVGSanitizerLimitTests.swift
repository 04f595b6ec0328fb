import Testing

@testable import ArchiverMarkup

/// The size, the root and the references of SVG images.
@Suite struct SVGSanitizerLimitTests {
  private static let start = "<svg xmlns=\"http://www.w3.org/2000/svg\">"

  private static func sanitized(_ image: String) -> String? {
    SVGSanitizer.sanitize(Array(image.utf8)).map { text($0) }
  }

  @Test func `an image of more than 20 MB is refused`() {
    let (start, end) = (Array(Self.start.utf8), Array("</svg>".utf8))
    func image(_ size: Int) -> [UInt8] {
      start + [UInt8](repeating: 0x20, count: size - start.count - end.count) + end
    }
    #expect(SVGSanitizer.sanitize(image(1_000)) != nil)
    #expect(SVGSanitizer.sanitize(image((20 << 20) + 1)) == nil)
  }

  @Test(arguments: [
    ("<text><a href='b'>c</a></text>", "<text><tspan>c</tspan></text>"),
    (
      "<text><tspan><a><a>c</a></a></tspan></text>",
      "<tspan><tspan><tspan>c</tspan></tspan></tspan>"
    ),
    ("<a><text>c</text></a>", "<g><text>c</text></g>"),
    ("<text>b</text><a><path d='M0 0'/></a>", "<g><path d=\"M0 0\"></path></g>"),
  ])
  func `a link becomes what its parent draws`(content: String, written: String) {
    #expect(Self.sanitized(Self.start + content + "</svg>")?.contains(written) == true)
  }

  @Test func `the root is svg, in the namespace of SVG or in none`() {
    let plain = Self.sanitized("<svg><g/><foreignObject>a</foreignObject></svg>")
    #expect(plain?.contains("<g></g><text ") == true)
    #expect(plain?.contains(">a</tspan></text></svg>") == true)
    #expect(Self.sanitized(Self.start + "</svg>") != nil)
    #expect(Self.sanitized("<svg xmlns=\"u:x\"/>") == nil)
    #expect(Self.sanitized("<g xmlns=\"http://www.w3.org/2000/svg\"/>") == nil)
  }

  @Test func `foreign text is read to a depth of 249`() {
    func image(_ depth: Int) -> String? {
      let (open, close) = (String(repeating: "<b>", count: depth), "</b>")
      let content = open + "a" + String(repeating: close, count: depth)
      return Self.sanitized("\(Self.start)<foreignObject>\(content)</foreignObject></svg>")
    }
    #expect(image(249)?.contains(">a</tspan>") == true)
    #expect(image(250)?.contains("tspan") == false)
  }

  @Test(
    arguments: [
      ("fill", "url(b)", nil), ("fill", "URL( \"b#c\" )", nil), ("fill", "url()", nil),
      ("fill", "url(\"#b\")", "fill"), ("fill", "url(#a) url(#b)", "fill"),
      ("style", "fill:url(b)", nil), ("style", "a:src('b')", nil), ("style", "a:JavaScript:b", nil),
      ("style", "a:IMAGE-SET (b)", nil), ("style", "fill:red", "style"), ("fill", "", "fill"),
    ] as [(String, String, String?)])
  func `an attribute refers to the image itself`(name: String, value: String, written: String?) {
    #expect(SVGSanitizer.accepted(name, nil, value, "g") == written)
  }

  @Test(
    arguments: [
      ("@font-face{src:url(\"data:font/a,b\")}", true), ("@font-face{src:local(a)}", true),
      ("@font-face{src:url(b)}", false), ("url(b){c:d}", false), ("a{b:url(\"#c\")}", true),
      ("@keyframes a{from{b:c}to{b:d}}", true), ("@keyframes a{from{b:url(d)}}", false),
      ("@namespace a;", false), ("@media;", false),
    ] as [(String, Bool)])
  func `a rule of a style sheet refers to the image itself`(rule: String, isKept: Bool) {
    #expect(SVGStyle.filtered(rule) == (isKept ? rule : ""))
    #expect(SVGStyle.filtered(rule + "x{y:z}") == (isKept ? rule : "") + "x{y:z}")
  }
}
