import ArchiverCore

// What a page needs besides its own blocks and properties: titles, people, columns, and the databases that it
// shows.
extension ItemAssembly {
  func schema(
    of object: NotionObject, _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> DataSourceSchema? {
    do throws(AdapterError) {
      switch object.parent {
      case .dataSource(let id, _): return try await lookup.schema(id)
      case .database(let id): return try await lookup.schema(id)
      default: return nil
      }
    } catch {
      guard error.concernsOneObject else { throw error }
      missing.append(
        MissingPart(.record, name: "the columns of its database", reason: error.message))
      return nil
    }
  }

  func context(
    _ object: NotionObject, _ record: JSONValue, _ tree: BlockTree, _ comments: NotionComments,
    _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> RenderContext {
    var references = References()
    references.add(tree)
    references.add(properties: record["properties"])
    references.add(comments)
    var context = RenderContext(page: object.id, title: object.title, today: today)
    try await follow(tree, comments, &context, &references)
    var seen: Set<NotionID> = []
    for node in tree.nodes where node.type == "child_database" {
      guard let id = node.id, seen.insert(id).inserted else { continue }
      do throws(AdapterError) {
        guard let content = try await shown(id, &context, &missing) else { continue }
        context.linkedContents[id] = content
        missing += content.missing
        for row in content.sources.flatMap(\.rows) { references.add(properties: row["properties"]) }
      } catch {
        guard error.concernsOneObject else { throw error }
        missing.append(ItemAssembly.part(node, error))
      }
    }
    try await complete(&context, references, object, &missing)
    return context
  }

  /// Returns the part for a database on a page that could not be read. A page is complete without one
  /// that is not shared.
  private static func part(_ database: BlockTree.Node, _ error: AdapterError) -> MissingPart {
    let title = database.payload["title"]?.string ?? ""
    return MissingPart(
      .children, name: title.isEmpty ? "a database" : "the database \u{201C}\(title)\u{201D}",
      reason: error.message, isPermanent: error.isRefusal, isEssential: !error.isRefusal)
  }

  /// Fetches what a page shows of an inline database; `nil` if it is only a link. Throws if Notion does not
  /// return it.
  private func shown(
    _ id: NotionID, _ context: inout RenderContext, _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> DatabaseContent? {
    let fetcher = DatabaseFetcher(client: client)
    let database = try await lookup.database(ofBlock: id)
    if case .own = database { return try await fetcher.inline(id) }
    guard let view = try await lookup.linkedView(id) else {
      if case .refused(let error) = database { throw error }
      throw AdapterError(.notFound, "Notion returns neither tables nor views of database \(id)")
    }
    context.linkedViews[id] = view
    missing += view.missing
    guard view.isShared else {
      throw AdapterError(
        .notFound, "the table of database \(id) is not shared with the integration, or was deleted")
    }
    return try await fetcher.linked(view.views)
  }

  /// Determines the pages of synced blocks and comments on other pages.
  private func follow(
    _ tree: BlockTree, _ comments: NotionComments, _ context: inout RenderContext,
    _ references: inout References
  ) async throws(AdapterError) {
    let own = Set(tree.nodes.compactMap(\.id))
    let ownComments = Set(comments.records.compactMap { NotionID($0["id"]) })
    for node in tree.nodes {
      if let original = node.syncedFrom, !own.contains(original),
        let owner = try await knownOwner(of: original)
      {
        context.synced[original] = owner
        references.insert(owner)
      }
      guard let comment = NotionID(node.payload["comment_id"]) else { continue }
      let page =
        ownComments.contains(comment) ? context.page : try await lookup.page(ofComment: comment)
      context.comments[comment] = page
      references.insert(page, byTitle: true)
    }
  }

  /// Returns the page of a synced block's original; `nil` if it cannot be determined this time, so
  /// that the block has no link to it.
  private func knownOwner(of block: NotionID) async throws(AdapterError) -> NotionID? {
    do throws(AdapterError) {
      return try await lookup.owner(.block(block))
    } catch {
      guard error.concernsOneObject else { throw error }
      client.context.log(.info, "the original of a synced block is unknown: \(error.message)")
      return nil
    }
  }

  func context(
    _ content: DatabaseContent, _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> RenderContext {
    var references = References()
    references.add(content.record["title"]?.array ?? [])
    references.add(content.record["description"]?.array ?? [])
    for source in content.sources {
      for row in source.rows { references.add(properties: row["properties"]) }
    }
    var context = RenderContext(page: content.object.id, title: content.object.title, today: today)
    try await complete(&context, references, content.object, &missing)
    return context
  }

  private func complete(
    _ context: inout RenderContext, _ references: References, _ object: NotionObject,
    _ missing: inout [MissingPart]
  ) async throws(AdapterError) {
    context.path = try await lookup.path(object)
    var references = references
    for step in context.path { references.insert(step.id, byTitle: references.showsPath) }
    missing += try await lookup.titles(references)
    for id in references.ids { context.known[id] = directory.known(id) }
    let people = try await lookup.users()
    context.users = people.names
    if let fault = people.fault {
      missing.append(
        MissingPart(.record, name: "names of people", reason: fault, isEssential: false))
    }
  }

  /// The current day in UTC.
  private var today: CalendarDay { UTCTime.calendarDay(client.context.clock.now()) }
}
