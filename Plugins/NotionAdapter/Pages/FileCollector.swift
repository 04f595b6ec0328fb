import ArchiverCore

/// Collects the files to store with a page, including audio and video; images are found in its
/// HTML.
enum FileCollector {
  static func attachments(_ tree: BlockTree) -> [Attachment] {
    tree.nodes.compactMap { node in
      guard let file = NotionFile(node.payload) else { return nil }
      switch node.type {
      case "file", "pdf": return attachment(file)
      case "video": return MediaFile.isVideo(file) ? attachment(file) : nil
      case "audio": return MediaFile.isAudio(file) ? attachment(file) : nil
      default: return nil
      }
    } + tree.nodes.filter(\.isOpaque).flatMap { attachments(unknown: $0.payload) }
  }

  /// Returns files in a value of an unknown type; images are found in the page's HTML.
  private static func attachments(unknown value: JSONValue) -> [Attachment] {
    UnknownContent(value).files.compactMap { file in
      file.isPicture ? nil : attachment(file)
    }
  }

  static func attachments(properties: JSONValue?) -> [Attachment] {
    let properties = (properties?.object ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    return properties.flatMap { attachments(property: $0) }
  }

  private static func attachments(property: JSONValue) -> [Attachment] {
    let type = property["type"]?.string ?? ""
    guard let value = property.payload(type) else { return [] }
    guard KnownTypes.properties.contains(type) else { return attachments(unknown: value) }
    switch type {
    case "files":
      return (value.array ?? []).compactMap { value in
        guard let file = NotionFile(value), !file.isPicture else { return nil }
        return attachment(file)
      }
    case "rollup": return (value["array"]?.array ?? []).flatMap { attachments(property: $0) }
    default: return []
    }
  }

  /// The maximum number of rows whose files are stored with a database's page; files of further
  /// rows are with the rows' own pages.
  static let rowLimit = 200

  /// Returns the files in the rows of databases, at most `rowLimit`.
  static func attachments(_ contents: some Sequence<DatabaseContent>) -> [Attachment] {
    let rows = contents.lazy.flatMap(\.sources).flatMap(\.rows)
    return Array(rows.flatMap { attachments(properties: $0["properties"]) }.prefix(rowLimit))
  }

  static func attachments(_ comments: NotionComments) -> [Attachment] {
    comments.comments.flatMap(\.files).compactMap { file in
      file.isPicture ? nil : attachment(file)
    }
  }

  /// An external file may be a web page; it is fetched nevertheless, and its content decides.
  private static func attachment(_ file: NotionFile?) -> Attachment? {
    guard let file, let url = WebURL(file.url) else { return nil }
    return Attachment(
      .file, .remote(url), name: file.displayName)
  }

  /// Returns the cover and the icon if they are images.
  static func pictures(_ object: NotionObject) -> [Attachment] {
    var pictures: [Attachment] = []
    if let cover = object.cover, let url = WebURL(cover.url) {
      pictures.append(Attachment(.cover, .remote(url)))
    }
    if case .image(let address, let name)? = object.icon, let url = WebURL(address) {
      pictures.append(Attachment(.icon, .remote(url), name: name))
    }
    return pictures
  }
}
