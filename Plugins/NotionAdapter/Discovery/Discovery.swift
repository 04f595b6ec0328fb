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

  enum Phase: Sendable {
    case roots
    case pages
    case sources
    case trash(pages: Int)
    case rows
    case walk
    case end
    case over
  }

  let settings: NotionSettings
  let client: NotionClient
  let lookup: NotionLookup
  let previous: NotionCheckpoint?
  var started: Date?
  var phase = Phase.roots
  var found: [NotionID: Found] = [:]
  /// Stamps as delivered; a page met again with another stamp is delivered again.
  var delivered: [NotionID: String] = [:]
  var undelivered: [NotionID] = []
  var trashed: Set<NotionID> = []
  /// Databases whose rows are still to be named.
  var databases: [NotionID] = []
  var settledDatabases: Set<NotionID> = []
  /// Pages whose blocks are still to be walked.
  var toWalk: [NotionID] = []
  var queued: Set<NotionID> = []
  var stamps: [NotionID: String] = [:]
  var rows: [String: NotionCheckpoint.Rows] = [:]
  var touched: Set<NotionID> = []
  /// Databases that the page around them shows.
  var inlineDatabases: Set<NotionID> = []
  var shown: ShownRows
  /// How often a search may still be begun anew.
  var fresh = 3
  var trail = PageTrail()
  /// What could not be read since the last page of the listing.
  var gaps: [ListingGap] = []
  /// Failures without a success between them.
  var failures = 0
  /// Pages whose blocks could not be read whole: they are walked again, whatever their stamp.
  var unwalked: Set<NotionID> = []
  /// Whether search named everything; otherwise the next listing looks as far back as this one.
  var hasSearchedAll = true
  /// Failures in a row after which it is the server that fails.
  static let failureLimit = 50

  init(settings: NotionSettings, client: NotionClient, lookup: NotionLookup, since: Checkpoint?) {
    self.settings = settings
    self.client = client
    self.lookup = lookup
    let now = client.context.clock.now()
    previous = NotionCheckpoint(since, scope: settings.scope).flatMap { checkpoint in
      // One from the future was made by a clock that was wrong: it would hide what changes until then.
      checkpoint.started > now.addingTimeInterval(300) ? nil : checkpoint
    }
    shown = ShownRows(previous)
  }

  /// Does the next piece of work and returns what came of it; `nil` when everything is named.
  mutating func next() async throws(AdapterError) -> ListingPage? {
    if started == nil { started = client.context.clock.now() }
    switch phase {
    case .roots: try await roots()
    case .pages: try await search("page")
    case .sources:
      try await search(settings.version.hasDataSources ? "data_source" : "database")
    case .trash(let pages): return try await trash(pages)
    case .rows: return try await nextRows()
    case .walk: try await nextWalk()
    case .end: return try await end()
    case .over: return nil
    }
    return try await page()
  }

  mutating func add(_ object: NotionObject) {
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

  mutating func add(page: NotionObject) {
    found[page.id] = Found(
      isDatabase: false, title: page.title, edited: page.edited, parent: page.parent)
    if delivered[page.id] != page.edited { undelivered.append(page.id) }
    if mayHaveNewChildren(page), queued.insert(page.id).inserted { toWalk.append(page.id) }
  }

  func mayHaveNewChildren(_ page: NotionObject) -> Bool {
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

  mutating func add(database id: NotionID, _ object: NotionObject, sources: [NotionID]) {
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

  /// Notes that an object could not be read and goes on; throws where it is the server that fails.
  mutating func pass(
    _ error: AdapterError, _ what: String, isEssential: Bool? = nil
  ) throws(AdapterError) {
    guard error.concernsOneObject else { throw error }
    // What is withheld is no failure of the server, and nothing that will come.
    if error.isPassing { failures += 1 }
    guard failures < Discovery.failureLimit else { throw error }
    gaps.append(
      ListingGap("\(what): \(error.message)", isEssential: isEssential ?? error.isPassing))
  }

  mutating func roots() async throws(AdapterError) {
    var refusal: AdapterError?
    for root in settings.roots {
      let known: NotionObject?
      do throws(AdapterError) {
        known = try await lookup.object(root, orTable: true)
      } catch {
        try pass(error, "A root was not read")
        continue
      }
      guard let object = known else {
        let error = AdapterError(
          .unauthorized,
          "The root \(root) is not shared with the integration: open it in Notion, choose "
            + "\u{2022}\u{2022}\u{2022}, Connections, and add the integration")
        refusal = error
        gaps.append(ListingGap(error.message, isEssential: true))
        continue
      }
      add(object)
    }
    if let refusal, found.isEmpty { throw refusal }
    for id in (previous?.unwalked ?? []).compactMap({ NotionID($0) })
    where queued.insert(id).inserted { toWalk.append(id) }
    phase = .pages
  }

  /// What follows the search for a kind.
  func phase(after kind: String) -> Phase {
    kind == "page" ? .sources : .trash(pages: 0)
  }

  mutating func search(_ kind: String) async throws(AdapterError) {
    let list: NotionList
    let cursor = trail.cursor
    do throws(AdapterError) {
      list = try await client.page(
        ["search"],
        query: [
          "filter": ["property": "object", "value": .string(kind)],
          "sort": ["timestamp": "last_edited_time", "direction": "descending"],
        ], cursor: cursor, about: "everything shared with the integration")
    } catch {
      // Cursors may go stale while pages are edited: what was named already is not named again.
      if cursor != nil, error.fault?.status == 400, fresh > 0 {
        fresh -= 1
        trail = PageTrail()
        return
      }
      // Without search and without roots nothing is known of the workspace.
      guard cursor != nil || !found.isEmpty else { throw error }
      try pass(error, "Search broke off", isEssential: true)
      hasSearchedAll = false
      trail = PageTrail()
      phase = phase(after: kind)
      return
    }
    failures = 0
    for value in list.results {
      guard let object = NotionObject(value) else { continue }
      // Search may return a stub; an object seen whole is not replaced by one.
      if object.isWhole || found[object.id] == nil { add(object) }
    }
    if trail.goesOn(after: list) { return }
    if let fault = trail.fault {
      gaps.append(ListingGap("Search broke off: \(fault)", isEssential: true))
      hasSearchedAll = false
    }
    trail = PageTrail()
    phase = phase(after: kind)
  }

  /// Most pages of the trash that are read: all of it by a pass over everything.
  var trashPages: Int { previous == nil ? 1_000 : 20 }

  mutating func trash(_ pages: Int) async throws(AdapterError) -> ListingPage? {
    phase = .rows
    guard settings.version.hasDataSources else { return try await page() }
    do throws(AdapterError) {
      let list = try await client.page(
        ["search"],
        query: [
          "filter": ["in_trash": true],
          "sort": ["timestamp": "last_edited_time", "direction": "descending"],
        ], cursor: trail.cursor, about: "the trash")
      for value in list.results {
        guard let object = NotionObject(value), object.inTrash else { continue }
        if object.kind == .dataSource { continue }
        trashed.insert(object.id)
        if case .dataSource(let source, _) = object.parent { touched.insert(source) }
      }
      if trail.goesOn(after: list), pages + 1 < trashPages { phase = .trash(pages: pages + 1) }
      if let fault = trail.fault {
        gaps.append(ListingGap("The trash was not read whole: \(fault)", isEssential: false))
      }
    } catch {
      try pass(error, "The trash was not read", isEssential: false)
    }
    return try await page()
  }

  mutating func nextWalk() async throws(AdapterError) {
    guard let id = toWalk.popLast() else {
      phase = databases.isEmpty ? .end : .rows
      return
    }
    do throws(AdapterError) {
      guard try await isInScope(id) else { return }
      let result = try await BlockFetcher(client: client).fetch(id)
      failures = 0
      for missing in result.missing where missing.isEssential && !missing.isPermanent {
        unwalked.insert(id)
        gaps.append(
          ListingGap(
            "What page \(id) contains is not known whole: \(missing.reason)", isEssential: true))
      }
      for node in result.tree.nodes where node.isDocument {
        guard let child = node.id, found[child] == nil, !trashed.contains(child) else { continue }
        do throws(AdapterError) {
          try await meet(child, isDatabase: node.type == "child_database")
        } catch {
          try pass(error, "A page inside page \(id) was not read")
          unwalked.insert(id)
        }
      }
    } catch {
      try pass(error, "What page \(id) contains is not known")
      if error.isPassing { unwalked.insert(id) }
    }
  }

  mutating func meet(
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
  mutating func page() async throws(AdapterError) -> ListingPage {
    defer { gaps = [] }
    guard settings.takesEverything else { return ListingPage(gaps: gaps) }
    defer { undelivered = [] }
    var page = deliver(undelivered)
    page.gaps = gaps
    return page
  }

  mutating func deliver(_ ids: some Sequence<NotionID>) -> ListingPage {
    var references: [ItemReference] = []
    for id in ids where !trashed.contains(id) {
      guard let item = found[id], delivered[id] != item.edited else { continue }
      delivered[id] = item.edited
      references.append(reference(id, item))
    }
    references.sort { ($0.date ?? .distantPast, $0.id) > ($1.date ?? .distantPast, $1.id) }
    return ListingPage(references: references)
  }

  mutating func reference(_ id: NotionID, _ item: Found) -> ItemReference {
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

  mutating func end() async throws(AdapterError) -> ListingPage {
    phase = .over
    if !settings.takesEverything {
      for id in found.keys.sorted() {
        do throws(AdapterError) {
          if try await !isInScope(id) { found[id] = nil }
        } catch {
          try pass(error, "Whether page \(id) is to be archived is not known", isEssential: true)
          found[id] = nil
        }
      }
    }
    var page = deliver(found.keys)
    page.gaps = gaps
    let outdated = shown.outdated(rows)
    shown.settle()
    for id in outdated where !trashed.contains(id) {
      if let item = found[id] { page.references.append(reference(id, item)) }
    }
    page.deleted = trashed.map(\.hex).sorted()
    let began = honest(started ?? client.context.clock.now())
    let start = hasSearchedAll ? began : previous?.started
    page.checkpoint = start.flatMap { start in
      NotionCheckpoint(
        started: start, scope: settings.scope, rows: rows,
        shown: shown.checkpoint, unwalked: unwalked.map(\.hex).sorted()
      ).checkpoint
    }
    page.total = delivered.count
    // Never a complete enumeration: a page that is no longer shared answers 404 and is missing from
    // every list, yet it is not gone. Only what Notion itself shows in its trash is deleted.
    return page
  }

  /// Returns a time of our clock as the server's has it, where ours is ahead.
  func honest(_ time: Date) -> Date {
    guard let answered = client.answered.date else { return time }
    let ahead = client.context.clock.now().timeIntervalSince(answered)
    return ahead > 60 ? time.addingTimeInterval(-ahead) : time
  }
}
