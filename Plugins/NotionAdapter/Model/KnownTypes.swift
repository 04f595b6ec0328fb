/// The types of Notion that are supported; `UnknownTypes` counts all others.
enum KnownTypes {
  static let blocks: Set<String> = [
    "paragraph", "heading_1", "heading_2", "heading_3", "heading_4", "toggle", "quote", "callout",
    "divider", "code", "equation", "table_of_contents", "breadcrumb", "column_list", "column",
    "table", "table_row", "tab", "synced_block", "template", "meeting_notes", "transcription",
    "meeting_section", "image", "video", "audio", "pdf", "file", "bookmark", "embed",
    "link_preview", "link_to_page", "child_page", "child_database", "unsupported",
    "bulleted_list_item", "numbered_list_item", "to_do",
  ]
  static let properties: Set<String> = [
    "title", "rich_text", "number", "select", "status", "multi_select", "date", "people",
    "created_by", "last_edited_by", "files", "checkbox", "url", "email", "phone_number",
    "created_time", "last_edited_time", "formula", "relation", "rollup", "unique_id",
    "verification", "place", "button",
  ]
  static let mentions: Set<String> = [
    "page", "database", "data_source", "user", "date", "link_preview", "link_mention",
    "custom_emoji", "template_mention",
  ]
}

extension BlockTree.Node {
  var isKnown: Bool { KnownTypes.blocks.contains(type) }

  /// Whether nothing about its content is known.
  var isOpaque: Bool { !isKnown || type == "unsupported" }
}
