import ArchiverCore

/// The ids whose titles a page needs, found before it is rendered.
struct References {
  private(set) var ids: Set<NotionID> = []
  /// The targets of relations, by property; they are pages, often of one table.
  private(set) var relations: [String: Set<NotionID>] = [:]
  /// Those that the page shows by their titles only; others have words of their own, as a mention has.
  private(set) var titleOnly: Set<NotionID> = []
  /// Whether the page shows the titles of its ancestors.
  private(set) var showsPath = false

  /// Mentions of objects with titles.
  private static let pages: Set<String> = ["page", "database", "data_source"]

  mutating func add(_ tree: BlockTree) {
    for node in tree.nodes {
      for text in node.texts { add(text.array ?? []) }
      switch node.type {
      case "link_to_page":
        insert(NotionID(node.payload["page_id"] ?? node.payload["database_id"]), byTitle: true)
      case "child_page", "child_database":
        insert(node.id, byTitle: node.payload["title"]?.string?.isEmpty ?? true)
      case "breadcrumb": showsPath = true
      case "bookmark", "embed", "link_preview":
        insert(NotionAddress(node.payload["url"]?.string ?? "")?.page)
      case _ where node.isOpaque: add(UnknownContent(node.payload))
      default: break
      }
    }
  }

  private mutating func add(_ content: UnknownContent) {
    for link in content.links { insert(NotionAddress(link)?.page) }
    for case .page(let id) in content.pieces { insert(id, byTitle: true) }
    for text in content.texts {
      insert(text.link.flatMap { NotionAddress($0)?.page })
      guard case .mention(let mention) = text.content, let type = mention["type"]?.string else {
        continue
      }
      insert(NotionID(mention[type]?["id"]), unless: !References.pages.contains(type))
    }
  }

  mutating func add(_ pieces: [JSONValue]) {
    for piece in pieces {
      guard let mention = piece["mention"], let type = mention["type"]?.string else {
        let link = piece["text"]?["link"]?["url"]?.string ?? piece["href"]?.string
        insert(link.flatMap { NotionAddress($0)?.page })
        continue
      }
      insert(NotionID(mention[type]?["id"]), unless: !References.pages.contains(type))
    }
  }

  mutating func add(properties: JSONValue?) {
    for (name, property) in properties?.object ?? [:] { add(property: property, name) }
  }

  private mutating func add(property: JSONValue, _ name: String) {
    let type = property["type"]?.string ?? ""
    switch type {
    case "relation":
      for target in property["relation"]?.array ?? [] {
        guard let id = NotionID(target["id"]) else { continue }
        insert(id, byTitle: true)
        relations[name, default: []].insert(id)
      }
    case "url": insert(property["url"]?.string.flatMap { NotionAddress($0)?.page })
    case "title", "rich_text":
      add((property["title"] ?? property["rich_text"])?.array ?? [])
    case "rollup":
      for item in property["rollup"]?["array"]?.array ?? [] { add(property: item, name) }
    case _ where !KnownTypes.properties.contains(type):
      if let value = property.payload(type) { add(UnknownContent(value)) }
    default: break
    }
  }

  /// - Parameter byTitle: Whether the page shows the object by its title only.
  mutating func insert(_ id: NotionID?, unless isOther: Bool = false, byTitle: Bool = false) {
    guard let id, !isOther else { return }
    ids.insert(id)
    if byTitle { titleOnly.insert(id) }
  }
}
