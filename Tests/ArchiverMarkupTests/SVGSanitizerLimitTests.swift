import ArchiverCore
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

  @Test(arguments: [
    (
      "a<br/>b &amp; c", "a...",
      "<tspan x=\"4\" dy=\"-0.6em\">a</tspan><tspan x=\"4\" dy=\"1.2em\">b &amp; c</tspan>"
    ),
    (
      "<div>Wait for it</div>", "Wait fo\u{2026}", "<tspan x=\"4\" dy=\"0.0em\">Wait for it</tspan>"
    ),
    ("Wait for it", "Wait...", "<tspan x=\"4\" dy=\"0.0em\">Wait for it</tspan>"),
    ("Wait...", "Wait...", "Wait..."), ("<br/>", "Wait", "Wait"), ("a<br/>b", "a b", "a b"),
    (
      "Wait for it", "[Not supported by viewer]",
      "<tspan x=\"4\" dy=\"0.0em\">Wait for it</tspan>"
    ),
  ])
  func `the alternative of HTML has the words of the HTML in its place`(
    html: String, alternative: String, written: String
  ) {
    let content =
      "<switch><foreignObject><div xmlns='http://www.w3.org/1999/xhtml'>\(html)</div>"
      + "</foreignObject><text x='4'>\(alternative)</text></switch>"
    let image = Self.sanitized(Self.start + content + "</svg>")
    #expect(
      image?.contains("<switch><text x=\"4\">\(written)</text></switch>") == true, "\(image ?? "")")
  }

  @Test func `HTML that browsers do not show leaves its alternative`() {
    let content = "<foreignObject requiredExtensions=\"u:x\">a</foreignObject><text>b</text>"
    let image = Self.sanitized(Self.start + "<switch>\(content)</switch></svg>")
    #expect(image?.contains("<switch><text>b</text></switch>") == true)
  }

  private static func nested(_ content: String) -> String {
    let bytes = (start + content + "</svg>").utf8
    return "<image xlink:href=\"data:image/svg+xml;base64,"
      + Data(bytes).base64EncodedString() + "\"/>"
  }

  @Test func `an image within an image is sanitised and kept, one level deep`() throws {
    let root = Self.start.replacing(">", with: " xmlns:xlink=\"http://www.w3.org/1999/xlink\">")
    let inner =
      "<path d=\"M0 0\"/><script>x</script>" + Self.nested("<rect/>").replacing("xlink:", with: "")
    let image = try #require(Self.sanitized(root + Self.nested(inner) + "</svg>"))
    let data = try #require(image.split(separator: "base64,").last?.split(separator: "\"").first)
    let kept = String(decoding: try #require(Data(base64Encoded: String(data))), as: UTF8.self)
    #expect(kept.contains("<path d=\"M0 0\"></path><image></image></svg>"), "\(kept)")
    #expect(
      Self.sanitized(image.replacing("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", with: ""))
        == image)
  }

  @Test func `the elements of images within an image count as often as they are drawn`() throws {
    let root = Self.start.replacing(">", with: " xmlns:xlink=\"http://www.w3.org/1999/xlink\">")
    func image(_ uses: Int) -> String {
      root + "<g id=\"a\">" + Self.nested(String(repeating: "<g/>", count: 997)) + "</g>"
        + String(repeating: "<use href=\"#a\"/>", count: uses) + "</svg>"
    }
    // The image within has 998 elements, each use 1,001 more, the rest 1,001.
    #expect(Self.sanitized(image(98)) != nil)
    #expect(Self.sanitized(image(99)) == nil)
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
