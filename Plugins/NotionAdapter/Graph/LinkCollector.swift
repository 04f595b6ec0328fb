import ArchiverCore

/// Gathers everything in a page that refers to something else.
struct LinkCollector {
  private let page: NotionID
  private let context: RenderContext
  private var edges: [NotionGraph.EdgeKey: NotionGraph.Edge] = [:]
  private var others: [String: NotionGraph.Node] = [:]

  init(page: NotionID, context: RenderContext) {
    self.page = page
    self.context = context
  }

  /// Returns what was gathered, with the page itself.
  func links(_ object: NotionObject, parent: NotionID?) -> PageLinks {
    var links = PageLinks(
      node: NotionGraph.Node(
        id: object.id.hex, kind: object.kind == .page ? .page : .database, title: object.title,
        url: object.url.map(SignedAddress.cleaned), icon: object.icon?.glyph,
        parent: parent?.hex, edited: object.edited, isGhost: false))
    links.edges = edges.values.sorted {
      ($0.source, $0.target, $0.kind.rawValue) < ($1.source, $1.target, $1.kind.rawValue)
    }
    links.others = others.values.sorted { $0.id < $1.id }
    return links
  }

  mutating func add(parent: NotionID) {
    node(parent)
    edge(from: parent.hex, to: page.hex, .parent)
  }

  mutating func add(
    _ kind: NotionGraph.Edge.Kind, _ target: NotionID, block: NotionID?, name: String? = nil
  ) {
    guard target != page else { return }
    node(target)
    edge(from: page.hex, to: target.hex, kind, block: block, name: name)
  }

  mutating func add(_ tree: BlockTree) {
    for node in tree.nodes { add(node) }
  }

  private mutating func add(_ node: BlockTree.Node) {
    let payload = node.payload
    for key in ["rich_text", "text", "caption"] { add(RichText.list(payload[key]), block: node.id) }
    for cell in payload["cells"]?.array ?? [] { add(RichText.list(cell), block: node.id) }
    switch node.type {
    case "child_page", "child_database":
      guard let id = node.id else { return }
      if let view = context.linkedViews[id] {
        add(.linkedView, view.database, block: id)
      } else {
        self.node(id, title: payload["title"]?.string)
        edge(from: page.hex, to: id.hex, .parent)
      }
    case "link_to_page":
      if let id = NotionID(payload["page_id"] ?? payload["database_id"]) {
        add(.linkToPage, id, block: node.id)
      }
    case "bookmark", "embed", "link_preview":
      add(address: payload["url"]?.string ?? "", block: node.id)
    default: break
    }
  }

  mutating func add(_ pieces: [RichText], block: NotionID?) {
    for piece in pieces {
      if case .mention(let mention) = piece.content {
        let type = mention["type"]?.string ?? ""
        switch type {
        case "page", "database", "data_source":
          if let id = NotionID(mention[type]?["id"]) { add(.mention, id, block: block) }
          continue
        case "user":
          if let id = NotionID(mention["user"]?["id"]) {
            person(id, mention["user"]?["name"]?.string)
          }
          continue
        case "link_mention", "link_preview":
          add(
            address: mention[type]?["href"]?.string ?? mention[type]?["url"]?.string ?? "",
            block: block)
          continue
        default: break
        }
      }
      if let link = piece.link { add(address: link, block: block) }
    }
  }

  /// Adds a link to an address: an edge to a page when it leads into Notion, else to its host.
  private mutating func add(address: String, block: NotionID?) {
    if let target = NotionAddress(address) {
      if let page = target.page { add(.link, page, block: block) }
      return
    }
    guard let url = WebURL(address) else { return }
    let id = "web:\(url.host)"
    others[id] = NotionGraph.Node(id: id, kind: .web, title: url.host, isGhost: false)
    edge(from: page.hex, to: id, .web, block: block)
  }

  mutating func add(properties: JSONValue?) {
    for (name, property) in properties?.object ?? [:] {
      switch property["type"]?.string {
      case "relation":
        for target in (property["relation"]?.array ?? []).compactMap({ NotionID($0["id"]) }) {
          add(.relation, target, block: nil, name: name)
        }
      case "title", "rich_text":
        add(RichText.list(property["title"] ?? property["rich_text"]), block: nil)
      case "select", "status":
        tag((property["select"] ?? property["status"])?["name"]?.string)
      case "multi_select":
        for option in property["multi_select"]?.array ?? [] { tag(option["name"]?.string) }
      case "people":
        for user in property["people"]?.array ?? [] {
          if let id = NotionID(user["id"]) { person(id, user["name"]?.string) }
        }
      case "url": add(address: property["url"]?.string ?? "", block: nil)
      default: break
      }
    }
  }

  private mutating func tag(_ name: String?) {
    guard let name else { return }
    let id = "tag:\(name)"
    others[id] = NotionGraph.Node(id: id, kind: .tag, title: name, isGhost: false)
    edge(from: page.hex, to: id, .tag)
  }

  private mutating func person(_ user: NotionID, _ name: String?) {
    let id = "person:\(user.hex)"
    let title = name ?? context.users[user] ?? ""
    others[id] = NotionGraph.Node(id: id, kind: .person, title: title, isGhost: false)
    edge(from: page.hex, to: id, .person)
  }

  /// A target counts as a ghost until its own page is added to the graph.
  private mutating func node(_ id: NotionID, title: String? = nil) {
    guard others[id.hex] == nil else { return }
    others[id.hex] = NotionGraph.Node(
      id: id.hex, kind: .unknown, title: context.known[id]?.title ?? title ?? "", url: id.address,
      isGhost: true)
  }

  private mutating func edge(
    from source: String, to target: String, _ kind: NotionGraph.Edge.Kind, block: NotionID? = nil,
    name: String? = nil
  ) {
    let key = NotionGraph.EdgeKey(source: source, target: target, kind: kind)
    var edge =
      edges[key]
      ?? NotionGraph.Edge(
        source: source, target: target, kind: kind, count: 0, blocks: [], names: [])
    edge.count = kind == .parent ? 1 : edge.count + 1
    if let block, edge.blocks.count < NotionGraph.blockLimit, !edge.blocks.contains(block.hex) {
      edge.blocks.append(block.hex)
    }
    if let name, !edge.names.contains(name) { edge.names.append(name) }
    edges[key] = edge
  }
}
