import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

/// What exported books contain; `epubcheck` accepts it.
@Suite struct BookMarkupTests {
  @Test(arguments: [
    ("<dl><dt>a</dt><dd>b</dd></dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
    ("<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd>d</dd></dl>", nil),
    ("<dl><dd>a</dd></dl>", "<div><div>a</div></div>"),
    ("<dl><dt>a</dt></dl>", "<div><div>a</div></div>"), ("<dl></dl>", "<div></div>"),
    ("<dl>x<dt>a</dt><dd>b</dd></dl>", "<div>x<div>a</div><div>b</div></div>"),
    (
      "<dl><dt>a</dt><dd><dl><dd>b</dd></dl></dd></dl>",
      "<dl><dt>a</dt><dd><div><div>b</div></div></dd></dl>"
    ),
    (
      "<dl><dd><dl><dt>a</dt><dd>b</dd></dl></dd></dl>",
      "<div><div><dl><dt>a</dt><dd>b</dd></dl></div></div>"
    ),
    ("<dd id=\"x\">a</dd>", "<div id=\"x\">a</div>"),
    ("<figure><p>a</p><figcaption>b</figcaption></figure>", nil),
    ("<figure><figcaption>b</figcaption><p>a</p></figure>", nil),
    (
      "<figure><p>a</p><figcaption>b</figcaption><p>c</p></figure>",
      "<figure><p>a</p><div>b</div><p>c</p></figure>"
    ),
    ("<figcaption>b</figcaption>", "<div>b</div>"),
    (
      "<time datetime=\"2023-12-20T20:09:56.0000000Z\">a</time>",
      "<time datetime=\"2023-12-20T20:09:56.000Z\">a</time>"
    ),
    ("<time datetime=\"2023-12\">a</time>", nil),
    ("<time datetime=\"PDT08:05:41-07:00\">a</time>", "<span>a</span>"),
    ("<time><b>On:</b> Friday</time>", "<span><b>On:</b> Friday</span>"),
    // Figures within lists that turn out to be none are corrected with them.
    (
      "<dl><figure><figcaption>a</figcaption><dd>b</dd><figcaption>c</figcaption></figure></dl>",
      "<div><figure><div>a</div><div>b</div><div>c</div></figure></div>"
    ),
    (
      "<details open><summary>a</summary>b</details>",
      "<details open=\"open\"><summary>a</summary>b</details>"
    ),
    ("<details open id=\"x\">b</details>", "<div id=\"x\">b</div>"),
    ("<details>a<summary>b</summary></details>", "<div>a<div>b</div></div>"),
    ("<details><summary><div>a</div></summary>b</details>", "<div><div><div>a</div></div>b</div>"),
    (
      "<details><summary>a</summary><details>b</details></details>",
      "<details><summary>a</summary><div>b</div></details>"
    ),
    (
      "<details><summary>a</summary><summary>b</summary></details>",
      "<div><div>a</div><div>b</div></div>"
    ),
    ("<summary>a</summary>", "<div>a</div>"),
    (
      "<table><tfoot><tr><td>3</td></tr></tfoot><caption>0</caption><tbody><tr><td>2</td></tr></tbody><thead><tr><th>1</th></tr></thead></table>",
      "<table><caption>0</caption><thead><tr><th>1</th></tr></thead><tbody><tr><td>2</td></tr></tbody><tfoot><tr><td>3</td></tr></tfoot></table>"
    ),
    (
      "<table><thead><tr><th>1</th></tr></thead><thead><tr><th>2</th></tr></thead></table>",
      "<table><thead><tr><th>1</th></tr></thead><tbody><tr><th>2</th></tr></tbody></table>"
    ),
    (
      "<table><tfoot><tr><td><table><tfoot><tr><td>d</td></tr></tfoot><tbody><tr><td>c</td></tr></tbody></table></td></tr></tfoot><tbody><tr><td><dl><dd>a</dd></dl></td></tr></tbody></table>",
      "<table><tbody><tr><td><div><div>a</div></div></td></tr></tbody><tfoot><tr><td><table><tbody><tr><td>c</td></tr></tbody><tfoot><tr><td>d</td></tr></tfoot></table></td></tr></tfoot></table>"
    ),
    ("<ruby>a<rt>b</rt>c<rt>d</rt></ruby>", nil),
    ("<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>", nil),
    ("<ruby>a<rp>(</rp><rt>b</rt></ruby>", "<ruby>a<rt>b</rt></ruby>"),
    ("<ruby>a<rp><b>(</b></rp><rt>b</rt><rp>)</rp></ruby>", "<ruby>a<rt>b</rt></ruby>"),
    (
      "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp>c<rp>)</rp></ruby>",
      "<ruby>a<rt>b</rt>c<rt></rt></ruby>"
    ),
    ("<ruby>a</ruby>", "<ruby>a<rt></rt></ruby>"),
    ("<rt>a</rt><rp>b</rp>", "<span>a</span><span>b</span>"),
    ("<b><object>a</object>b</b>", "<b>ab</b>"),
    ("<time datetime=\"1558442573000\">a</time>", "<span>a</span>"),
    ("<a href=\"http://e.org:80\">a</a>", nil), ("<a href=\"http://e.org./x%20\">a</a>", nil),
    ("<a href=\"http://u:p@[::1]:80?\">a</a>", nil), ("<a href=\"http://ü.org#x\">a</a>", nil),
    ("<a href=\"http://a..org/\">a</a>", "<a>a</a>"),
    ("<a href=\"http://a%20b/\">a</a>", "<a>a</a>"),
    ("<a href=\"http://[x]/\">a</a>", "<a>a</a>"), ("<a href=\"http://\">a</a>", "<a>a</a>"),
    ("<a href=\"mailto: a@b.org\">a</a>", "<a href=\"mailto:%20a@b.org\">a</a>"),
    (
      "<a href=\"mailto:?body=x [#1] 100% %20#2\">a</a>",
      "<a href=\"mailto:?body=x%20%5B#1%5D%20100%25%20%20%232\">a</a>"
    ),
    (
      "<a href=\"http://[::1]/é?a[0]=1&amp;b\">a</a>",
      "<a href=\"http://[::1]/é?a%5B0%5D=1&amp;b\">a</a>"
    ),
    ("<p style=\"direction:rtl;color:red\">a</p>", "<p style=\"color:red\" dir=\"rtl\">a</p>"),
    ("<p dir=\"ltr\" style=\"direction: rtl\">a</p>", "<p dir=\"ltr\">a</p>"),
  ])
  func `chapters of a book keep to the schema of books`(
    html: String, expected: String?
  ) throws {
    let fragment = try XHTMLFragment.make(Array(html.utf8)) { _, address in address }
    #expect(text(fragment) == expected ?? html)
  }

  private func drawing(_ inner: String) -> String? {
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let root =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
    return BookDrawing.make(Array("\(start)\(root)\(inner)</svg>".utf8)).map { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix(start + root), "\(text)")
      return String(text.dropFirst((start + root).count).dropLast("</svg>\n".count))
    }
  }

