import ArchiverCore
import Testing

@testable import ArchiverMarkup

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

/// What is counted as left out.
struct LeftOutTests {
  @Test(
    arguments: [
      ("<p>text</p>", .init()), ("<p>a<script>1</script></p>", .init(scripts: 1)),
      ("<p>a<object data=x.swf></object></p>", .init(embeds: 1)),
      ("<p><a href='javascript:1'>a</a></p>", .init(links: 1)),
      ("<p>a<img src=t?id=1 width=1 height=1></p>", .init(trackingPixels: 1)),
    ] as [(String, SanitizedHTML.Dropped)])
  func `each thing that is left out is counted once, and nothing else`(
    html: String, expected: SanitizedHTML.Dropped
  ) throws {
    for count in 1...2 {
      var sum = expected
      sum.scripts *= count
      sum.embeds *= count
      sum.links *= count
      sum.trackingPixels *= count
      let found = try sanitized(String(repeating: html, count: count)).dropped
      #expect(found == sum)
    }
  }
}
