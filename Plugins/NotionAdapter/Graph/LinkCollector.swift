import ArchiverCore

/// Collects everything in a page that refers to other objects.
struct LinkCollector {
  private let page: NotionID
  private let context: RenderContext
  private var edges: [GraphEdge.Key: GraphEdge] = [:]
  private var others: [String: GraphNode] = [:]
  private var containers: [String: String] = [:]

  init(page: NotionID, context: RenderContext) {
    self.page = page
    self.context = context
  }

  /// Returns the collected links, with the page itself below `parent`.
  func links(_ object: NotionObject, parent: NotionID?) -> PageLinks {
    var links = PageLinks(graph: ItemGraph(node: GraphNode(object, parent: parent)))
    links.graph.edges = edges.values.sorted {
      ($0.source, $0.target, $0.kind.rawValue, $0.names.first ?? "")
        < ($1.source, $1.target, $1.kind.rawValue, $1.names.first ?? "")
    }
    links.graph.others = others.values.sorted { $0.id < $1.id }
    links.containers = containers
    return links
  }

  /// Adds the parent of a page; a row's parent is its table, whose parent is its database.
  mutating func add(parent: NotionID, _ kind: NotionParent) {
    node(parent)
    guard case .dataSource(let source, _) = kind, source != parent else {
      return edge(from: parent.hex, to: page.hex, .parent)
    }
    add(source: source, of: parent)
    edge(from: source.hex, to: page.hex, .parent)
  }

  /// Adds a table of a database.
  mutating func add(source: NotionID, of database: NotionID, _ object: NotionObject? = nil) {
    guard source != database else { return }
    var table =
      object.map { GraphNode($0, parent: database) }
      ?? GraphNode(
        id: source.hex, kind: .dataSource, title: context.known[source]?.title ?? "",
        url: source.address)
    table.parent = database.hex
    others[source.hex] = table
    containers[source.hex] = database.hex
    edge(from: database.hex, to: source.hex, .parent)
  }

  mutating func add(
    _ kind: GraphEdge.Kind, _ target: NotionID, block: NotionID? = nil, name: String? = nil,
    reverse: String? = nil
  ) {
    guard target != page else { return }
    node(target)
    edge(from: page.hex, to: target.hex, kind, block: block, name: name, reverse: reverse)
  }

  mutating func add(_ tree: BlockTree) {
    let own = Set(tree.nodes.compactMap(\.id))
    for node in tree.nodes {
      add(node)
      if let original = node.syncedFrom, !own.contains(original) {
        add(.synced, context.synced[original] ?? original, block: node.id)
      }
    }
  }

  private mutating func add(_ node: BlockTree.Node) {
    let payload = node.payload
    for text in node.texts { add(RichText.list(text), block: node.id) }
    switch node.type {
    case "child_page", "child_database":
      guard let id = node.id else { return }
      if let view = context.linkedViews[id] {
        add(view, block: id)
      } else {
        self.node(id, title: payload["title"]?.string)
        edge(from: page.hex, to: id.hex, .parent)
      }
    case "link_to_page":
      if let id = NotionID(payload["page_id"] ?? payload["database_id"]) {
        add(.linkToPage, id, block: node.id)
      } else if let comment = NotionID(payload["comment_id"]) {
        add(comment: comment, block: node.id)
      }
    case "bookmark", "embed", "link_preview":
      add(address: payload["url"]?.string ?? "", block: node.id)
    case _ where node.isOpaque:
      let content = UnknownContent(payload, besides: BlockTree.textKeys)
      for link in content.links { add(address: link, block: node.id) }
      add(content.texts, block: node.id)
    default: break
    }
  }

  private mutating func add(_ view: RenderContext.LinkedView, block: NotionID) {
    for shown in view.views {
      guard let source = shown.source else { continue }
      // The database is known for the first table only.
      if source == view.views.lazy.compactMap(\.source).first, source != view.database {
        node(view.database)
        add(source: source, of: view.database)
      } else {
        node(source)
      }
      edge(
        from: page.hex, to: source.hex, .linkedView, block: block,
        name: shown.name.isEmpty ? nil : shown.name)
    }
  }

  /// A comment belongs to a page; one that cannot be read is a node of its own.
  private mutating func add(comment: NotionID, block: NotionID?) {
    if let page = context.comments[comment] { return add(.linkToPage, page, block: block) }
    let id = "comment:\(comment.hex)"
    others[id] = GraphNode(id: id, kind: .comment, title: "")
    edge(from: page.hex, to: id, .linkToPage, block: block)
  }

