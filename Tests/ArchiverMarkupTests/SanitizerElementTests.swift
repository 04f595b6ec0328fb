import ArchiverCore
import ArchiverMarkup
import Testing

@Suite struct SanitizerElementTests {
  @Test(arguments: [
    ("<p>a<p>b", "<p>a</p><p>b</p>"),
    ("<P CLASS=x ID='Y'>A</P>", "<p id=\"c-Y\">A</p>"),
    ("<section><article>x</article></section>", "<div><div>x</div></div>"),
    ("<p>a <b>b </b>c</p>", "<p>a <b>b</b> c</p>"),
    ("a  \t b", "a b"),
    (
      "<a href=/x><div>b</div></a>",
      "<div><a href=\"https://example.org/x\" rel=\"noreferrer noopener\">b</a></div>"
    ),
    ("<p>a<x-y><div>b</div></x-y>c", "<p>a</p><div>b</div>c"),
    ("7<div></div>8", "7<br>8"),
    ("<ul>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
    (
      "<ol start=3 reversed type=a><li value=7>x</ol>",
      "<ol start=\"3\" reversed=\"\" type=\"a\"><li value=\"7\">x</li></ol>"
    ),
    ("<dl><dt>t<dd>d</dl>", "<dl><dt>t</dt><dd>d</dd></dl>"),
    ("<li>stray", "<div>stray</div>"),
    (
      "<table><td>a<td colspan=2 rowspan=x>b</table>",
      "<table><tbody><tr><td>a</td><td colspan=\"2\">b</td></tr></tbody></table>"
    ),
    (
      "<table><caption>c</caption><colgroup><col span=2></colgroup><thead><tr><th scope=col>h</table>",
      "<table><caption>c</caption><colgroup><col span=\"2\"></colgroup><thead><tr><th scope=\"col\">h</th></tr></thead></table>"
    ),
    ("<table>stray</table>", "stray"),
    ("<figure><figcaption>c</figcaption></figure>", "<figure><figcaption>c</figcaption></figure>"),
    (
      "<details open><summary>s</summary>d</details>",
      "<details open=\"\"><summary>s</summary>d</details>"
    ),
    (
      "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
      "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>"
    ),
    ("<bdo dir=RTL>x</bdo><bdi>y</bdi>", "<bdo dir=\"rtl\">x</bdo><bdi>y</bdi>"),
    (
      "<blockquote cite=/q>x</blockquote>",
      "<blockquote cite=\"https://example.org/q\">x</blockquote>"
    ),
    (
      "<time datetime=2024-01-02>d</time><abbr title=T>t</abbr>",
      "<time datetime=\"2024-01-02\">d</time><abbr title=\"T\">t</abbr>"
    ),
    (
      "x<sub>1</sub><sup>2</sup><del>a</del><ins>b</ins><strike>c</strike><tt>d</tt>",
      "x<sub>1</sub><sup>2</sup><del>a</del><ins>b</ins><s>c</s><code>d</code>"
    ),
    ("a<hr>b<br>c<wbr>d", "a<hr>b<br>c<wbr>d"),
    ("<p>one<wbr>two</p>three", "<p>one<wbr>two</p>three"),
    ("<script>x</script><style>y</style><template>z</template>a", "a"),
    ("<button>x</button><select><option>y</select>a", "x y a"),
    ("<p>a<button>b</button></p><textarea>c</textarea>", "<p>a b</p><pre>c</pre>"),
    ("<form><label>Name</label><input value=v></form>", "<div>Name</div>"),
    ("<input type=checkbox checked> done", "☑ done"),
    ("<!-- c --><?php x ?>a", "a"),
    ("<p>a</p></body></html><p>b</p>", "<p>a</p><p>b</p>"),
    ("<pre>\n\na\n  b</pre>", "<pre>a  b</pre>"),
    ("<pre><div>a</div><div>b</div></pre>", "<pre>ab</pre>"),
    (
      "<p align=center style='color:red;width:3px'>x",
      "<p class=\"ink-red\" style=\"text-align:center\">x</p>"
    ),
    (
      "<table><td style='WIDTH: 50%; vertical-align:top'>x</table>",
      "<table><tbody><tr><td style=\"width:50%;vertical-align:top\">x</td></tr></tbody></table>"
    ),
    (
      "<p style=\"background:red url( 'b(1).png' ) no-repeat\">x",
      "<p class=\"tint-red\" style=\"background-image:url(https://example.org/dir/b%281%29.png)\">x</p>"
    ),
    ("<p style=\"font-family:'a;font-weight:bold;b'\">x", "<p>x</p>"),
    ("<svg><text>Hi</text><title>no</title><script>1</script></svg>", "Hi"),
    ("<svg><g><p>out</p></g></svg>", "<p>out</p>"),
    (
      "<math display=block href=x><mi mathvariant=normal>x</mi><annotation>y</annotation></math>",
      "<math display=\"block\"><mi mathvariant=\"normal\">x</mi></math>"
    ),
    (
      "<math><mi>a<img src=x><b>c</b></mi>loose</math>",
      "<math><mi>ac</mi><mtext>loose</mtext></math>"
    ),
    (
      "<iframe src='//v.org/e?a=1&b=2'>no</iframe>",
      "<p class=\"embed\"><a href=\"https://v.org/e?a=1&amp;b=2\" rel=\"noreferrer noopener\">Embedded content: https://v.org/e?a=1&amp;b=2</a></p>"
    ),
    ("<iframe src=/x width=0 height=0></iframe>", ""),
    (
      "<embed src=/e>after",
      "<p class=\"embed\"><a href=\"https://example.org/e\" rel=\"noreferrer noopener\">Embedded content: https://example.org/e</a></p>after"
    ),
    (
      "<p lang=pt-BR dir=auto title='a\"b'>x",
      "<p lang=\"pt-BR\" dir=\"auto\" title=\"a&quot;b\">x</p>"
    ),
    ("&#0;a&#xD800;b\u{0}c", "\u{FFFD}a\u{FFFD}bc"),
  ])
  func `writes canonical HTML`(_ input: String, _ output: String) throws {
    #expect(try canonical(input) == output)
  }

  @Test(arguments: [
    ("/a b", "https://example.org/a%20b"), ("?q=1", "https://example.org/dir/page?q=1"),
    ("//h.org", "https://h.org/"), (" HTTPS://H.org/x ", "https://h.org/x"),
    ("mailto:a@b.c", "mailto:a@b.c"), ("tel:+491", "tel:+491"), ("#a b", "#c-a-b"),
    ("doi:10.1000/182", "doi:10.1000/182"), ("MAGNET:?xt=urn:btih:1", "MAGNET:?xt=urn:btih:1"),
    ("ftp://h.org/f", "ftp://h.org/f"), ("urn:isbn:0451450523", "urn:isbn:0451450523"),
    ("geo:1,2", "geo:1,2"), ("sms:+491", "sms:+491"),
    ("#caf%C3%A9", "#c-café"),
    ("ht\ntps://h.org/", "https://h.org/"),
  ])
  func `resolves links it can follow`(_ href: String, _ expected: String) throws {
    let html = try canonical("<a href=\"\(href)\">x</a>")
    #expect(html.contains("href=\"\(expected)\""), "\(html)")
    #expect(html.contains("rel=\"noreferrer noopener\"") == expected.hasPrefix("http"))
  }

  @Test(arguments: [
    "javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\tscript:alert(1)",
    "\u{1}javascript:alert(1)",
    "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x",
    "about:blank",
    "view-source:x", "filesystem:x", "chrome://settings", "ms-msdt:x", "unheard-of:x", "doi:",
    "javascript\u{A0}:x", "#", "http://", "http://a:99999/",
  ])
  func `drops links that may run something and keeps their text`(_ href: String) throws {
    #expect(try canonical("<a href=\"\(href)\">x</a>") == "x")
  }

  @Test(arguments: [
    "/a/b?c=d,e;f", "/a//b", "/a/../b", "/./x", "//h.org/x", "/a?b=/../c", "/a:b@c!$+", "/",
    "/.hidden",
    "https://h.org/a/../b", "https://h.org/a//b?x=1?y", "https://h.org/a,b;c@d!e",
    "https://h.org?x",
    "https://H.org/A", "https://h.org:443/x", "https://u:p@h.org/x", "https://h.org/%7Ea b",
    "x/../y",
  ])
  func `resolves every address as WebURL does`(_ reference: String) throws {
    let expected = try #require(page?.resolving(reference)).absoluteString
    #expect(try canonical("<a href='\(reference)'>x</a>").contains("href=\"\(expected)\""))
  }

  @Test func `honours the first base element`() throws {
    let result = try sanitized(
      "<base href='https://b.org/d/'><base href='https://c.org/'><a href=x>y</a>")
    #expect(text(result.bytes).contains("https://b.org/d/x"))
    #expect(result.baseURL == WebURL("https://b.org/d/"))
  }

  @Test func `drops relative links without a base`() throws {
    #expect(text(try sanitized("<a href=x>y</a>", base: nil).bytes) == "y")
  }

  @Test func `keeps only the classes it is given`() throws {
    let options = SanitizerOptions(allowedClasses: ["callout"])
    #expect(try canonical("<p class='callout evil'>x", options) == "<p class=\"callout\">x</p>")
    #expect(try canonical("<p class='callout'>x") == "<p>x</p>")
  }

  @Test func `moves headings down when the page has a first-level one`() throws {
    #expect(
      try canonical("<h1>A</h1><h2>B</h2><h6>C</h6>")
        == "<h2 id=\"c-a\">A</h2><h3 id=\"c-b\">B</h3><h6 id=\"c-c\">C</h6>")
    #expect(try canonical("<h2>B</h2>") == "<h2 id=\"c-b\">B</h2>")
  }

