import ArchiverCore
import ArchiverMarkup

/// The parent of a page, database, data source or block.
enum NotionParent: Sendable, Hashable {
  case workspace
  case page(NotionID)
  case database(NotionID)
  case dataSource(NotionID, database: NotionID?)
  case block(NotionID)
  /// An unknown kind of parent, as received.
  case unknown(String)
  /// No parent.
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

  /// The id of the parent; `nil` at the top.
  var id: NotionID? {
    switch self {
    case .page(let id), .database(let id), .block(let id): id
    case .dataSource(let id, let database): database ?? id
    case .workspace, .unknown, .other: nil
    }
  }
}

/// The common facts of pages, databases and data sources, parsed leniently from any API version.
struct NotionObject: Sendable {
  enum Kind: String, Sendable {
    case page, database
    case dataSource = "data_source"
  }

  let id: NotionID
  let kind: Kind
  let title: String
  let parent: NotionParent
  /// As received: to the minute for pages, finer for databases.
  let edited: String
  let created: String
  let inTrash: Bool
  let icon: NotionIcon?
  let cover: NotionFile?
  let url: String?
  /// False for the stubs that search may return.
  let isWhole: Bool

  /// Parses an object; `nil` if it is of another kind or has no id.
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

/// A file stored by Notion or linked by URL.
struct NotionFile: Sendable, Hashable {
  let url: String
  /// Whether Notion stores it, at a URL that is valid for an hour.
  let isHosted: Bool
  let name: String?

  /// Hosts that serve only files stored by Notion. Buckets at shared hosts and image proxies are
  /// left out.
  static let hosts: Set<String> = [
    "prod-files-secure.s3.us-west-2.amazonaws.com", "file.notion.so", "secure.notion-static.com",
  ]

  /// Parses a file object; `nil` if it has no URL, such as a pending upload.
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

  /// The name to show: Notion's, or else the last part of the URL.
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

  /// Whether it is an image, by its extension.
  var isPicture: Bool { NotionFile.pictures.contains(fileExtension) }

  private static let pictures: Set<String> = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp", "heic", "tif", "tiff",
  ]
}

/// The icon of a page, database or callout.
enum NotionIcon: Sendable, Hashable {
  case emoji(String)
  /// An image: uploaded, external, or a workspace's custom emoji.
  case image(url: String, name: String?)
  /// One of Notion's built-in drawings, which have no URL in the API.
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
      // An icon of an unknown kind has a URL if it is an image.
      guard let file = NotionFile(value) else { return nil }
      self = .image(url: file.url, name: nil)
    }
  }

  /// The icon as plain text.
  var glyph: String {
    switch self {
    case .emoji(let emoji): emoji
    case .image: ""
    case .builtIn(let name, _): BuiltInIcon.glyph(name)
    }
  }
}

extension NotionIcon {
  /// A character, or the image's URL without signature.
  var lasting: String {
    if case .image(let url, _) = self { SignedAddress.cleaned(url) } else { glyph }
  }
}

/// Characters for Notion's built-in icons.
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
