import ArchiverCore
import ArchiverMarkup
import Testing

/// The order of blocks, inline elements and anchors in the output.
struct ContentPlaceTests {
  @Test(
    arguments: sides(
      of: #"""
        <table>%<tr><td>x</td></tr></template></table> => <table><tbody><tr><td>x</td></tr></tbody></table>
        <table>%<td>x</td><td>y</td></template></table> => <table><tbody><tr><td>x</td><td>y</td></tr></tbody></table>
        <table><tbody>%<td>x</td></template></tbody></table> => <table><tbody><tr><td>x</td></tr></tbody></table>
        <table><tr><td>a</td></tr>%<td>b</td></template></table> => <table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>
        <table><tbody><tr><td>a</td></tr></tbody>%<tr><td>b</td></tr></template></table> => <table><tbody><tr><td>a</td></tr></tbody><tbody><tr><td>b</td></tr></tbody></table>
        <table>%<col span=2><col></template><tr><td>x</td></tr></table> => <table><colgroup><col span="2"><col></colgroup><tbody><tr><td>x</td></tr></tbody></table>
        %<td>x</td></template> => <div>x</div>
        %<tr><td>x</td></tr></template> => <div><div>x</div></div>
        %<caption>x</caption></template> => x
        a%<col></template> => a
        <table><tr><td>a</td></tr><caption>c</caption></table> => <table><tbody><tr><td>a</td></tr></tbody><caption>c</caption></table>
        """#))
  func `what a table needs between is supplied, and outside a table parts of one are divisions`(
    html: String, expected: String
  ) throws {
    let all = html.replacing("%", with: "<template shadowrootmode=open>")
    #expect(try canonical(all) == expected)
    #expect(try canonical(expected) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <ul><li><h2>a<li>b</ul> => <ul><li><h2 id="c-a">a</h2></li><li>b</li></ul>
        <ul><li><pre>a<li>b</ul> => <ul><li><pre>a</pre></li><li>b</li></ul>
        <ul><li><table><caption>a<li>b</caption></table></ul> => <ul><li><table><caption>a b</caption></table></li></ul>
        <dl><dt>a<dd><h3>b<dt>c</dl> => <dl><dt>a</dt><dd><h3 id="c-b">b</h3></dd><dt>c</dt></dl>
        <dl><dt>a<ul><li>b</ul></dl> => <dl><dt>a b</dt></dl>
        <details>a<summary>s</summary></details> => <details>a<div>s</div></details>
        <details><p></p><summary>s</summary>b</details> => <details><summary>s</summary>b</details>
        <details><div><summary>s</summary></div></details> => <details><div><div>s</div></div></details>
        <summary>s</summary> => <div>s</div>
        """#))
  func `an item, a term or a summary stands only in its parent`(
    html: String, expected: String
  ) throws {
    #expect(try canonical(html) == expected)
    #expect(try canonical(expected) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <p>a<p>b => <p>a</p>⏎<p>b</p>
        <ul><li>a<li>b</ul> => <ul>⏎<li>a</li>⏎<li>b</li>⏎</ul>
        <table><tr><td>a</table> => <table>⏎<tbody><tr><td>a</td>⏎</tr>⏎</tbody>⏎</table>
        <pre>a<div>b</div>c</pre> => <pre>a⏎b⏎c</pre>
        <pre>a⏎<div>b</div></pre> => <pre>a⏎b⏎</pre>
        <pre><div>a</div></pre> => <pre>a⏎</pre>
        a ⏎ b => a⏎b
        a⏎ b => a⏎b
        a  b => a b
        a <br> b => a<br>b
        a <hr> b => a<hr>⏎b
        <wbr>a => a
        a <wbr>b => a b
        a<wbr> b => a<wbr> b
        a<div></div> => a
        a<div></div>b<p></p> => a<br>b
        <div></div>a => a
        """#))
  func `lines of the output are those of blocks and of the source`(
    html: String, expected: String
  ) throws {
    #expect(text(try sanitized(html).bytes) == expected)
    #expect(text(try sanitized(expected).bytes) == expected)
  }

  @Test func `preformatted text keeps its tabulators and no other control characters`() throws {
    #expect(
      text(try sanitized("<pre>a\tb\u{7F}c\u{1}d\u{1F}e</pre>").bytes) == "<pre>a\tbcde</pre>")
    #expect(text(try sanitized("<p>a&#xFEFF;b\u{7F}c</p>").bytes) == "<p>abc</p>")
  }

  @Test(
    arguments: sides(
      of: #"""
        <x-y id=k></x-y>a => <span id="c-k"></span>a
        <x-y id=k></x-y><x-z id=k></x-z>a => <span id="c-k"></span>a
        <ul><x-y id=k></x-y><li>a</ul> => <ul><li>a</li></ul>
        <b id=k></b>a => <b id="c-k"></b>a
        <b></b>a => a
        <b>a<b>b</b></b> => <b>ab</b>
        <sub>a<sub>b</sub></sub> => <sub>a<sub>b</sub></sub>
        <b>a<b title=t>b</b></b> => <b>a<b title="t">b</b></b>
        <span id=k>a<div>b</div>c</span> => <span id="c-k">a</span><div>b</div>c
        <span id=k title=t>a<div>b</div>c</span> => <span id="c-k" title="t">a</span><div><span title="t">b</span></div><span title="t">c</span>
        <b><b id=k>a<div>b</div></b></b> => <b><b id="c-k">a</b></b><div><b>b</b></div>
        <a id=k>a</a> => <span id="c-k"></span>a
        <a name=k href=/x>a</a> => <a id="c-k" href="https://example.org/x" rel="noreferrer noopener">a</a>
        <b name=k>a</b> => <b>a</b>
        <a href=/x>a<a2 id=k>b</a2></a> => <a href="https://example.org/x" rel="noreferrer noopener">a<span id="c-k"></span>b</a>
        """#))
  func `an anchor is kept once, and no element is repeated for its anchor`(
    html: String, expected: String
  ) throws {
    #expect(try canonical(html) == expected)
  }

  @Test func `blocks are at most 200 deep, inline elements 24, and a link is never left out`()
    throws
  {
    func nested(_ name: String, _ count: Int, _ content: String = "x") throws -> SanitizedHTML {
      try sanitized(String(repeating: "<\(name)>", count: count) + content)
    }
    // The fragment itself is the first level.
    #expect(try text(nested("div", 199).bytes).ranges(of: "<div>").count == 199)
    #expect(try nested("div", 199).losses == [:])
    #expect(try text(nested("div", 201).bytes).ranges(of: "<div>").count == 199)
    #expect(try nested("div", 201).losses == ["formatting": 2])
    #expect(try text(nested("sub", 24).bytes).ranges(of: "<sub>").count == 24)
    #expect(try nested("sub", 24).losses == [:])
    #expect(try text(nested("sub", 25).bytes).ranges(of: "<sub>").count == 24)
    #expect(try nested("sub", 25).losses == ["formatting": 1])
    let link = try nested("sub", 24, "<a href=/x>y</a>")
    #expect(text(link.bytes).contains("<a href=\"https://example.org/x\""))
    #expect(link.losses == [:])
  }

  @Test func `a heading behind a picture that is completed later has its level and id`() throws {
    let html =
      "<h1 id=y>t</h1><img data-src=l.jpg><h1 id=x></h1><noscript><img src=r.jpg alt=A></noscript>"
    #expect(
      try canonical(html)
        == "<h2 id=\"c-y\">t</h2><img src=\"https://example.org/dir/r.jpg\" "
        + "data-src=\"https://example.org/dir/l.jpg\" alt=\"A\"><h2 id=\"c-x\"></h2>")
  }

  @Test func `headings keep their levels if asked, and an id of another is not taken`() throws {
    let options = SanitizerOptions(demotesHeadings: false)
    #expect(
      try canonical("<h1>a</h1><h2>b</h2>", options)
        == "<h1 id=\"c-a\">a</h1><h2 id=\"c-b\">b</h2>")
    let ids = try sanitized("<h2 id=a-2>x</h2><h2>A</h2><h2>A</h2><h2>A</h2>").headings.map(\.id)
    #expect(ids == ["c-a-2", "c-a", "c-a-3", "c-a-4"])
  }

  @Test func `preserved lines and spaces are at most 100 in a row`() throws {
    func shown(_ content: String) throws -> String {
      text(try sanitized("<p style=white-space:pre-wrap>\(content)</p>").bytes)
    }
    func run(_ piece: String, _ count: Int) -> String { String(repeating: piece, count: count) }
    for count in [99, 100, 101] {
      let kept = min(count, 100)
      #expect(try shown("a\(run("\n", count))b") == "<p>a\(run("<br>", kept))b</p>")
      #expect(try shown("a\(run(" ", count))b") == "<p>a\(run("\u{A0}", kept - 1)) b</p>")
    }
  }

  @Test func `a space before preserved ones is one of them`() throws {
    let result = try sanitized("<p>a <span style=white-space:pre> b</span></p>")
    #expect(text(result.bytes) == "<p>a\u{A0} b</p>")
    #expect(result.plainText == "a\u{A0} b")
    #expect(!result.hasPlainTextOfBytes)
    #expect(try sanitized("<p style=white-space:normal>a</p>").hasPlainTextOfBytes)
  }
}
