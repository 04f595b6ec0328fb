import ArchiverCore
import Testing

@testable import ArchiverEPUB

@Suite struct InvariantTests {
  /// A seeded generator, so that a failure is reproducible (xorshift64).
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  private static let pieces = [
    "<p>", "</p>", "<div onclick=\"x()\">", "</div>", "<svg>", "</svg>", "<math>", "</math>",
    "<mtext>", "</mtext>", "<style>", "</style>", "<script>", "</script>", "<title>", "</title>",
    "<a href=\"javascript:alert(1)\">", "</a>", "<img src=\"x\" onerror=\"alert(1)\">", "<table>",
    "</table>", "<tr>", "<td>", "<noscript>", "</noscript>", "<textarea>", "</textarea>", "<!--",
    "-->", "<![CDATA[", "]]>", "&lt;script&gt;", "text", "\"", "'", "<iframe src=\"//e\">",
    "<foreignObject>", "<annotation-xml encoding=\"text/html\">", "<desc>", "<template>",
    "<p style=\"background:url(//e/x);color:red;x:expression(1)\">", "<xmp>", "<plaintext>",
    "<object data=\"//e\">", "<form action=\"//e\"><input>", "<base href=\"//e\">", "&#0;", "\u{0}",
    "<meta http-equiv=\"refresh\" content=\"0;url=//e\">", "<select><option>", "<ruby><rt>",
    "<use href=\"//e#x\"/>", "<animate attributeName=\"href\" values=\"javascript:1\"/>", "]]>",
    "<svg onload=\"x()\"><a xlink:href=\"javascript:1\">", "<p id=\"content\" class=\"skip\">",
    "p{background:url(http://e/)}", "@import '//e';", "<br>", "</body>", "</html>",
    "<body onload=x>",
  ]

  @Test(arguments: 1...80)
  func `nothing that acts or reaches out survives`(seed: Int) throws {
    var random = Seeded(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
    let count = Int.random(in: 1...60, using: &random)
    let body = (0..<count).map { _ in
      Self.pieces.randomElement(using: &random) ?? ""
    }.joined()
    let builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page(body))])
    let sink = MemorySink()
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    let page = sink.text("text/0001.html")
    #expect(Self.problems(page) == [], "\(body)")
  }

  /// Returns forbidden content of a page.
  private static func problems(_ page: String) -> [String] {
    guard let start = page.firstRange(of: "<main")?.lowerBound,
      let end = page.firstRange(of: "</main>")?.lowerBound
    else { return ["no content"] }
    var found = [String]()
    for tag in page[start..<end].split(separator: "<").dropFirst() {
      let inside = tag.prefix { $0 != ">" }.lowercased()
      let name = inside.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
      let isBad =
        forbidden.contains(String(name)) || inside.contains("javascript:") || inside.contains("//e")
        || inside.split(separator: " ").contains { $0.hasPrefix("on") && $0.contains("=") }
      if isBad { found.append(inside) }
    }
    let style = page[..<start].firstRange(of: "<style>").map { page[$0.upperBound..<start] } ?? ""
    if style.contains("//e") { found.append(String(style)) }
    if page.utf8.contains(0) { found.append("a zero byte") }
    return found
  }

  private static let forbidden: Set<String> = [
    "script", "style", "title", "textarea", "noscript", "iframe", "xmp", "plaintext", "template",
    "object", "embed", "form", "input", "base", "meta", "link", "select", "option", "foreignobject",
    "animate", "annotation", "desc", "body", "html",
  ]
}
