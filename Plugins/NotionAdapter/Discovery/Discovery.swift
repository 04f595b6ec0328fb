import ArchiverCore

/// Finds every page and database: the configured roots, what search names, the rows of every
/// database and what the blocks of pages lead to, each once by its id.
///
/// One value is the state of a listing; `next` does the next piece of work.
struct Discovery: Sendable {
  /// A page or database found.
  struct Found: Sendable {
    var isDatabase: Bool
    var title: String
    var edited: String
    var parent: NotionParent
    /// The tables of a database.
    var sources: [NotionID] = []
  }

  private enum Phase: Sendable {
    case roots
    case pages(cursor: String?)
    case sources(cursor: String?)
    case trash(cursor: String?, pages: Int)
    case rows
    case walk
    case end
    case over
  }

  let settings: NotionSettings
  let client: NotionClient
  let lookup: NotionLookup
  let previous: NotionCheckpoint?
  private var started: Date?
  private var phase = Phase.roots
  private(set) var found: [NotionID: Found] = [:]
  /// Stamps as delivered; a page met again with another stamp is delivered again.
  private var delivered: [NotionID: String] = [:]
  private var undelivered: [NotionID] = []
  private var trashed: Set<NotionID> = []
  /// Databases whose rows are still to be named.
  private var databases: [NotionID] = []
  private var settledDatabases: Set<NotionID> = []
  /// Pages whose blocks are still to be walked.
  private var toWalk: [NotionID] = []
  private var queued: Set<NotionID> = []
  private var stamps: [NotionID: String] = [:]
  private var rows: [String: NotionCheckpoint.Rows] = [:]
  private var touched: Set<NotionID> = []
  /// Databases that the page around them shows.
  private var inlineDatabases: Set<NotionID> = []
  private var shown: ShownRows
  /// How often a search may still be begun anew.
  private var fresh = 3

  init(settings: NotionSettings, client: NotionClient, lookup: NotionLookup, since: Checkpoint?) {
    self.settings = settings
    self.client = client
    self.lookup = lookup
    previous = NotionCheckpoint(since, scope: settings.scope)
    shown = ShownRows(previous)
  }

  /// Does the next piece of work and returns what came of it; `nil` when everything is named.
  mutating func next() async throws(AdapterError) -> ListingPage? {
    if started == nil { started = client.context.clock.now() }
    switch phase {
    case .roots: try await roots()
    case .pages(let cursor): try await search("page", cursor)
    case .sources(let cursor):
      try await search(settings.version.hasDataSources ? "data_source" : "database", cursor)
    case .trash(let cursor, let pages): return try await trash(cursor, pages)
    case .rows: return try await nextRows()
    case .walk: try await nextWalk()
    case .end: return try await end()
    case .over: return nil
    }
    return try await page()
  }

  private mutating func add(_ object: NotionObject) {
    lookup.directory.learn(object)
    guard !object.inTrash else {
      trashed.insert(object.id)
      return
    }
    switch object.kind {
    case .page: add(page: object)
    case .database: add(database: object.id, object, sources: [])
    case .dataSource:
      stamps[object.id] = object.edited
      let database = NotionDirectory.container(object) ?? object.id
      add(database: database, object, sources: [object.id])
    }
  }

  private mutating func add(page: NotionObject) {
    found[page.id] = Found(
      isDatabase: false, title: page.title, edited: page.edited, parent: page.parent)
    if delivered[page.id] != page.edited { undelivered.append(page.id) }
    if mayHaveNewChildren(page), queued.insert(page.id).inserted { toWalk.append(page.id) }
  }

  private func mayHaveNewChildren(_ page: NotionObject) -> Bool {
    if let since = previous?.since, let date = NotionTime.date(page.edited), date < since {
      return false
    }
    switch settings.depth {
    case .search: return false
    case .everything: return true
    case .pages:
      if case .dataSource = page.parent { return false }
      if case .database = page.parent { return false }
      return true
    }
  }

  private mutating func add(database id: NotionID, _ object: NotionObject, sources: [NotionID]) {
    if var known = found[id] {
      for source in sources where !known.sources.contains(source) { known.sources.append(source) }
      found[id] = known
    } else {
      let parent = object.kind == .dataSource ? NotionParent.other : object.parent
      found[id] = Found(
        isDatabase: true, title: object.title, edited: object.edited, parent: parent,
        sources: sources)
    }
    if !settledDatabases.contains(id), !databases.contains(id) { databases.append(id) }
  }

