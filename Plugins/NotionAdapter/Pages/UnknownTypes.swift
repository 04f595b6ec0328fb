import ArchiverCore

/// Counts unknown types on a page, and what Notion leaves out of its responses.
struct UnknownTypes: Sendable {
  private var counts: [String: Int] = [:]
  /// The number of files without a URL from Notion, by type.
  private var withoutAddress: [String: Int] = [:]

  /// The number of files with other URLs than `http` and `https`.
  private var unreachable = 0

  /// The number of values that Notion did not compute, by type.
  private var uncomputed: [String: Int] = [:]

  /// The number of blocks that Notion does not return, by type; the type may be empty.
  private var withheld: [String: Int] = [:]

  /// The number of pages and databases that the page contains or relates to and that have no id.
  private var unnamed = 0

  mutating func add(_ tree: BlockTree) {
    for node in tree.nodes {
      if !node.isKnown { count("block", node.type) }
      if node.type == "unsupported" {
        withheld[node.payload["block_type"]?.string ?? "", default: 0] += 1
      }
      if node.isDocument, node.id == nil { unnamed += 1 }
      add(icon: node.payload["icon"])
      if UnknownTypes.media.contains(node.type) { add(file: node.payload) }
      for text in node.texts { add(RichText.list(text)) }
    }
  }

  mutating func add(_ pieces: [RichText]) {
    for case .mention(let mention) in pieces.map(\.content) {
      let type = mention["type"]?.string ?? ""
      if !KnownTypes.mentions.contains(type) { count("mention", type) }
    }
  }

  mutating func add(properties: JSONValue?) {
    properties?.object?.values.forEach { add(property: $0) }
    add(computed: properties)
  }

  private mutating func add(property: JSONValue) {
    let type = property["type"]?.string ?? ""
    switch type {
    case "title", "rich_text": add(RichText.list(property[type]))
    case "files": property[type]?.array?.forEach { add(file: $0) }
    case "relation": unnamed += property[type]?.array?.count { NotionID($0["id"]) == nil } ?? 0
    case "rollup": property[type]?["array"]?.array?.forEach { add(property: $0) }
    case _ where !KnownTypes.properties.contains(type): count("property", type)
    default: break
    }
  }

  /// Adds the formulas and rollups of a page.
  mutating func add(computed properties: JSONValue?) {
    for property in properties?.object?.values.map({ $0 }) ?? [] {
      guard let type = property["type"]?.string, type == "formula" || type == "rollup",
        let value = property[type], PropertyText.isUncomputed(value)
      else { continue }
      uncomputed[type, default: 0] += 1
    }
  }

  /// Adds comments: unknown kinds of mentions, and files without a URL.
  mutating func add(_ comments: NotionComments) {
    for record in comments.records {
      add(RichText.list(record["rich_text"]))
      for file in record["attachments"]?.array ?? [] where NotionComments.file(file) == nil {
        withoutAddress[file["category"]?.string ?? "", default: 0] += 1
      }
    }
  }

  /// Adds the cover of a page or database.
  mutating func add(cover: JSONValue?) {
    guard let cover, !cover.isNull else { return }
    guard let file = NotionFile(cover) else {
      return count("cover", cover["type"]?.string ?? "")
    }
    // A cover is not in the page's HTML, so that even a `data:` URL is not kept.
    if WebURL(file.url) == nil { unreachable += 1 }
  }

  private static let media: Set<String> = ["image", "video", "audio", "pdf", "file"]

  /// Adds the icon of a page, database or block.
  mutating func add(icon: JSONValue?) {
    guard let icon, !icon.isNull, NotionIcon(icon) == nil else { return }
    count("icon", icon["type"]?.string ?? "")
  }

  private mutating func add(file value: JSONValue) {
    guard let file = NotionFile(value) else {
      withoutAddress[value["type"]?.string ?? "", default: 0] += 1
      return
    }
    if !file.hasReachableURL { unreachable += 1 }
  }

  mutating func add(_ parent: NotionParent) {
    if case .unknown(let type) = parent { count("parent", type) }
  }

  mutating func add(_ content: DatabaseContent) {
    for view in content.views {
      if let type = view.unknownType { count("view", type) }
      let calculation =
        view.configuration["y_axis"]?["aggregator"] ?? view.configuration["value"]?["aggregator"]
      if view.layout == .chart, let name = calculation?.string,
        !ChartAggregation.known.contains(name)
      {
        count("calculation", name)
      }
      if view.layout == .chart { add(chart: view.configuration) }
    }
    for source in content.sources {
      for column in source.schema.columns where !KnownTypes.properties.contains(column.type) {
        count("property", column.type)
      }
    }
  }

  /// Counts a kind of chart that is drawn as columns, and an unknown order.
  private mutating func add(chart configuration: JSONValue) {
    if let kind = configuration["chart_type"]?.string, !ChartContent.kinds.contains(kind) {
      count("chart", kind)
    }
    if let order = configuration["sort"]?.string, !ChartContent.orders.contains(order) {
      count("chart order", order)
    }
  }

  private mutating func count(_ what: String, _ type: String) {
    counts["\(what) of the type \u{201C}\(type)\u{201D}", default: 0] += 1
  }

  private func article(_ what: String) -> String { what.hasPrefix("icon") ? "an" : "a" }

  /// One part for each type: its form in Notion. Texts, files and links are kept.
  var missing: [MissingPart] {
    let forms = counts.sorted { $0.key < $1.key }.map { what, count in
      MissingPart(
        .record, name: "the form of \(count == 1 ? "" : "\(count) times ")\(article(what)) \(what)",
        reason: "the type is unknown; its text, files and links are kept", isPermanent: true,
        isEssential: false)
    }
    let files = withoutAddress.sorted { $0.key < $1.key }.map { type, count in
      MissingPart(
        .file,
        name: "\(count == 1 ? "a file" : "\(count) files") of the type \u{201C}\(type)\u{201D}",
        reason: "Notion returns no URL", isPermanent: true, isEssential: false)
    }
    let values = uncomputed.sorted { $0.key < $1.key }.map { type, count in
      MissingPart(
        .record,
        name: count == 1 ? "the value of a \(type)" : "the values of \(count) \(type)s",
        reason: "Notion did not compute it", isPermanent: true, isEssential: false)
    }
    return forms + files + unreachableFiles + values + blocks
  }

  /// Blocks whose content Notion does not return, and pages without an id.
  private var blocks: [MissingPart] {
    var blocks = withheld.sorted { $0.key < $1.key }.map { type, count in
      let form = type.isEmpty ? "" : " of the type \u{201C}\(type)\u{201D}"
      return UnknownTypes.part(
        count == 1 ? "a block\(form)" : "\(count) blocks\(form)", "Notion does not return it")
    }
    if unnamed > 0 {
      blocks.append(
        UnknownTypes.part(
          unnamed == 1 ? "a page or database" : "\(unnamed) pages or databases", "it has no id"))
    }
    return blocks
  }

  private static func part(_ name: String, _ reason: String) -> MissingPart {
    MissingPart(.children, name: name, reason: reason, isPermanent: true, isEssential: false)
  }

  private var unreachableFiles: [MissingPart] {
    guard unreachable > 0 else { return [] }
    return [
      MissingPart(
        .file, name: unreachable == 1 ? "a file" : "\(unreachable) files",
        reason: "Notion returns no http or https URL", isPermanent: true, isEssential: false)
    ]
  }
}

extension NotionFile {
  /// Whether the file can be fetched, or its URL is its content.
  fileprivate var hasReachableURL: Bool { WebURL(url) != nil || url.hasPrefix("data:") }
}
