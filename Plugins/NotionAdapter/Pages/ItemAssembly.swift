import ArchiverCore
import ArchiverMarkup

/// Fetches a page or database and builds its item.
struct ItemAssembly: Sendable {
  let settings: NotionSettings
  let client: NotionClient
  let lookup: NotionLookup

  var directory: NotionDirectory { lookup.directory }

  /// The maximum size of `source.json` in bytes; a note reports what was left out.
  static let recordLimit = 64 << 20

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    guard let id = NotionID(reference.id) else {
      throw AdapterError(
        .notFound, "\u{201C}\(reference.id)\u{201D} is not the id of a Notion page")
    }
    let payload = ReferencePayload(reference.payload)
    if payload?.kind == .database {
      return try await database(id, payload?.sourceIDs ?? [], reference)
    }
    do throws(AdapterError) {
      return try await page(id, reference)
    } catch {
      guard payload == nil, let fault = error.fault, !fault.isTooSlow,
        fault.status == 404 || fault.status == 400
      else {
        throw error
      }
      return try await database(id, [], reference)
    }
  }

  /// A page as Notion returned it.
  private struct ReceivedPage {
    let object: NotionObject
    let record: JSONValue
    let blocks: BlockFetcher.Result
    let comments: NotionComments
    let source: RecordWriter
    let fetched: Date
  }

  private func page(
    _ id: NotionID, _ reference: ItemReference
  ) async throws(AdapterError) -> SourceItem {
    var missing: [MissingPart] = []
    let page = try await receive(id, reference, &missing)
    let (object, record) = (page.object, page.record)
    var context = try await context(object, record, page.blocks.tree, page.comments, &missing)
    let rowFiles = FileCollector.attachments(context.shownContents)
    context.files = ItemAssembly.addresses(of: rowFiles)
    let schema = try await schema(of: object, &missing)
    missing += ItemAssembly.unknownTypes(of: page, context).missing
    let links = ItemAssembly.links(of: page, context, schema)

    let table = PropertyTable(
      page: record, schema: schema,
      renderer: PropertyRenderer(context: context))
    var html = HTMLWriter()
    ItemAssembly.icon(object, &html)
    table.write(to: &html)
    BlockRenderer(tree: page.blocks.tree, context: context).write(to: &html)
    page.comments.write(context, tree: page.blocks.tree, to: &html)

    var metadata = metadata(object, .page, record, context)
    metadata.properties = table.facts
    metadata.labels = table.labels
    let attachments =
      FileCollector.pictures(object) + FileCollector.attachments(properties: record["properties"])
      + FileCollector.attachments(page.blocks.tree) + FileCollector.attachments(page.comments)
      + rowFiles
    var current = current(reference, object, page.fetched)
    if page.blocks.isBroken { current.revision = NotionRevision.unsettled(at: page.fetched) }
    var item = SourceItem(
      reference: current, metadata: metadata,
      body: .html(html.bytes, baseURL: WebURL(id.address)), attachments: attachments.withoutRepeats,
      links: links.itemLinks, addresses: ItemAssembly.addresses(object, record),
      record: page.source.finished(), notes: page.blocks.notes + page.source.notes,
      missing: missing)
    item.graph = links.graph
    return item
  }

  /// Fetches a page with its properties, blocks and comments.
  private func receive(
    _ id: NotionID, _ reference: ItemReference, _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> ReceivedPage {
    let fetched = client.context.clock.now()
    var record = try await client.get(["pages", id.dashed], about: "page \(id)")
    guard let object = NotionObject(record) else {
      throw AdapterError(.malformed, "Notion's response for page \(id) is not a page object")
    }
    guard !object.inTrash else {
      throw AdapterError(.notFound, "page \(id) is in Notion's trash")
    }
    directory.learn(object)
    record = try await PropertyCompletion(client: client).completed(record, missing: &missing)
    var source = RecordWriter(page: record, limit: ItemAssembly.recordLimit)
    let fetcher = BlockFetcher(
      client: client, mayBeRecent: recentAnswers(object, reference, fetched))
    let blocks = try await fetcher.fetch(id) { source.add(block: $0) }
    let comments = try await NotionComments.read(
      page: id, tree: blocks.tree, scope: settings.comments, client: client, directory: directory)
    source.add(comments: comments.records)
    missing += blocks.missing
    if let fault = comments.fault {
      missing.append(MissingPart(.comments, name: "", reason: fault, isEssential: false))
    }
    return ReceivedPage(
      object: object, record: record, blocks: blocks, comments: comments, source: source,
      fetched: fetched)
  }

  private static func unknownTypes(
    of page: ReceivedPage, _ context: RenderContext
  ) -> UnknownTypes {
    var unknown = UnknownTypes()
    unknown.add(page.blocks.tree)
    unknown.add(properties: page.record["properties"])
    unknown.add(page.object.parent)
    unknown.add(page.comments)
    unknown.add(icon: page.record["icon"])
    unknown.add(cover: page.record["cover"])
    for content in context.shownContents { unknown.add(content) }
    return unknown
  }

  private static func links(
    of page: ReceivedPage, _ context: RenderContext, _ schema: DataSourceSchema?
  ) -> PageLinks {
    var collector = LinkCollector(page: page.object.id, context: context)
    collector.add(page.blocks.tree)
    collector.add(properties: page.record["properties"], schema)
    collector.add(page.comments)
    collector.add(makersOf: page.record)
    let parent = context.path.last?.id
    if let parent { collector.add(parent: parent, page.object.parent) }
    return collector.links(page.object, parent: parent)
  }

  private func database(
    _ id: NotionID, _ sources: [NotionID], _ reference: ItemReference
  ) async throws(AdapterError) -> SourceItem {
    let content = try await DatabaseFetcher(client: client).fetch(id, sources: sources)
    directory.learn(content.object)
    for source in content.sources {
      directory.keep(source.schema)
      for row in source.rows {
        if let object = NotionObject(row) { directory.learn(object) }
      }
    }
    var missing = content.missing
    var context = try await context(content, &missing)
    var collector = LinkCollector(page: id, context: context)
    collector.add(RichText.list(content.record["title"]), block: nil)
    collector.add(content.description, block: nil)
    collector.add(makersOf: content.record)
    for source in content.sources {
      collector.add(source: source.schema.id, of: id, NotionObject(source.record))
    }
    let parent = context.path.last?.id
    if let parent { collector.add(parent: parent, content.object.parent) }
    let links = collector.links(content.object, parent: parent)
    var unknown = UnknownTypes()
    unknown.add(content)
    unknown.add(content.object.parent)
    unknown.add(icon: content.record["icon"])
    unknown.add(cover: content.record["cover"])
    for row in content.sources.flatMap(\.rows) {
      unknown.add(icon: row["icon"])
      unknown.add(computed: row["properties"])
    }
    missing += unknown.missing
    let rowFiles = FileCollector.attachments([content])
    context.files = ItemAssembly.addresses(of: rowFiles)
    var html = HTMLWriter()
    ItemAssembly.icon(content.object, &html)
    DatabaseRenderer(content, context: context).write(to: &html)
    var metadata = metadata(content.object, .database, content.record, context)
    let rows = content.sources.map(\.rows.count).reduce(0, +)
    metadata.properties = [ItemProperty("Rows", String(rows))]
    metadata.summary = content.description.isEmpty ? nil : content.description.map(\.plain).joined()
    let files = DatabaseFiles(content: content, words: PropertyText(context: context))
    var current = reference
    current.title = content.object.title
    if content.isBroken {
      current.revision = NotionRevision.unsettled(at: client.context.clock.now())
    }
    var item = SourceItem(
      reference: current, metadata: metadata, body: .html(html.bytes, baseURL: WebURL(id.address)),
      attachments: (FileCollector.pictures(content.object) + files.attachments() + rowFiles)
        .withoutRepeats,
      links: links.itemLinks,
      addresses: ItemAssembly.addresses(content.object, content.record)
        + content.sources.map(\.schema.id.address),
      record: files.record(), notes: content.notes, missing: missing)
    item.graph = links.graph
    return item
  }

  /// The URLs of files to fetch.
  private static func addresses(of attachments: [Attachment]) -> Set<String> {
    Set(
      attachments.compactMap { attachment in
        if case .remote(let url) = attachment.location { url.absoluteString } else { nil }
      })
  }

  /// Returns the URLs by which others link to an object: with its id, with its title, and its
  /// public one.
  private static func addresses(_ object: NotionObject, _ record: JSONValue) -> [String] {
    [object.id.address] + [object.url, record["public_url"]?.string].compactMap(\.self)
  }

  /// Returns discovery's responses if the page has not changed since and the URLs of files in them
  /// are valid for another half hour.
  private func recentAnswers(
    _ object: NotionObject, _ reference: ItemReference, _ now: Date
  ) -> Date? {
    let own = NotionRevision.parts(reference.revision).own
    let isSame = NotionRevision.text(edited: object.edited, at: now) == own
    return isSame ? now.addingTimeInterval(-1800) : nil
  }

  private func current(
    _ reference: ItemReference, _ object: NotionObject, _ fetched: Date
  ) -> ItemReference {
    var current = reference
    current.revision = NotionRevision.text(edited: object.edited, at: fetched)
    current.revision += NotionRevision.parts(reference.revision).rows
    current.title = object.title
    current.date = NotionTime.date(object.edited)
    return current
  }

  private func metadata(
    _ object: NotionObject, _ kind: ItemMetadata.Kind, _ record: JSONValue, _ context: RenderContext
  ) -> ItemMetadata {
    // Notion's own title for untitled pages.
    var metadata = ItemMetadata(kind: kind, title: object.title.isEmpty ? "Untitled" : object.title)
    metadata.url = object.url.map(SignedAddress.cleaned) ?? object.id.address
    metadata.site = "notion.so"
    metadata.siteName = "Notion"
    metadata.added = NotionTime.date(object.created)
    metadata.modified = NotionTime.date(object.edited)
    let author = record["created_by"]
    let name = author?["name"]?.string ?? NotionID(author?["id"]).flatMap { context.users[$0] }
    metadata.authors = name.map { [$0] } ?? []
    return metadata
  }

  private static func icon(_ object: NotionObject, _ html: inout HTMLWriter) {
    guard let icon = object.icon else { return }
    html.element("div", ["class": "n-page-icon"]) { $0.icon(icon) }
  }
}

extension [Attachment] {
  /// The attachments without duplicate URLs.
  fileprivate var withoutRepeats: [Attachment] {
    var seen: Set<String> = []
    return filter { attachment in
      guard case .remote(let url) = attachment.location else { return true }
      return seen.insert("\(attachment.role.rawValue) \(url.absoluteString)").inserted
    }
  }
}