  private mutating func roots() async throws(AdapterError) {
    for root in settings.roots {
      guard let object = try await lookup.object(root, orTable: true) else {
        throw AdapterError(
          .unauthorized,
          "The root \(root) is not shared with the integration: open it in Notion, choose "
            + "\u{2022}\u{2022}\u{2022}, Connections, and add the integration")
      }
      add(object)
    }
    phase = .pages(cursor: nil)
  }

  private mutating func search(
    _ kind: String, _ cursor: String?
  ) async throws(AdapterError) {
    let list: NotionList
    do throws(AdapterError) {
      list = try await client.page(
        ["search"],
        query: [
          "filter": ["property": "object", "value": .string(kind)],
          "sort": ["timestamp": "last_edited_time", "direction": "descending"],
        ], cursor: cursor, about: "everything shared with the integration")
    } catch {
      // Cursors may go stale while pages are edited: what was named already is not named again.
      guard cursor != nil, error.fault?.status == 400, fresh > 0 else { throw error }
      fresh -= 1
      phase = kind == "page" ? .pages(cursor: nil) : .sources(cursor: nil)
      return
    }
    for value in list.results {
      guard let object = NotionObject(value) else { continue }
      // Search may return a stub; an object seen whole is not replaced by one.
      if object.isWhole || found[object.id] == nil { add(object) }
    }
    if kind == "page" {
      phase = list.next.map { .pages(cursor: $0) } ?? .sources(cursor: nil)
    } else {
      phase = list.next.map { .sources(cursor: $0) } ?? .trash(cursor: nil, pages: 0)
    }
  }

  /// Most pages of the trash that are read: all of it by a pass over everything.
  private var trashPages: Int { previous == nil ? 1_000 : 20 }

  private mutating func trash(
    _ cursor: String?, _ pages: Int
  ) async throws(AdapterError) -> ListingPage? {
    phase = .rows
    guard settings.version.hasDataSources else { return try await page() }
    do throws(AdapterError) {
      let list = try await client.page(
        ["search"],
        query: [
          "filter": ["in_trash": true],
          "sort": ["timestamp": "last_edited_time", "direction": "descending"],
        ], cursor: cursor, about: "the trash")
      for value in list.results {
        guard let object = NotionObject(value), object.inTrash else { continue }
        if object.kind == .dataSource { continue }
        trashed.insert(object.id)
        if case .dataSource(let source, _) = object.parent { touched.insert(source) }
      }
      if let next = list.next, pages + 1 < trashPages {
        phase = .trash(cursor: next, pages: pages + 1)
      }
    } catch {
      guard error.concernsOneObject else { throw error }
    }
    return try await page()
  }

  private mutating func nextRows() async throws(AdapterError) -> ListingPage? {
    guard let database = databases.popLast() else {
      phase = .walk
      return try await page()
    }
    guard settledDatabases.insert(database).inserted else { return try await page() }
    do throws(AdapterError) {
      try await complete(database)
      guard try await isInScope(database) else { return try await page() }
      let inside = inlineDatabases.contains(database) ? found[database]?.parent : nil
      let host = try await lookup.owner(inside ?? .other)
      for source in found[database]?.sources ?? [] {
        if let host { shown.insert(source, on: host) }
        try await nameRows(of: source, in: database)
      }
    } catch {
      guard error.concernsOneObject else { throw error }
      client.context.log(.warning, "A database is incomplete: \(error.message)")
    }
    return try await page()
  }

  /// Learns a database's own stamp, parent and tables.
  private mutating func complete(_ id: NotionID) async throws(AdapterError) {
    do throws(AdapterError) {
      let value = try await client.get(["databases", id.dashed], about: "database \(id)")
      guard let object = NotionObject(value) else { return }
      lookup.directory.learn(object)
      var database = found[id] ?? Found(isDatabase: true, title: "", edited: "", parent: .other)
      database.title = object.title.isEmpty ? database.title : object.title
      database.edited = object.edited
      database.parent = object.parent
      if value["is_inline"]?.bool == true { inlineDatabases.insert(id) }
      let sources = value["data_sources"]?.array?.compactMap { NotionID($0["id"]) }
      for source in sources ?? [id] where !database.sources.contains(source) {
        database.sources.append(source)
      }
      found[id] = database
      if object.inTrash {
        trashed.insert(id)
        found[id] = nil
      }
    } catch {
      // The table may be shared without the database around it.
      guard error.concernsOneObject, found[id]?.sources.isEmpty == false else { throw error }
    }
  }

