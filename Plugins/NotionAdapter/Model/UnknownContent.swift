import ArchiverCore

/// The presentable parts of a value of an unknown type: texts, files and links, under any keys.
struct UnknownContent: Sendable {
  enum Piece: Sendable {
    case text([RichText])
    case words(String)
    case file(NotionFile)
    case link(String)
    case page(NotionID)
  }

  /// Texts and titles first, the rest sorted by key.
  private(set) var pieces: [Piece] = []

  /// The maximum depth of the search; Notion's own values have fewer than ten levels.
  private static let depthLimit = 60
  /// Keys whose texts are of no interest to readers.
  private static let technical: Set<String> = [
    "id", "type", "object", "color", "annotations", "request_id", "expiry_time", "background_color",
    "has_more", "next_cursor", "plain_text", "href", "block_type",
  ]
  private static let first = ["title", "name", "rich_text", "text", "caption", "description"]

  /// - Parameter besides: Members to leave out.
  init(_ value: JSONValue, besides: [String] = []) {
    var value = value
    if !besides.isEmpty, let members = value.object {
      value = .object(members.filter { !besides.contains($0.key) })
    }
    walk(value, key: "", depth: 0)
  }

  private mutating func walk(_ value: JSONValue, key: String, depth: Int) {
    guard depth < UnknownContent.depthLimit else { return pieces.append(.words("…")) }
    switch value {
    case .null: return
    case .bool(let isTrue): pieces.append(.words("\(label(key))\(isTrue ? "yes" : "no")"))
    case .integer(let number): pieces.append(.words("\(label(key))\(number)"))
    case .number(let number): pieces.append(.words("\(label(key))\(number)"))
    case .string(let text): add(text, key)
    case .array(let elements):
      if let text = UnknownContent.richText(elements) {
        pieces.append(.text(text))
      } else {
        for element in elements { walk(element, key: key, depth: depth + 1) }
      }
    case .object(let members): walk(members, value, depth: depth)
    }
  }

  private mutating func walk(_ members: [String: JSONValue], _ value: JSONValue, depth: Int) {
    if let text = UnknownContent.richText([value]) { return pieces.append(.text(text)) }
    var members = members
    if let file = UnknownContent.file(value) {
      pieces.append(.file(file))
      for key in ["file", "external", "url", "name"] { members[key] = nil }
    }
    if let id = UnknownContent.page(value) { pieces.append(.page(id)) }
    let keys =
      UnknownContent.first.filter { members[$0] != nil }
      + members.keys.filter { !UnknownContent.first.contains($0) }.sorted()
    for key in keys where !UnknownContent.technical.contains(key) {
      if let member = members[key] { walk(member, key: key, depth: depth + 1) }
    }
  }

  private mutating func add(_ text: String, _ key: String) {
    guard !text.isEmpty else { return }
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      pieces.append(.link(text))
    } else if NotionID(text) == nil {
      pieces.append(.words(text))
    }
  }

  /// Returns the label of a value that is not text: `row count: `.
  private func label(_ key: String) -> String {
    key.isEmpty ? "" : key.map { $0 == "_" ? " " : String($0) }.joined() + ": "
  }

  /// Returns the pieces of a rich text; `nil` for other values.
  private static func richText(_ values: [JSONValue]) -> [RichText]? {
    guard !values.isEmpty else { return nil }
    let isRich = values.allSatisfy { value in
      value["plain_text"]?.string != nil || value["text"]?["content"]?.string != nil
    }
    return isRich ? values.map { RichText($0) } : nil
  }

  /// Returns a file whose URL expires, or a file object; `nil` for other values.
  private static func file(_ value: JSONValue) -> NotionFile? {
    if let url = value["url"], value["expiry_time"] != nil {
      return NotionFile(["type": "file", "file": ["url": url], "name": value["name"] ?? .null])
    }
    guard value["file"]?["url"] != nil || value["external"]?["url"] != nil else { return nil }
    return NotionFile(value) ?? NotionFile(["file": value["file"] ?? .null])
  }

  private static func page(_ value: JSONValue) -> NotionID? {
    if let id = NotionID(value["page_id"]) ?? NotionID(value["database_id"]) { return id }
    let isPage = ["page", "database"].contains(value["object"]?.string)
    return isPage ? NotionID(value["id"]) : nil
  }
}

extension UnknownContent {
  /// Returns the plain text, separated by commas.
  func plain(_ context: RenderContext) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text.map(\.plain).joined()
      case .words(let words): words
      case .file(let file): file.displayName
      case .link(let address): SignedAddress.cleaned(address)
      case .page(let id): context.known[id]?.title ?? id.address
      }
    }.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  var files: [NotionFile] {
    pieces.compactMap { if case .file(let file) = $0 { file } else { nil } }
  }

  /// The URLs of links, including those to pages of Notion.
  var links: [String] {
    pieces.compactMap { piece in
      switch piece {
      case .link(let address): address
      case .page(let id): id.address
      case .text, .words, .file: nil
      }
    }
  }

  var texts: [RichText] {
    var texts: [RichText] = []
    for case .text(let text) in pieces { texts += text }
    return texts
  }

  /// Returns the pieces that are not contained in this text or link.
  func without(_ words: String, _ link: String?) -> UnknownContent {
    var content = self
    content.pieces.removeAll { piece in
      switch piece {
      case .words(let other): words.contains(other)
      case .text(let text): words.contains(text.map(\.plain).joined())
      case .link(let address): address == link
      case .page(let id): id.address == link
      case .file: false
      }
    }
    return content
  }
}