  @Test func `lists headings with ids that differ`() throws {
    let headings = try sanitized("<h2>Same</h2><h2>Same</h2><h3 id=own>Own <b>x</b></h3><h2>!</h2>")
      .headings
    #expect(headings.map(\.id) == ["c-same", "c-same-2", "c-own", "c-section"])
    #expect(headings.map(\.text) == ["Same", "Same", "Own x", "!"])
    #expect(headings.map(\.level) == [2, 2, 3, 2])
  }

  @Test func `keeps footnotes linked both ways and drops ids used twice`() throws {
    let html = try canonical(
      "<p><a href=#fn.1 id=r1>1</a><p id=fn.1><a href='#r1'>back</a><p id=fn.1>x")
    #expect(
      html
        == "<p><a id=\"c-r1\" href=\"#c-fn.1\" target=\"_self\">1</a></p><p id=\"c-fn.1\"><a href=\"#c-r1\" target=\"_self\">back</a></p><p>x</p>"
    )
  }

  @Test func `counts words and separates blocks in plain text`() throws {
    let result = try sanitized(
      "<h2>One two</h2><p>three <b>fo</b>ur<br>five</p><ul><li>漢字<li>six</ul>")
    #expect(result.plainText == "One two\nthree four\nfive\n漢字\nsix")
    #expect(result.wordCount == 8)
    #expect(try sanitized("<pre><div>a</div><div>b</div></pre>").plainText == "a\nb")
    #expect(!result.isEmpty)
    #expect(try sanitized("<div> <p></p><script>x</script></div>").isEmpty)
    #expect(try !sanitized("<img src=a.png>").isEmpty)
  }

  @Test(arguments: [
    (
      "<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>へ行く。</p><p>x",
      "東京へ行く。 とうきょう\nx"
    ),
    (
      "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>x",
      "漢字x kan ji"
    ),
    (
      "<ruby>\n 漢 <rp>(</rp><rt>kan</rt><rp>)</rp>\n 字 <rp>(</rp><rt>ji</rt><rp>)</rp>\n</ruby>",
      "漢字 kan ji"
    ),
    ("a<ruby>one <rt>x</rt> two <rt>y</rt></ruby> three", "aone two three x y"),
    ("<ruby>東<rt>とう</rt></ruby> <ruby>京<rt>きょう</rt></ruby>", "東 京 とう きょう"),
    ("<ruby>東<rt>とう<p>x</p>y</rt>京</ruby>z<br>w", "東 とう\nx\n京z y\nw"),
    ("<ruby><rt>とう</rt></ruby>", "とう"), ("<rt>a</rt>b<rp>c</rp>", "abc"),
  ])
  func `readings come after the line, so that the words above them are found`(
    html: String, expected: String
  ) throws {
    let result = try sanitized(html)
    #expect(result.plainText == expected)
    #expect(try HTMLSanitizer().plainText(of: result.bytes) == expected)
  }

  @Test func `headings and highlights have readings where they stand`() throws {
    let result = try sanitized(
      "<h2><ruby>東<rt>とう</rt>京</ruby></h2>"
        + "<p>a <rd-annotation id=n><ruby>東<rt>とう</rt>京</ruby> b</rd-annotation> c</p>")
    #expect(result.headings.map(\.text) == ["東とう京"])
    #expect(result.annotations.map(\.text) == ["東とう京 b"])
    #expect(result.plainText == "東京 とう\na 東京 b c とう")
  }

  @Test func `repairs bytes that are not UTF-8`() throws {
    let result = try HTMLSanitizer().sanitize([0xEF, 0xBB, 0xBF, 0x61, 0xFF, 0x62], baseURL: nil)
    #expect(text(result.bytes) == "a\u{FFFD}b")
  }

  @Test func `names the limit that was passed`() {
    var limits = SanitizerLimits()
    limits.inputBytes = 10
    limits.images = 1
    limits.nodes = 5
    func message(_ html: String) -> String {
      do throws(MarkupError) {
        _ = try HTMLSanitizer(SanitizerOptions(limits: limits)).sanitize(
          Array(html.utf8), baseURL: page)
        return ""
      } catch { return error.message }
    }
    #expect(message("0123456789a").contains("(limits.htmlSize is 10)"))
    limits.inputBytes = 1_000
    limits.nodes = 100
    for html in [
      "<img src=a><img src=b>", "<img src=a><noscript><img src=b><img src=c></noscript>",
      "<picture><source srcset=a></picture><picture><source srcset=b></picture>",
      "<video poster=a></video><video poster=b></video>",
    ] {
      #expect(message(html).contains("(limits.images is 1)"), "\(html)")
    }
    limits.nodes = 5
    #expect(
      message("<i>a</i><i>a</i><i>a</i><i>a</i><i>a</i>").contains("(limits.htmlElements is 5)"))
  }

  @Test func `a tag may have any number of attributes`() throws {
    let names = (0..<600).map { "a\($0) " }.joined()
    let result = try sanitized("<p \(names) dir=rtl>x<b>y</b>")
    #expect(text(result.bytes) == "<p dir=\"rtl\">x<b>y</b></p>")
  }
}