  private mutating func nameRows(
    of source: NotionID, in database: NotionID
  ) async throws(AdapterError) {
    var query = RowQuery(client: client, source: source)
    let stamp = stamps[source] ?? found[database]?.edited ?? ""
    if let last = previous?.rows[source.hex], let since = previous?.since, last.edited == stamp,
      !touched.contains(source)
    {
      query.editedSince = since
      let changed = try await enumerate(query)
      guard changed.count > 0 else {
        rows[source.hex] = last
        return
      }
      query.editedSince = nil
    }
    let all = try await enumerate(query)
    rows[source.hex] = NotionCheckpoint.Rows(edited: stamp, digest: all.digest)
  }

  private mutating func enumerate(
    _ query: RowQuery
  ) async throws(AdapterError) -> (count: Int, digest: String) {
    var digest = SetDigest()
    var objects: [NotionObject] = []
    let outcome = try await query.forEach { (row) async throws(AdapterError) in
      guard let object = NotionObject(row), !object.inTrash else { return }
      digest.insert(object.id.hex + object.edited)
      objects.append(object)
    }
    for object in objects { add(object) }
    for nested in outcome.nested.compactMap({ NotionObject($0) }) { add(nested) }
    if !outcome.isComplete {
      client.context.log(
        .warning,
        "Database \(query.source) has more rows of one minute than Notion names; some are missing")
    }
    return (outcome.count, digest.text)
  }

  private mutating func nextWalk() async throws(AdapterError) {
    guard let id = toWalk.popLast() else {
      phase = databases.isEmpty ? .end : .rows
      return
    }
    guard try await isInScope(id) else { return }
    do throws(AdapterError) {
      let result = try await BlockFetcher(client: client).fetch(id)
      for node in result.tree.nodes where node.isDocument {
        guard let child = node.id, found[child] == nil, !trashed.contains(child) else { continue }
        try await meet(child, isDatabase: node.type == "child_database")
      }
    } catch {
      guard error.concernsOneObject else { throw error }
    }
  }

  private mutating func meet(
    _ id: NotionID, isDatabase: Bool
  ) async throws(AdapterError) {
    if isDatabase, try await lookup.isLinkedView(id) {
      guard let view = try await lookup.linkedView(id), found[view.database] == nil,
        let object = try await lookup.object(view.database)
      else { return }
      add(object)
    } else if let object = try await lookup.object(id) {
      add(object)
    }
  }

  /// Returns the pages found and not yet delivered; databases follow once their rows are named.
  private mutating func page() async throws(AdapterError) -> ListingPage {
    guard settings.takesEverything else { return ListingPage() }
    defer { undelivered = [] }
    return deliver(undelivered)
  }

  private mutating func deliver(_ ids: some Sequence<NotionID>) -> ListingPage {
    var references: [ItemReference] = []
    for id in ids where !trashed.contains(id) {
      guard let item = found[id], delivered[id] != item.edited else { continue }
      delivered[id] = item.edited
      references.append(reference(id, item))
    }
    references.sort { ($0.date ?? .distantPast, $0.id) > ($1.date ?? .distantPast, $1.id) }
    return ListingPage(references: references)
  }

  private mutating func reference(_ id: NotionID, _ item: Found) -> ItemReference {
    let now = started ?? client.context.clock.now()
    var revision = NotionRevision.text(edited: item.edited, at: now)
    if item.isDatabase {
      let digests = item.sources.compactMap { rows[$0.hex] }.map { "\($0.edited) \($0.digest)" }
      revision = ([item.edited] + digests).joined(separator: " ")
    } else {
      revision += shown.suffix(id, rows)
    }
    return ItemReference(
      id: id.hex, revision: revision, title: item.title, date: NotionTime.date(item.edited),
      payload: ReferencePayload(
        kind: item.isDatabase ? .database : .page, sources: item.sources
      ).text)
  }

  private mutating func end() async throws(AdapterError) -> ListingPage {
    phase = .over
    if !settings.takesEverything {
      for id in found.keys.sorted() where try await !isInScope(id) { found[id] = nil }
    }
    var page = deliver(found.keys)
    let outdated = shown.outdated(rows)
    shown.settle()
    for id in outdated where !trashed.contains(id) {
      if let item = found[id] { page.references.append(reference(id, item)) }
    }
    page.deleted = trashed.map(\.hex).sorted()
    page.checkpoint =
      NotionCheckpoint(
        started: started ?? client.context.clock.now(), scope: settings.scope, rows: rows,
        shown: shown.checkpoint
      ).checkpoint
    page.total = delivered.count
    // Never a complete enumeration: a page that is no longer shared answers 404 and is missing from
    // every list, yet it is not gone. Only what Notion itself shows in its trash is deleted.
    return page
  }
}
