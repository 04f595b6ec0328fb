import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// One block of each type, as the API delivers it, and the HTML it becomes.
struct BlockGoldenTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let block: FakeBlock
    let html: String

    init(_ name: String, _ block: FakeBlock, _ html: String) {
      self.name = name
      self.block = block
      self.html = html
    }

    var testDescription: String { name }
  }

  @Test(arguments: samples + moreSamples)
  func `writes each type of block`(sample: Sample) {
    #expect(Render.html([sample.block]) == sample.html)
  }

  @Test func `covers every type that the API names`() {
    let seen = Set((Self.samples + Self.moreSamples).flatMap { BlockGoldenTests.types($0.block) })
    #expect(BlockGoldenTests.known.subtracting(seen).isEmpty)
  }

  private static func types(_ block: FakeBlock) -> [String] {
    [block.type] + block.children.flatMap(types)
  }

  static let known: Set<String> = [
    "paragraph", "heading_1", "heading_2", "heading_3", "heading_4", "bulleted_list_item",
    "numbered_list_item", "to_do", "toggle", "quote", "callout", "divider", "breadcrumb",
    "table_of_contents", "code", "equation", "image", "video", "pdf", "audio", "file", "bookmark",
    "embed", "link_preview", "link_to_page", "child_page", "child_database", "synced_block",
    "column_list", "column", "table", "table_row", "tab", "meeting_notes", "transcription",
    "template", "unsupported",
  ]

  private static let other = "00000000000000000000000000000002"

  private static func text(
    _ type: String, _ text: String, _ extra: [String: JSONValue] = [:], _ children: [FakeBlock] = []
  ) -> FakeBlock {
    var payload: [String: JSONValue] = ["rich_text": FakeNotion.richText(text), "color": "default"]
    payload.merge(extra) { _, new in new }
    return FakeBlock(type, .object(payload), children)
  }

  private static func media(_ type: String, _ address: String) -> FakeBlock {
    FakeBlock(
      type,
      [
        "caption": FakeNotion.richText("A caption"), "type": "external",
        "external": ["url": .string(address)],
      ])
  }

  private static func row(_ cells: String...) -> FakeBlock {
    FakeBlock("table_row", ["cells": .array(cells.map { FakeNotion.richText($0) })])
  }

  private static func column(_ ratio: Double?, _ words: String) -> FakeBlock {
    FakeBlock(
      "column", ratio.map { ["width_ratio": .number($0)] } ?? [:], [.text("paragraph", words)])
  }

  static let samples: [Sample] = [
    Sample(
      "paragraph", text("paragraph", "One\nTwo", ["color": "red"], [.text("paragraph", "Below")]),
      #"<p class="n-c-red">One<br>Two</p><div class="n-indent"><p>Below</p></div>"#),
    Sample(
      "empty paragraph", text("paragraph", ""),
      #"<p><br></p>"#),
    Sample(
      "heading 1", text("heading_1", "H", ["is_toggleable": false]),
      #"<h2>H</h2>"#),
    Sample(
      "heading 4", text("heading_4", "H", ["color": "blue_background"]),
      #"<h5 class="n-bg-blue">H</h5>"#),
    Sample(
      "toggle heading", text("heading_2", "H", ["is_toggleable": true], [.text("paragraph", "In")]),
      #"<details class="n-toggle"><summary><h3>H</h3></summary><div class="n-indent"><p>In</p></div></details>"#
    ),
    Sample(
      "bulleted list", text("bulleted_list_item", "A", [:], [.text("bulleted_list_item", "B")]),
      #"<ul><li>A<ul><li>B</li></ul></li></ul>"#),
    Sample(
      "numbered list",
      text("numbered_list_item", "A", ["list_start_index": 3, "list_format": "roman"]),
      #"<ol start="3" type="i"><li>A</li></ol>"#),
    Sample(
      "numbered list whose format is chosen",
      text("numbered_list_item", "A", ["list_format": "numbers"]),
      #"<ol type="1"><li>A</li></ol>"#),
    Sample(
      "to-do open", text("to_do", "A", ["checked": false]),
      #"<ul class="n-to-do"><li><span class="n-box" title="to do">☐</span>A</li></ul>"#),
    Sample(
      "to-do done", text("to_do", "A", ["checked": true]),
      #"<ul class="n-to-do"><li><span class="n-box" title="done">☑</span><span class="n-done">A</span></li></ul>"#
    ),
    Sample(
      "to-do done over one open",
      text("to_do", "A", ["checked": true], [text("to_do", "B", ["checked": false])]),
      #"<ul class="n-to-do"><li><span class="n-box" title="done">☑</span><span class="n-done">A</span><ul class="n-to-do"><li><span class="n-box" title="to do">☐</span>B</li></ul></li></ul>"#
    ),
    Sample(
      "toggle", text("toggle", "T", [:], [.text("paragraph", "In")]),
      #"<details class="n-toggle"><summary>T</summary><div class="n-indent"><p>In</p></div></details>"#
    ),
    Sample(
      "empty toggle", text("toggle", "T"),
      #"<details class="n-toggle"><summary>T</summary><div class="n-indent"><p class="n-note">Empty</p></div></details>"#
    ),
    Sample(
      "quote", text("quote", "Q", ["color": "gray"], [.text("paragraph", "More")]),
      #"<blockquote class="n-c-gray"><p>Q</p><p>More</p></blockquote>"#),
    Sample(
      "callout",
      text(
        "callout", "C", ["icon": ["type": "emoji", "emoji": "💡"], "color": "yellow_background"]),
      #"<div class="n-callout n-bg-yellow"><span class="n-icon">💡</span><div class="n-callout-text"><p>C</p></div></div>"#
    ),
    Sample(
      "callout icon",
      text("callout", "C", ["icon": ["type": "icon", "icon": ["name": "star", "color": "blue"]]]),
      #"<div class="n-callout"><span class="n-icon n-drawn n-c-blue" title="star">★</span><div class="n-callout-text"><p>C</p></div></div>"#
    ),
    Sample(
      "divider", FakeBlock("divider"),
      #"<hr>"#),
    Sample(
      "breadcrumb", FakeBlock("breadcrumb"),
      #"<div class="n-breadcrumb">Page</div>"#),
    Sample(
      "code",
      text("code", "let a = 1 < 2", ["language": "swift", "caption": FakeNotion.richText("Cap")]),
      #"<figure class="n-code"><div class="n-language">swift</div><pre><code><span class="n-s-keyword">let</span> a = <span class="n-s-number">1</span> &lt; <span class="n-s-number">2</span></code></pre><figcaption>Cap</figcaption></figure>"#
    ),
    Sample(
      "equation", FakeBlock("equation", ["expression": "a^2"]),
      #"<div class="n-equation"><math display="block" alttext="a^2"><msup><mi>a</mi><mn>2</mn></msup></math></div>"#
    ),
    Sample(
      "equation", FakeBlock("equation", ["expression": #" \unknown x "#]),
      #"<div class="n-equation"><code class="n-latex">\unknown x</code></div>"#
    ),
    Sample(
      "image", media("image", "https://example.org/a.png"),
      #"<figure class="n-image"><img src="https://example.org/a.png" alt="A caption"><figcaption>A caption</figcaption></figure>"#
    ),
    Sample(
      "video", media("video", "https://example.org/a.mp4"),
      #"<figure class="n-video"><video controls="" src="https://example.org/a.mp4"></video><figcaption>A caption</figcaption></figure>"#
    ),
    Sample(
      "video page", media("video", "https://video.example/watch?v=1"),
      #"<figure class="n-video"><a class="n-card" href="https://video.example/watch?v=1">https://video.example/watch?v=1</a><figcaption>A caption</figcaption></figure>"#
    ),
  ]

  static let moreSamples: [Sample] = [
    Sample(
      "audio", media("audio", "https://example.org/a.mp3"),
      #"<figure class="n-audio"><audio controls="" src="https://example.org/a.mp3"></audio><figcaption>A caption</figcaption></figure>"#
    ),
    Sample(
      "pdf", media("pdf", "https://example.org/a%20b.pdf"),
      #"<figure class="n-pdf"><a class="n-file-link" href="https://example.org/a%20b.pdf"><span class="n-icon">📄</span>a b.pdf</a><figcaption>A caption</figcaption></figure>"#
    ),
    Sample(
      "file",
      FakeBlock(
        "file",
        ["type": "file", "file": ["url": "https://f/x?X-Amz-Signature=1"], "name": "Report.docx"]),
      #"<figure class="n-file"><a class="n-file-link" href="https://f/x?X-Amz-Signature=1"><span class="n-icon">📄</span>Report.docx</a></figure>"#
    ),
    Sample(
      "bookmark",
      FakeBlock(
        "bookmark", ["url": "https://example.org/", "caption": FakeNotion.richText("Cap")]),
      #"<figure class="n-bookmark"><a class="n-card" href="https://example.org/">https://example.org/</a><figcaption>Cap</figcaption></figure>"#
    ),
    Sample(
      "embed", FakeBlock("embed", ["url": "https://example.org/e"]),
      #"<figure class="n-bookmark"><a class="n-card" href="https://example.org/e">https://example.org/e</a></figure>"#
    ),
    Sample(
      "link_preview", FakeBlock("link_preview", ["url": "https://example.org/p"]),
      #"<figure class="n-bookmark"><a class="n-card" href="https://example.org/p">https://example.org/p</a></figure>"#
    ),
    Sample(
      "link_to_page", FakeBlock("link_to_page", ["type": "page_id", "page_id": .string(other)]),
      #"<p class="n-page-link"><a class="n-page" href="https://www.notion.so/00000000000000000000000000000002">Untitled</a></p>"#
    ),
    Sample(
      "link to comment",
      FakeBlock("link_to_page", ["type": "comment_id", "comment_id": .string(other)]),
      #"<p class="n-page-link">A link to a comment</p>"#),
    Sample(
      "child_page", FakeBlock("child_page", ["title": "Child"], id: other),
      #"<p id="00000000000000000000000000000002" class="n-page-link"><a class="n-page" href="https://www.notion.so/00000000000000000000000000000002">Child</a></p>"#
    ),
    Sample(
      "child_database", FakeBlock("child_database", ["title": "Table"], id: other),
      #"<p id="00000000000000000000000000000002" class="n-page-link"><a class="n-page" href="https://www.notion.so/00000000000000000000000000000002">Table</a></p>"#
    ),
    Sample(
      "synced_block",
      FakeBlock("synced_block", ["synced_from": .null], [.text("paragraph", "Same")]),
      #"<div class="n-synced"><p>Same</p></div>"#),
    Sample(
      "columns", FakeBlock("column_list", [:], [column(0.25, "L"), column(nil, "R")]),
      #"<div class="n-columns"><div class="n-column n-w-3"><p>L</p></div><div class="n-column n-w-6"><p>R</p></div></div>"#
    ),
    Sample(
      "table",
      FakeBlock(
        "table", ["table_width": 2, "has_column_header": true, "has_row_header": true],
        [row("A", "B"), row("C")]),
      #"<div class="n-scroll"><table class="n-table"><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody><tr><th scope="row">C</th><td></td></tr></tbody></table></div>"#
    ),
    Sample(
      "tab", FakeBlock("tab", [:], [.text("paragraph", "Label", [.text("paragraph", "Body")])]),
      #"<div class="n-tabs"><div class="n-tab"><p class="n-tab-label">Label</p><p>Body</p></div></div>"#
    ),
    Sample(
      "meeting_notes",
      FakeBlock(
        "meeting_notes", ["title": FakeNotion.richText("Weekly")],
        [FakeBlock("meeting_section", ["title": "Summary"], [.text("paragraph", "Said")])]),
      #"<div class="n-meeting"><p class="n-meeting-title"><span class="n-icon">🎙</span>Weekly</p><div class="n-meeting-part"><p class="n-tab-label">Summary</p><p>Said</p></div></div>"#
    ),
    Sample(
      "transcription", FakeBlock("transcription", [:]),
      #"<div class="n-meeting"><p class="n-meeting-title"><span class="n-icon">🎙</span>Meeting notes</p></div>"#
    ),
    Sample(
      "template", text("template", "Add one", [:], [.text("to_do", "x")]),
      #"<div class="n-template"><p class="n-note">Template: Add one</p><ul class="n-to-do"><li><span class="n-box" title="to do">☐</span>x</li></ul></div>"#
    ),
    Sample(
      "unsupported", FakeBlock("unsupported", ["block_type": "button"], id: other),
      #"<div id="00000000000000000000000000000002" class="n-unsupported">A block of type “button” that Notion does not return. <a href="https://www.notion.so/00000000000000000000000000000001">See it in Notion</a></div>"#
    ),
    Sample(
      "unknown",
      FakeBlock(
        "hologram", ["rich_text": FakeNotion.richText("Words"), "url": "https://example.org/h"],
        [.text("paragraph", "In")], id: other),
      #"<div id="00000000000000000000000000000002" class="n-unsupported">A block of unknown type “hologram”. <a href="https://www.notion.so/00000000000000000000000000000001">See it in Notion</a></div><p>Words</p><p><a href="https://example.org/h">https://example.org/h</a></p><div class="n-indent"><p>In</p></div>"#
    ),
    Sample(
      "table of contents", FakeBlock("table_of_contents", ["color": "gray"]),
      #""#),
    Sample(
      "heading 3", text("heading_3", "H"),
      #"<h4>H</h4>"#),
  ]
}
