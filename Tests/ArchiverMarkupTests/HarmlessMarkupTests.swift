import ArchiverCore
import ArchiverMarkup
import Testing

/// What means something and can do nothing stays: the other half of an allow-list.
@Suite struct HarmlessMarkupTests {
  /// Markup that comes out as it went in.
  static let kept: [String] = [
    "<p>a</p>", "<blockquote cite=\"https://x.example/\">a</blockquote>",
    "<pre>a\n  b</pre>", "<pre><code>let a = b &lt; c</code></pre>", "<ul><li>a</li></ul>",
    "<ol start=\"3\" reversed=\"\" type=\"i\"><li value=\"7\">a</li></ol>",
    "<dl><dt>a</dt><dd>b</dd></dl>", "<figure><figcaption>a</figcaption></figure>",
    "<details open=\"\"><summary>a</summary>b</details>",
    "<table><caption>a</caption><thead><tr><th scope=\"col\">b</th></tr></thead><tbody><tr>"
      + "<td colspan=\"2\" rowspan=\"2\">c</td></tr></tbody><tfoot><tr><td>d</td></tr></tfoot></table>",
    "<table><colgroup><col span=\"2\" style=\"width:20%\"></colgroup><tbody><tr><td>a</td></tr></tbody></table>",
    "<p>a<br>b<wbr>c</p>", "<hr>", "<p><b>a</b> <strong>b</strong> <i>c</i> <em>d</em></p>",
    "<p><u>a</u> <s>b</s> <code>c</code> <kbd>d</kbd> <samp>e</samp> <var>f</var> <cite>g</cite></p>",
    "<p>H<sub>2</sub>O x<sup>2</sup> <small>a</small> <mark>b</mark> <q>c</q> <dfn>d</dfn></p>",
    "<p><abbr title=\"World Wide Web\">WWW</abbr> <time datetime=\"2026-01-01T10:00Z\">now</time></p>",
    "<p><del datetime=\"2026-01-01\">a</del> <ins>b</ins></p>",
    "<p dir=\"rtl\" lang=\"ar\">\u{645}\u{631}\u{62D}\u{628}\u{627} <bdo dir=\"ltr\">a</bdo> <bdi>b</bdi></p>",
    "<ruby>\u{6F22}<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>",
    "<p style=\"text-align:center\">a</p>",
    "<p><span style=\"font-weight:700\">a</span> <span style=\"font-style:italic\">b</span></p>",
    "<p><span style=\"text-decoration:underline\">a</span></p>",
    "<p><span style=\"text-decoration:line-through\">a</span></p>",
    "<p><span style=\"font-variant:small-caps\">a</span></p>",
    "<ul style=\"list-style-type:none\"><li>a</li></ul>",
    "<ol style=\"list-style-type:lower-greek\"><li>a</li></ol>",
    "<table><tbody><tr><td style=\"vertical-align:top\">a</td></tr></tbody></table>",
    "<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math>",
    "<math><msqrt><mi>x</mi></msqrt><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable></math>",
    "<p>a\u{AD}b \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} a\u{200D}b \u{A0} \u{200F}x</p>",
    "<p>1 &lt; 2 &amp;&amp; 3 &gt; 2</p>",
  ]

