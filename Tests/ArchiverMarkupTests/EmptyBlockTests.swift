import ArchiverCore
import ArchiverMarkup
import Testing

/// Blocks without content: which keep their place.
struct EmptyBlockTests {
  @Test(arguments: [
    (
      "<table><tr><td></td><td>b</td></tr><tr></tr><tr><td>c</td><td></td></tr></table>",
      ["<td></td><td>b</td>", "<td>c</td><td></td>"]
    ),
    ("<ol><li>a</li><li></li><li>c</li></ol>", ["<li>a</li><li></li><li>c</li>"]),
    ("<dl><dt>a</dt><dd></dd><dt></dt><dd>d</dd></dl>", ["<dt>a</dt><dd></dd><dt></dt><dd>d</dd>"]),
  ])
  func `an empty cell, item or term keeps its place among the others`(
    html: String, parts: [String]
  ) throws {
    let kept = try canonical(html)
    for part in parts { #expect(kept.contains(part), "\(kept)") }
    #expect(try canonical(kept) == kept)
  }

  @Test(arguments: [
    "<p></p>", "<div><div></div></div>", "<blockquote><p> </p></blockquote>", "<ul></ul>",
    "<table></table>", "<h2></h2>", "<section></section>", "<dl></dl>", "<p><b></b></p>",
  ])
  func `any other empty block leaves nothing`(html: String) throws {
    #expect(try canonical("<p>a</p>\(html)<p>b</p>") == "<p>a</p><p>b</p>")
    #expect(try canonical(html) == "")
  }

  @Test func `an empty block that is the target of a link stays`() throws {
    let kept = try canonical("<p><a href='#x'>a</a></p><p id=x></p><p>b</p>")
    #expect(kept.contains("<p id=\"c-x\"></p>"), "\(kept)")
  }
}