  @Test(arguments: [
    ("<g id=\"a\"/><g id=\"a\"/>", "<g id=\"a\"/><g/>"),
    (
      "<path id=\"Group 1\" d=\"M0 0\"/><use xlink:href=\"#Group%201\"/><use href=\"#Group 1\"/>",
      "<path id=\"_Group_1\" d=\"M0 0\"/><use xlink:href=\"#_Group_1\"/><use href=\"#_Group_1\"/>"
    ),
    (
      "<mask id=\"1a\"/><g id=\"_1a\" mask=\"url(#1a)\" style=\"mask:url(&quot;#1a&quot;)\"/>",
      "<mask id=\"_1a-2\"/><g id=\"_1a\" mask=\"url(#_1a-2)\" style=\"mask:url(&quot;#_1a-2&quot;)\"/>"
    ),
    (
      "<style>#\\31 a{fill:#1ab}#a\\ b.c,#a\\:b{mask: url( #1a )}</style><g id=\"1a\"/><g id=\"a b\"/><g id=\"a:b\"/>",
      "<style>#_1a{fill:#1ab}#_a_b.c,#_a_b-2{mask: url( #_1a )}</style><g id=\"_1a\"/><g id=\"_a_b\"/><g id=\"_a_b-2\"/>"
    ),
    ("<use xlink:href=\"#none\"/>", "<use/>"),
    (
      "<path d=\"\" fill=\"url(#none)\" stroke=\"url(#none) red\" mask=\"url(#none)\"/>",
      "<path d=\"\" fill=\"none\" stroke=\"red\"/>"
    ),
    (
      "<path d=\"M0 0\"><title>t</title><path id=\"x\" d=\"\"><g/></path></path>",
      "<path d=\"M0 0\"><title>t</title></path>"
    ),
    ("<rect x=\"1\"/><circle/>", "<rect x=\"1\" width=\"0\" height=\"0\"/><circle r=\"0\"/>"),
    ("<g>a<text>b<tspan>c</tspan></text></g>", "<g><text>b<tspan>c</tspan></text></g>"),
    ("<svg version=\"2\"/><svg version=\"1.1\"/>", "<svg/><svg version=\"1.1\"/>"),
    ("<ellipse ry=\"2\"/>", "<ellipse ry=\"2\" rx=\"2\"/>"),
    ("<path/><stop/>", "<path d=\"\"/><stop offset=\"0\"/>"),
  ])
  func `drawings of a book are valid and look the same`(inner: String, expected: String) {
    let written = drawing(inner)
    #expect(written == expected)
    #expect(drawing(expected) == nil, "valid")
  }

  @Test(arguments: [
    "<table><tfoot><tr><td></td></tr></tfoot><thead><tr><td>", "<dl><dd>", "<dl><dt>",
    "<figure><figcaption>",
    "<details><summary>", "<details open>", "<ruby><rp>", "<ruby>a<rt>b</rt>", "<summary><div>",
  ])
  func `nested content is corrected in linear time`(piece: String) throws {
    let html = Array(PathologicalInputTests.repeated(piece, 200_000).utf8)
    let clean = try HTMLSanitizer().sanitize(html, baseURL: nil).bytes
    let time = try processorTime { _ = try XHTMLFragment.make(clean) { _, address in address } }
    #expect(time < .seconds(2), "\(time)")
  }

  @Test func `thousands of ids are renamed in linear time`() {
    // All of them become the same name with a number.
    let signs = Array("!$%()*+,/:;=?@~^`|[]")
    let shapes = (0..<20_000).map { number in
      let id = [number % 20, number / 20 % 20, number / 400 % 20, number / 8_000].map { signs[$0] }
      return "<g id=\"\(String(id))\"/>"
    }
    var written: String?
    let time = processorTime { written = drawing(shapes.joined()) }
    #expect(written?.contains("<g id=\"_____-20000\"/>") == true)
    #expect(time < .seconds(2), "\(time)")
  }

  @Test func `a valid drawing is exported as it is`() {
    #expect(drawing("<g id=\"a\"><rect width=\"1\" height=\"1\" fill=\"url(#a)\"/></g>") == nil)
    #expect(BookDrawing.make(Array("<svg".utf8)) == nil, "no XML")
  }
}