  mutating func add(_ pieces: [RichText], block: NotionID?) {
    for piece in pieces {
      if case .mention(let mention) = piece.content, add(mention, block: block) { continue }
      if let link = piece.link { add(address: link, block: block) }
    }
  }

  /// Adds a mentioned object; returns false if it has no node in the graph.
  private mutating func add(_ mention: JSONValue, block: NotionID?) -> Bool {
    let type = mention["type"]?.string ?? ""
    let value = mention[type]
    switch type {
    case "page", "database", "data_source":
      if let id = NotionID(value?["id"]) { add(.mention, id, block: block) }
    case "user":
      if let id = NotionID(value?["id"]) {
        add(person: id, value?["name"]?.string, as: "mention")
      }
    case "link_mention", "link_preview":
      add(address: value?["href"]?.string ?? value?["url"]?.string ?? "", block: block)
    default: return false
    }
    return true
  }

  /// Adds a link: an edge to a page if it leads into Notion, otherwise to its host.
  private mutating func add(address: String, block: NotionID?) {
    if let target = NotionAddress(address) {
      if let page = target.page { add(.link, page, block: block) }
      return
    }
    guard let url = WebURL(address) else { return }
    let id = "web:\(url.host)"
    others[id] = GraphNode(id: id, kind: .web, title: url.host)
    edge(from: page.hex, to: id, .web, block: block)
  }

  /// Adds the values of a page's properties; `schema` has the inverse names of relations.
  mutating func add(properties: JSONValue?, _ schema: DataSourceSchema?) {
    for (name, property) in properties?.object ?? [:] {
      switch property["type"]?.string {
      case "relation":
        let reverse = schema?.column(name)?.details["dual_property"]?["synced_property_name"]
        for target in (property["relation"]?.array ?? []).compactMap({ NotionID($0["id"]) }) {
          add(.relation, target, name: name, reverse: reverse?.string)
        }
      case "title", "rich_text":
        add(RichText.list(property["title"] ?? property["rich_text"]), block: nil)
      case "select", "status":
        tag((property["select"] ?? property["status"])?["name"]?.string, name)
      case "multi_select":
        for option in property["multi_select"]?.array ?? [] { tag(option["name"]?.string, name) }
      case "people":
        for user in property["people"]?.array ?? [] {
          if let id = NotionID(user["id"]) { add(person: id, user["name"]?.string, as: name) }
        }
      case "url": add(address: property["url"]?.string ?? "", block: nil)
      default: break
      }
    }
  }

  /// Adds the creator of a page or database, and the person who last edited it.
  mutating func add(makersOf record: JSONValue) {
    for role in ["created_by", "last_edited_by"] {
      guard let id = NotionID(record[role]?["id"]) else { continue }
      add(person: id, record[role]?["name"]?.string, as: role)
    }
  }

  private mutating func tag(_ tag: String?, _ property: String) {
    guard let tag else { return }
    let id = "tag:\(tag)"
    others[id] = GraphNode(id: id, kind: .tag, title: tag)
    edge(from: page.hex, to: id, .tag, name: property)
  }

  mutating func add(person user: NotionID, _ name: String?, as role: String) {
    let id = "person:\(user.hex)"
    let title = name ?? context.users[user] ?? others[id]?.title ?? ""
    others[id] = GraphNode(id: id, kind: .person, title: title)
    edge(from: page.hex, to: id, .person, name: role)
  }

  private mutating func node(_ id: NotionID, title: String? = nil) {
    guard others[id.hex] == nil else { return }
    let known = context.known[id]
    var node = GraphNode(
      id: id.hex, kind: .unknown, title: known?.title ?? title ?? "", url: id.address)
    node.icon = known?.icon?.lasting
    node.isShared = known?.isShared ?? true
    node.isInTrash = known?.isInTrash ?? false
    others[id.hex] = node
  }

  private mutating func edge(
    from source: String, to target: String, _ kind: GraphEdge.Kind, block: NotionID? = nil,
    name: String? = nil, reverse: String? = nil
  ) {
    let key = GraphEdge.Key(
      source: source, target: target, kind: kind, relation: kind == .relation ? name : nil)
    var edge = edges[key] ?? GraphEdge(source: source, target: target, kind: kind, count: 0)
    edge.count = kind == .parent ? 1 : edge.count + 1
    edge.reverse = reverse
    if let block, edge.blocks.count < GraphEdge.blockLimit, !edge.blocks.contains(block.hex) {
      edge.blocks.append(block.hex)
    }
    if let name, !edge.names.contains(name) { edge.names.append(name) }
    edges[key] = edge
  }
}
