import ArchiverMarkup
import Testing

/// Elements that end where their own end tags are not.
@Suite struct MisnestedTagTests {
  @Test(arguments: [
    ("<h2><p>a</p></h2>b", "<h2 id=\"c-a\">a</h2>b"),
    ("<h2>a <p>b</p> c</h2><p>d</p>", "<h2 id=\"c-a-b-c\">a b c</h2><p>d</p>"),
    ("<h2><b><p>a</p></b></h2>b", "<h2 id=\"c-a\"><b>a</b></h2>b"),
    ("<div><h3><p>a</div>b", "<div><h3 id=\"c-a\">a</h3></div>b"),
    ("<b><p>a</p></b>b", "<p><b>a</b></p>b"),
    ("<i><b><p>a</p><p>b</p></b>c</i>d", "<p><i><b>a</b></i></p><p><i><b>b</b></i></p><i>c</i>d"),
    ("<small><p>a</p></small>b", "<p><small>a</small></p>b"),
    ("<tt><p>a</p></tt>b", "<p><code>a</code></p>b"),
    ("<b><center>a</center></b>b", "<div style=\"text-align:center\"><b>a</b></div>b"),
    (
      "<a href=/x><table><tr><td>a</table></a>b",
      "<table><tbody><tr><td><a href=\"https://example.org/x\" rel=\"noreferrer noopener\">a</a></td>"
        + "</tr></tbody></table>b"
    ),
  ])
  func `an element lasts as long as in a browser`(html: String, expected: String) throws {
    #expect(try canonical(html) == expected)
  }

  @Test(arguments: [
    ("<h2><table><tr><td>a</table></h2>b", "<table><tbody><tr><td>a</td></tr></tbody></table>b"),
    ("<h2>a<h3>b</h3>c", "<h2 id=\"c-a\">a</h2><h3 id=\"c-b\">b</h3>c"),
    ("<h2><p>a<h3>b</h3>c", "<h2 id=\"c-a\">a</h2><h3 id=\"c-b\">b</h3>c"),
    ("<h2><p>a</h2><section>b</section>c", "<h2 id=\"c-a\">a</h2><div>b</div>c"),
    ("<b><p>a</b><section>b</section>c", "<p><b>a</b></p><div>b</div>c"),
    ("<h2><p>a<i>b</h2>c</i>d", "<h2 id=\"c-ab\">a<i>b</i></h2><i>c</i>d"),
    (
      "<ul><li>a<blockquote>b<li>c</ul>",
      "<ul><li>a<blockquote>b<div>c</div></blockquote></li></ul>"
    ),
    ("<p>a<p>b", "<p>a</p><p>b</p>"), ("<b>a</b><p>b</p></b>c", "<b>a</b><p>b</p>c"),
    (
      "<ul><li><b><p>a</li><li>b</ul>c",
      "<ul><li><p><b>a</b></p></li><li><b>b</b></li></ul><b>c</b>"
    ),
    ("<h2><p>a", "<h2 id=\"c-a\">a</h2>"), ("<b", ""), ("<b><p", "<b></b>"),
  ])
  func `an end tag out of order ends the elements inside`(html: String, expected: String) throws {
    #expect(
      try canonical(html).replacing("<b></b>", with: "") == expected.replacing("<b></b>", with: ""))
  }

  @Test func `unclosed elements do not nest without limit`() throws {
    let html = String(repeating: "<b><p>a</p><h2><p>b</p>", count: 20_000)
    let result = try sanitized(html)
    #expect(result.plainText.utf8.count >= 40_000)
  }

  @Test(arguments: ["<div>", "<b><i>", "<ul><li>", "<table><tr><td>", "<section><p><b>"])
  func `content nested too deeply keeps its text and counts as lost formatting`(
    piece: String
  ) throws {
    let result = try sanitized(String(repeating: piece + "x ", count: 20_000))
    #expect(result.plainText.filter { $0 == "x" }.count == 20_000)
    #expect(result.losses["formatting"] ?? 0 > 0)
  }

  @Test func `formatting that would multiply the page is left out and counts`() throws {
    let color = String(repeating: "x", count: 10_000)
    let html =
      "<div><b title=\(color)></div>" + String(repeating: "<div>x</div>", count: 50_000)
    let result = try sanitized(html)
    #expect(result.bytes.count < 10_000_000)
    #expect(result.plainText.filter { $0 == "x" }.count == 50_000)
    #expect(result.losses["formatting"] ?? 0 > 0)
  }
}
