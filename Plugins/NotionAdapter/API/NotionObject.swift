import ArchiverCore
import ArchiverMarkup

/// The parent of a page, database, data source or block.
enum NotionParent: Sendable, Hashable {
  case workspace
  case page(NotionID)
  case database(NotionID)
  case dataSource(NotionID, database: NotionID?)
  case block(NotionID)
  /// A kind of parent that is not known, as received.
  case unknown(String)
  /// None at all.
  case other

  private static let knownTypes: Set<String> = [
    "workspace", "page_id", "database_id", "data_source_id", "block_id", "agent_id",
  ]

  init(_ value: JSONValue?) {
    let id = { (key: String) in NotionID(value?[key]) }
    if let source = id("data_source_id") {
      self = .dataSource(source, database: id("database_id"))
    } else if let page = id("page_id") {
      self = .page(page)
    } else if let database = id("database_id") {
      self = .database(database)
    } else if let block = id("block_id") {
      self = .block(block)
    } else {
      let type = value?["type"]?.string
      self = type == "workspace" ? .workspace : .other
      if let type, !NotionParent.knownTypes.contains(type) { self = .unknown(type) }
    }
  }

  /// The object above; `nil` at the top.
  var id: NotionID? {
    switch self {
    case .page(let id), .database(let id), .block(let id): id
    case .dataSource(let id, let database): database ?? id
    case .workspace, .unknown, .other: nil
    }
  }
}

/// The facts that pages, databases and data sources share, read leniently from any API version.
struct NotionObject: Sendable {
  enum Kind: String, Sendable {
    case page, database
    case dataSource = "data_source"
  }

  let id: NotionID
  let kind: Kind
  let title: String
  let parent: NotionParent
  /// As received; minutes for pages, finer for databases.
  let edited: String
  let created: String
  let inTrash: Bool
  let icon: NotionIcon?
  let cover: NotionFile?
  let url: String?
  /// False for the stubs that search may return.
  let isWhole: Bool

  /// Reads an object; `nil` if it is not of the three kinds or has no id.
  init?(_ value: JSONValue) {
    guard let id = NotionID(value["id"]), let kind = Kind(rawValue: value["object"]?.string ?? "")
    else { return nil }
    self.id = id
    self.kind = kind
    title = NotionObject.title(of: value)
    parent = NotionParent(value["parent"])
    edited = value["last_edited_time"]?.string ?? ""
    created = value["created_time"]?.string ?? ""
    inTrash = (value["in_trash"] ?? value["archived"])?.bool ?? false
    icon = NotionIcon(value["icon"])
    cover = NotionFile(value["cover"])
    url = value["url"]?.string
    isWhole = value["properties"] != nil || kind == .database
  }

  private static func title(of value: JSONValue) -> String {
    if let title = value["title"]?.array { return RichText.plain(title) }
    for (_, property) in value["properties"]?.object ?? [:]
    where property["type"]?.string == "title" {
      return RichText.plain(property["title"]?.array ?? [])
    }
    return ""
  }
}

/// A file that Notion keeps or that an address names.
struct NotionFile: Sendable, Hashable {
  let url: String
  /// Whether it is kept at Notion, at an address good for an hour.
  let isHosted: Bool
  let name: String?

  /// Hosts that deliver nothing but files kept at Notion; its buckets at hosts shared with others and
  /// those that pass on pictures from anywhere are left out.
  static let hosts: Set<String> = [
    "prod-files-secure.s3.us-west-2.amazonaws.com", "file.notion.so", "secure.notion-static.com",
  ]

  /// Reads a file object; `nil` if it has no URL, such as a pending upload.
  init?(_ value: JSONValue?) {
    guard let value, let type = value["type"]?.string ?? NotionFile.implied(value),
      let url = value[type]?["url"]?.string, !url.isEmpty
    else { return nil }
    self.url = url
    isHosted = type == "file"
    name = value["name"]?.string
  }

  private static func implied(_ value: JSONValue) -> String? {
    ["file", "external"].first { value[$0] != nil }
  }

  /// The name to show: Notion's, else the last part of the address.
  var displayName: String {
    if let name, !name.isEmpty { return name }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init) ?? "file"
    return PercentEncoding.decoded(last)
  }

  /// The file extension in lower case; empty when there is none.
  var fileExtension: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let last = path.split(separator: "/").last, let dot = last.lastIndex(of: ".") else {
      return ""
    }
    return last[last.index(after: dot)...].lowercased()
  }
}

/// The icon of a page, database or callout.
enum NotionIcon: Sendable, Hashable {
  case emoji(String)
  /// A picture: uploaded, external, or a workspace's own emoji.
  case image(url: String, name: String?)
  /// One of Notion's drawings, which have no address in the API.
  case builtIn(name: String, color: NotionColor)

  init?(_ value: JSONValue?) {
    guard let value, let type = value["type"]?.string else { return nil }
    switch type {
    case "emoji":
      guard let emoji = value["emoji"]?.string, !emoji.isEmpty else { return nil }
      self = .emoji(emoji)
    case "custom_emoji":
      guard let url = value["custom_emoji"]?["url"]?.string else { return nil }
      self = .image(url: url, name: value["custom_emoji"]?["name"]?.string)
    case "icon":
      self = .builtIn(
        name: value["icon"]?["name"]?.string ?? "",
        color: NotionColor(value["icon"]?["color"]?.string))
    default:
      // A kind of icon that is not known has an address if it is a picture.
      guard let file = NotionFile(value) else { return nil }
      self = .image(url: file.url, name: nil)
    }
  }

  /// The icon in plain text.
  var glyph: String {
    switch self {
    case .emoji(let emoji): emoji
    case .image: ""
    case .builtIn(let name, _): BuiltInIcon.glyph(name)
    }
  }
}

extension NotionIcon {
  /// A character, or the picture's address without signature.
  var lasting: String {
    if case .image(let url, _) = self { SignedAddress.cleaned(url) } else { glyph }
  }
}

/// Characters in place of Notion's own icons.
enum BuiltInIcon {
  private static let glyphs: [String: String] = [
    "star": "★", "heart": "♥", "checkmark": "✔", "check": "✔", "circle": "●", "square": "■",
    "flag": "⚑", "home": "⌂", "house": "⌂", "mail": "✉", "phone": "☎", "pencil": "✎",
    "compose": "✎", "document": "▤", "page": "▤", "book": "▤", "list": "☰", "menu": "☰",
    "gear": "⚙", "sun": "☀", "cloud": "☁", "music": "♪", "warning": "⚠", "light-bulb": "✺",
    "target": "◎", "clock": "◷", "calendar": "▦", "table": "▦", "grid": "▦", "graph": "▥",
    "arrow-right": "→", "arrow-left": "←", "cross": "✘", "plus": "✚", "info": "ℹ",
  ]

  static func glyph(_ name: String) -> String { glyphs[name] ?? "◆" }
}
