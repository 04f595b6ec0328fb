import ArchiverMarkup
import Testing

@testable import ArchiverExport

/// Sanitised HTML as Markdown.
@Suite struct MarkdownTests {
  private func markdown(_ html: String) throws -> String {
    MarkdownWriter.markdown(try ContentTree.parse(Array(html.utf8))) { address in
      address.hasPrefix("lost") ? nil : address
    }
  }

  @Test(arguments: [
    ("<p>One <em>two</em> <strong>three</strong>.</p>", "One *two* **three**."),
    ("<p>a<em> b </em>c</p>", "a *b* c"),
    // A delimiter that would not open emphasis becomes a tag.
    ("<p>a<strong>“b”</strong>c</p>", "a<strong>“b”</strong>c"),
    ("<p>un<em>believ</em>able</p>", "un*believ*able"),
    ("<p><strong><em>both</em></strong></p>", "**<em>both</em>**"),
    (
      "<p>2 * 3 [x] &lt;b> `c` $5 snake_case _x_</p>",
      "2 \\* 3 \\[x\\] \\<b> \\`c\\` \\$5 snake_case \\_x\\_"
    ),
    (
      "<p># no heading</p><p>1. no list</p><p>- nor this</p>",
      "\\# no heading\n\n1\\. no list\n\n\\- nor this"
    ),
    ("<p>AT&amp;T &amp;copy; #tag 50%</p>", "AT\\&T \\&copy; \\#tag 50\\%"),
    ("<p>one<br>- two</p>", "one\\\n\\- two"),
    (
      "<p>see https://example.org/a_b or https://example.org/(x)</p>",
      "see https://example.org/a_b or https\\://example.org/(x)"
    ),
    ("<p><code>a`b</code> <code>x</code></p>", "``a`b`` `x`"),
    ("<h2>Head <em>x</em></h2>", "## Head *x*"),
    ("<p>Look!<a href=\"u\">here</a></p>", "Look\\![here](u)"),
    ("<p><a href=\"lost\">gone</a> <a href=\"a(b)\">x</a></p>", "gone [x](<a(b)>)"),
    ("<p><img src=\"a.png\" alt=\"A [b]\"></p>", "![A \\[b\\]](a.png)"),
    ("<p><a href=\"u\"><img src=\"a.png\" alt=\"A\"></a></p>", "[![A](a.png)](u)"),
    ("<p>H<sub>2</sub>O <mark>m</mark></p>", "H<sub>2</sub>O <mark>m</mark>"),
    ("<hr>", "***"),
    ("<p><a href=\"#x\">to</a></p><h2 id=\"x\">There</h2>", "[to](#x)\n\n## <a id=\"x\"></a>There"),
    ("<p><a href=\"#none\">to</a></p>", "to"),
  ])
  func `text keeps its words and its meaning`(html: String, expected: String) throws {
    let found = try markdown(html)
    #expect(found == expected)
  }

  @Test(arguments: [
    ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
    ("<ol start=\"3\"><li>a</li><li>b</li></ol>", "3. a\n4. b"),
    ("<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "- a\n\n  b\n\n- c"),
    ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"),
    (
      "<ul class=\"n-to-do\"><li><span class=\"n-box\" title=\"done\">☑</span>x</li></ul>",
      "- [x] x"
    ),
    ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ("<pre>a\n\n  b```\n</pre>", "````\na\n\n  b```\n````"),
    (
      "<figure class=\"n-code\"><div class=\"n-language\">Plain C++</div><pre><code>x</code></pre></figure>",
      "```plain-c++\nx\n```"
    ),
    (
      "<div class=\"n-callout\"><span>!</span><div class=\"n-callout-text\"><p>Mind</p></div></div>",
      "> [!note]\n> \\!\n>\n> Mind"
    ),
    ("<details><summary>More</summary><p>x</p></details>", "> [!note]- More\n> x"),
    ("<dl><dt>T</dt><dd>D</dd></dl>", "**T**\n\n- D"),
  ])
  func `blocks stand as Markdown has them`(html: String, expected: String) throws {
    let found = try markdown(html)
    #expect(found == expected)
  }

  @Test func `simple tables are GitHub's, others HTML without an empty line`() throws {
    let simple = try markdown(
      "<table><thead><tr><th>A</th><th style=\"text-align:right\">B|C</th></tr></thead>"
        + "<tbody><tr><td><p>1</p><p>2</p></td><td><code>x|y</code></td></tr></tbody></table>")
    #expect(
      simple == "| A | B\\|C |\n| --- | ---: |\n| 1<br>2 | `x\\|y` |")
    let headless = try markdown("<table><tr><td>a</td></tr></table>")
    #expect(headless == "|   |\n| --- |\n| a |")
    let merged = try markdown(
      "<table><tr><td colspan=\"2\">a</td></tr><tr><td><pre>x\n\ny</pre></td><td>"
        + "<a href=\"lost\">z</a></td></tr></table>")
    #expect(merged.hasPrefix("<table>") && merged.contains("colspan=\"2\""))
    #expect(!merged.contains("\n") && merged.contains("x&#10;&#10;y") && !merged.contains("lost"))
  }

  @Test(arguments: [
    ("<math><mfrac><mi>b</mi><mn>2</mn></mfrac></math>", "$\\frac{b}{2}$"),
    ("<math><msup><mi>α</mi><mn>2</mn></msup><mo>≤</mo><mi>x</mi></math>", "$\\alpha^{2}\\le x$"),
    ("<math><mi>sin</mi><mi>x</mi></math>", "$\\sin x$"),
    ("<math><munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover></math>", "$\\sum_{1}^{n}$"),
    ("<math><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow></math>", "$\\left(a\\right)$"),
    ("<math><mover><mi>x</mi><mo>^</mo></mover></math>", "$\\hat{x}$"),
    (
      "<math><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable></math>",
      "$\\begin{matrix} a & b \\end{matrix}$"
    ),
    // The annotation if it is the formula's source, not if it is a description.
    ("<math alttext=\"\\tfrac a2\"><mfrac><mi>a</mi><mn>2</mn></mfrac></math>", "$\\tfrac a2$"),
    ("<math alttext=\"half of a\"><mfrac><mi>a</mi><mn>2</mn></mfrac></math>", "$\\frac{a}{2}$"),
  ])
  func `formulas are LaTeX`(html: String, expected: String) throws {
    let found = try markdown("<p>\(html)</p>")
    #expect(found == expected)
  }

  @Test func `a formula that stands apart has lines of its own, one in a table no bar`() throws {
    let block = try markdown("<p><math display=\"block\"><mi>x</mi></math></p>")
    #expect(block == "$$\nx\n$$")
    let cell = try markdown(
      "<table><tr><th>A</th></tr><tr><td><math><mo>|</mo><mi>x</mi><mo>|</mo></math></td></tr></table>"
    )
    #expect(cell.contains("\\vert") && !cell.contains("$|"))
  }
}
