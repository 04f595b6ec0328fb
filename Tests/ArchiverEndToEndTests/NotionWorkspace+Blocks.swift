import ArchiverCore
import ArchiverTestKit

extension NotionWorkspace {
  private static let sentence =
    "The quick brown fox jumps over the lazy dog, and the dog does not mind it in the least. "

  private static let colors = [
    "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red",
  ]

  private func text(
    _ type: String, _ words: String, _ extra: [String: JSONValue] = [:],
    _ children: [FakeBlock] = []
  ) -> FakeBlock {
    FakeBlock(
      type,
      .object(["rich_text": FakeNotion.richText(words), "color": "default"].merging(extra) { $1 }),
      children)
  }

  private func styled(_ words: String, _ annotations: [String: JSONValue]) -> JSONValue {
    [
      "type": "text", "text": ["content": .string(words + " "), "link": .null],
      "annotations": .object(annotations), "plain_text": .string(words + " "),
    ]
  }

  private func media(_ type: String, _ file: String) -> FakeBlock {
    guard case .object(let members) = FakeNotion.file("ws/\(file)") else { return FakeBlock(type) }
    return FakeBlock(
      type, .object(members.merging(["caption": FakeNotion.richText("A caption")]) { $1 }))
  }

  /// A page with every type of block, and the pages it leads to.
  func addEveryBlock(_ tasks: Tasks) {
    let child = notion.reserveID()
    let linked = notion.reserveID()
    notion.addView(linked, source: tasks.source, ["name": "Open tasks"])
    let page = notion.addPage(
      "Every block",
      blocks: textBlocks() + layoutBlocks() + mediaBlocks()
        + [
          FakeBlock("link_to_page", ["type": "page_id", "page_id": .string(tasks.rows[0])]),
          FakeBlock("child_page", ["title": "A page below"], id: child),
          FakeBlock("child_database", ["title": ""], id: linked),
          FakeBlock("unsupported", ["block_type": "button"]),
          FakeBlock(
            "hologram",
            [
              "rich_text": FakeNotion.richText("Of a type yet to come"),
              "layers": [
                ["legend": "Wavelength", "scan": FakeNotion.file("ws/data.zip")],
                ["legend": "Interference"],
              ],
            ]),
        ],
      extra: [
        "icon": ["type": "emoji", "emoji": "🧱"], "cover": FakeNotion.file("ws/cover.svg"),
      ])
    notion.addComment("Is all of it here?", on: page, page: page)
  }

  /// A numbered item inside another, several times.
  private func nestedNumbers(_ levels: Int) -> FakeBlock {
    text(
      "numbered_list_item", "Level", [:],
      levels == 0 ? [] : [text("bulleted_list_item", "Between"), nestedNumbers(levels - 1)])
  }

  private func textBlocks() -> [FakeBlock] {
    let styles: [JSONValue] = [
      styled("bold", ["bold": true]), styled("italic", ["italic": true]),
      styled("struck", ["strikethrough": true]), styled("underlined", ["underline": true]),
      styled("code", ["code": true]),
      [
        "type": "equation", "equation": ["expression": "e^{i\\pi}+1=0"],
        "plain_text": "e^{i\\pi}+1=0",
      ],
    ]
    let colored = NotionWorkspace.colors.flatMap { color in
      [
        styled(color, ["color": .string(color)]),
        styled(color, ["color": .string(color + "_background")]),
      ]
    }
    return [
      FakeBlock("breadcrumb"), FakeBlock("table_of_contents", ["color": "gray"]),
      text("heading_1", "Words"), FakeBlock("paragraph", ["rich_text": .array(styles)]),
      FakeBlock("paragraph", ["rich_text": .array(colored)]),
      text("paragraph", NotionWorkspace.sentence, [:], [.text("paragraph", "Indented below it.")]),
      text("heading_2", "Lists"),
      text("bulleted_list_item", "First", [:], [text("bulleted_list_item", "Within")]),
      text("bulleted_list_item", "Second"),
      text("numbered_list_item", "One"), nestedNumbers(5),
      text("to_do", "Open", ["checked": false]), text("to_do", "Done", ["checked": true]),
      text("toggle", "A toggle", [:], [.text("paragraph", "What it hides.")]),
      text(
        "heading_3", "A heading that folds", ["is_toggleable": true], [.text("paragraph", "In it")]),
      text("heading_4", "A small heading"), text("quote", NotionWorkspace.sentence),
      text("callout", NotionWorkspace.sentence, ["icon": ["type": "emoji", "emoji": "💡"]]),
      text(
        "callout", "Colour and a drawn icon.",
        [
          "color": "blue_background",
          "icon": ["type": "icon", "icon": ["name": "star", "color": "blue"]],
        ]),
      text("callout", "An icon of our own.", ["icon": FakeNotion.file("ws/icon.gif")]),
      FakeBlock("divider"),
      text(
        "code",
        "let answer = readers.map { $0.pages }.filter { $0.count > 41 }.reduce([], +).sorted().last ?? nothing",
        ["language": "swift", "caption": FakeNotion.richText("A long line")]),
      FakeBlock(
        "equation",
        ["expression": "\\int_0^\\infty e^{-x^2}\\,dx=\\frac{\\sqrt{\\pi}}{2}"]),
      FakeBlock("equation", ["expression": "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}"]),
    ]
  }

  private func layoutBlocks() -> [FakeBlock] {
    func row(_ count: Int, _ words: String) -> FakeBlock {
      FakeBlock(
        "table_row", ["cells": .array((0..<count).map { FakeNotion.richText("\(words) \($0)") })])
    }
    let column = [FakeBlock.text("paragraph", NotionWorkspace.sentence)]
    return [
      text("heading_2", "Layout"),
      FakeBlock(
        "column_list", [:],
        [
          FakeBlock("column", ["width_ratio": .number(0.3)], column),
          FakeBlock("column", [:], column),
        ]),
      FakeBlock(
        "table", ["table_width": 8, "has_column_header": true, "has_row_header": true],
        [row(8, "Column"), row(8, "Cell"), row(5, "Short")]),
      FakeBlock(
        "tab", [:],
        [text("paragraph", "First tab", [:], column), text("paragraph", "Second tab", [:], column)]),
      FakeBlock("synced_block", ["synced_from": .null], column),
      FakeBlock("meeting_notes", ["title": FakeNotion.richText("Weekly meeting")]),
      text("template", "A new task", [:], [text("to_do", "Think", ["checked": false])]),
    ]
  }

  private func mediaBlocks() -> [FakeBlock] {
    [
      text("heading_2", "Media"), media("image", "one.svg"), media("audio", "tone.wav"),
      media("video", "film.mp4"),
      FakeBlock(
        "video", ["type": "external", "external": ["url": "https://video.example/watch?v=1"]]),
      media("pdf", "paper.pdf"), media("file", "data.zip"),
      FakeBlock(
        "bookmark",
        [
          "url": "https://example.org/a/rather/long/address/that/has/to/break/somewhere/or/other",
          "caption": FakeNotion.richText("A bookmark"),
        ]), FakeBlock("embed", ["url": "https://example.org/embedded"]),
      FakeBlock("link_preview", ["url": "https://example.org/preview"]),
    ]
  }
}