  /// Markup whose meaning comes out in another form.
  static let changed: [(String, String)] = [
    ("<h1>a</h1><h6>b</h6>", ">a</h"), ("<h1>a</h1><h6>b</h6>", ">b</h"),
    ("<a href=\"/x?a=1&b=2#c\">a</a>", "href=\"https://example.org/x?a=1&amp;b=2#c\""),
    ("<a href=\"mailto:a@b.example?subject=x\">a</a>", "href=\"mailto:a@b.example?subject=x\""),
    ("<a href=\"tel:+49301234\">a</a>", "href=\"tel:+49301234\""),
    ("<a name=x>a</a><a href=#x>b</a>", "href=\"#c-x\""),
    (
      "<img src=/a.png alt=\"a b\" title=t width=3 height=4>",
      "alt=\"a b\" title=\"t\" width=\"3\" height=\"4\""
    ),
    (
      "<picture><source srcset=/b.webp><img src=/a.png></picture>",
      "srcset=\"https://example.org/b.webp 1.0x\""
    ),
    (
      "<video src=/a.mp4 poster=/p.png></video>", "<video src=\"https://example.org/a.mp4\" poster="
    ),
    ("<video><source src=/a.mp4></video>", "<video src=\"https://example.org/a.mp4\""),
    ("<audio src=/a.mp3></audio>", "<audio src=\"https://example.org/a.mp3\""),
    ("<iframe src=https://v.example/1></iframe>", "https://v.example/1"),
    (
      "<iframe src=about:blank data-litespeed-src=https://v.example/1></iframe>",
      "https://v.example/1"
    ),
    (
      "<iframe data-cmp-vendor=s1 data-cmp-src=https://v.example/1></iframe>", "https://v.example/1"
    ),
    (
      "<amp-youtube data-videoid=abc layout=responsive></amp-youtube>",
      "https://www.youtube.com/watch?v=abc"
    ),
    ("<lite-youtube videoid=abc></lite-youtube>", "https://www.youtube.com/watch?v=abc"),
    ("<amp-twitter data-tweetid=1></amp-twitter>", "https://twitter.com/i/status/1"),
    ("<script src=https://gist.github.com/u/1a.js></script>", "https://gist.github.com/u/1a"),
    ("<object data=/a.pdf>instead</object>", "https://example.org/a.pdf"),
    ("<article><p>a</article>", "<p>a</p>"),
    ("<p>a <font face=f>b</font></p>", "<p>a b</p>"),
    ("<center>a</center>", "text-align:center"),
    ("<strike>a</strike> <tt>b</tt> <big>c</big>", "<s>a</s> <code>b</code> c"),
    ("<acronym title=t>a</acronym>", "<abbr title=\"t\">a</abbr>"),
    ("<p align=right>a</p>", "text-align:right"),
    ("<table><tr><td valign=top>a", "vertical-align:top"),
    ("<label>a <input type=checkbox checked> b</label>", "\u{2611}"),
    ("<form><fieldset><legend>a</legend><p>b</form>", "<p>b</p>"),
    ("<meter value=1>one</meter><progress>two</progress><output>three</output>", "onetwothree"),
    ("<data value=1>one</data>", "one"),
    ("<noscript><p>a <img src=/a.png></noscript>", "https://example.org/a.png"),
    (
      "<img data-src=/lazy.png src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">",
      "https://example.org/lazy.png"
    ),
    ("<svg><title>t</title><text>words</text></svg>", "words"),
    ("<ul type=square><li>a</ul>", "<li>a</li>"), ("<dir><li>a</dir>", "<ul><li>a</li></ul>"),
    ("<td>alone</td>", "alone"), ("<custom-card><p>a</custom-card>", "<p>a</p>"),
    ("<p style=\"font-weight: bold !important\">a</p>", "font-weight:bold"),
    ("<p style=\"text-decoration: underline dotted red\">a</p>", "text-decoration:underline"),
  ]

  private func sanitized(_ html: String) throws -> String {
    let base = WebURL("https://example.org/dir/page")
    let bytes = try HTMLSanitizer().sanitize(Array(html.utf8), baseURL: base).bytes
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: kept)
  func `harmless markup is unchanged`(html: String) throws {
    // Blocks are on lines of their own.
    func joined(_ text: String) -> String { text.filter { !$0.isNewline } }
    #expect(joined(try sanitized(html)) == joined(html))
  }

  @Test(arguments: changed)
  func `markup with a harmless form is converted to it`(html: String, expected: String) throws {
    let output = try sanitized(html)
    #expect(output.filter { !$0.isNewline }.contains(expected), "\(output)")
  }

  @Test func `a closing parenthesis without an opening one hides no later declaration`() throws {
    let kept = "<p style=\"text-align:center\">a</p>"
    #expect(try sanitized("<p style='x:);text-align:center'>a</p>") == kept)
    #expect(try sanitized("<p style='x:((a);text-align:right);text-align:center'>a</p>") == kept)
    #expect(try sanitized("<p style='x:((a);text-align:center'>a</p>") == "<p>a</p>")
  }

  @Test(arguments: [
    "position:fixed", "font-weight:expression(1)", "color:url(x)", "white-space:url(x)",
    "color:expression(red)", "background-color:var(--red)", "text-transform:url(x)",
    "behavior:url(x)",
    "text-decoration:url(//e)", "list-style-type:\"x\"", "list-style-image:url(//e)",
    "font-family:x",
    "font-weight:-1", "content:\"x\"", "font-style:var(--x)",
  ])
  func `styles keep harmless values only`(style: String) throws {
    #expect(try sanitized("<p style='\(style)'>a</p>") == "<p>a</p>")
  }
}
