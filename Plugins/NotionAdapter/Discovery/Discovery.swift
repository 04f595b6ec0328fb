import ArchiverCore

/// Finds every page and database once, by id: configured roots, search results, rows of databases,
/// and pages in the blocks of pages.
///
/// A value is the state of a listing; `next` performs the next step.
package struct Discovery: Sendable {
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
    case known
    case rows
    case walk
    case remarks
    case end
    case over
  }

  let settings: NotionSettings
  let client: NotionClient
  let lookup: NotionLookup
  /// `nil` for a full listing.
  let previous: NotionCheckpoint?
  /// The items known to an earlier listing, used for a full listing too.
  let remembered: KnownItems
  let rememberedRows: [String: NotionCheckpoint.Rows]
  var started: Date?
  var phase = Phase.roots
  var found: [NotionID: Found] = [:]
  /// Edit times as listed; a page found again with another edit time is listed again.
  var delivered: [NotionID: String] = [:]
  var undelivered: [NotionID] = []
  var trashed: Set<NotionID> = []
  /// Databases whose rows have not been listed yet.
  var databases: [NotionID] = []
  var settledDatabases: Set<NotionID> = []
  /// Pages whose blocks have not been walked yet.
  var toWalk: [NotionID] = []
  var queued: Set<NotionID> = []
  var stamps: [NotionID: String] = [:]
  var rows: [String: NotionCheckpoint.Rows] = [:]
  var touched: Set<NotionID> = []
  /// Databases shown inline by the page around them.
  var inlineDatabases: Set<NotionID> = []
  var shown: ShownRows
  var elsewhere: ShownElsewhere
  /// Whether the pages whose comments are requested have been chosen.
  var hasChosenRemarks = false
  /// Pages whose comments have not been requested yet.
  var toRemark: [NotionID] = []
  /// The last page whose comments are requested.
  var remarkPlace: String?
  var remarkFailures = 0
  /// The number of requests left for comments.
  var leftover = 0
  /// Whether this is the first listing.
  let isFirst: Bool
  var trail = PageTrail()
  /// The progress of the current search.
  var progress = SearchProgress()
  /// The error of a search at its beginning; `nil` while there was none.
  var searchFailure: AdapterError?
  /// Whether every search was complete.
  var hasSearchedAll = true
  /// Whether every search went back at least to the previous listing.
  var hasSearchedEnough = true
  /// The number of requests that the client sent before this listing.
  var sentBefore = 0
  /// The number of requests of this listing so far.
  var spent: Int { client.activity.sent - sentBefore }
  /// The number of requests that succeeded before this listing.
  var succeededBefore = 0
  /// Gaps since the last page of the listing.
  var gaps: [ListingGap] = []
  /// The number of consecutive failures.
  var failures = 0
  /// Pages whose blocks could not be read completely: they are walked again even if unchanged.
  var unwalked: Set<NotionID> = []
  /// Whether the known items to request have been chosen.
  var hasChosen = false
  /// Known items that have not been requested yet.
  var toAsk: [NotionID] = []
  /// The known item requested last.
  var place: String?
  /// Known databases whose rows or columns have changed, according to search.
  var changed: Set<NotionID> = []
  /// Tables that were queried.
  var asked: Set<NotionID> = []
  /// Databases that could not be read themselves.
  var unread: Set<NotionID> = []
  /// Databases of which only the tables are known so far.
  var assumed: Set<NotionID> = []
  /// Known items that are deleted or no longer shared.
  var forgotten: Set<NotionID> = []
  /// Objects that could not be parsed.
  var unreadable = UnreadableObjects()
  /// The number of consecutive failures after which the rest of a phase is left for the next
  /// listing.
  static let failureLimit = 50
  /// The number of consecutive failures that, without a success before, count as an outage.
  private static let outageLimit = 5

  /// - Parameter knowing: The last checkpoint, if `since` is `nil` for a full listing.
  init(
    settings: NotionSettings, client: NotionClient, lookup: NotionLookup, since: Checkpoint?,
    knowing: Checkpoint? = nil
  ) {
    self.settings = settings
    self.client = client
    self.lookup = lookup
    let now = client.context.clock.now()
    previous = NotionCheckpoint(since, scope: settings.scope).flatMap { checkpoint in
      // A checkpoint in the future, from a wrong clock, would hide changes until then.
      checkpoint.started > now.addingTimeInterval(300) ? nil : checkpoint
    }
    shown = ShownRows(previous)
    let last = previous ?? NotionCheckpoint(knowing, scope: settings.scope)
    isFirst = last == nil
    elsewhere = ShownElsewhere(last?.elsewhere)
    remembered = last?.known ?? KnownItems()
    rememberedRows = last?.rows ?? [:]
    place = last?.place
  }

  /// Performs the next step and returns its result; `nil` at the end of the listing.
  mutating func next() async throws(AdapterError) -> ListingPage? {
    if started == nil {
      started = client.context.clock.now()
      sentBefore = client.activity.sent
      succeededBefore = client.activity.succeeded
    }
    if let failure = outage { throw failure }
    switch phase {
    case .roots: try await roots()
    case .pages: try await search("page")
    case .sources:
      try await search(settings.version.hasDataSources ? "data_source" : "database")
    case .trash(let pages): return try await trash(pages)
    case .known: try await nextKnown()
    case .rows: return try await nextRows()
    case .walk: try await nextWalk()
    case .remarks: try await nextRemark()
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
      if previous?.rows[object.id.hex]?.edited != object.edited { changed.insert(database) }
      add(database: database, object, sources: [object.id])
    }
  }

  mutating func add(page: NotionObject) {
    found[page.id] = Found(
      isDatabase: false, title: page.title, edited: page.edited, parent: page.parent)
    if delivered[page.id] != page.edited { undelivered.append(page.id) }
    if mayHaveNewChildren(page), queued.insert(page.id).inserted { toWalk.append(page.id) }
    if isRecent(page), let database = lookup.directory.database(around: page.parent) {
      changed.insert(database)
    }
  }

  /// Whether a page may have changed since the last query of its table or search of the workspace.
  private func isRecent(_ page: NotionObject) -> Bool {
    guard let previous, let date = NotionTime.date(page.edited) else { return true }
    let rows = page.parent.table.flatMap { previous.rows[$0.hex] }
    return date >= rows.map { previous.since($0) } ?? previous.since
  }

  /// Whether a page may have unknown child pages, because it is new or has changed.
  func mayHaveNewChildren(_ page: NotionObject) -> Bool {
    let isRow = page.parent.table != nil
    switch settings.depth {
    case .search: return false
    case .pages where isRow: return false
    case .pages, .everything: break
    }
    if isRecent(page) { return true }
    // An edit time other than the recorded one is a change, however old it is.
    return !isRow && remembered[page.id]?.minute != KnownItems.minute(page.edited)
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

  /// Records an object that could not be read; throws an error that concerns more than one.
  mutating func pass(
    _ error: AdapterError, _ what: String, isEssential: Bool? = nil
  ) throws(AdapterError) {
    guard error.concernsOneObject else { throw error }
    // An object that is not shared is not a failure of the server.
    if error.isPassing { failures += 1 }
    gaps.append(
      ListingGap("\(what): \(error.message)", isEssential: isEssential ?? error.isPassing))
  }

  /// The failure of the search if none of the requests of this listing succeeded, some for known
  /// items included: one outage rather than a gap for each item.
  private var outage: AdapterError? {
    let isLast = if case .end = phase { true } else { false }
    guard client.activity.succeeded == succeededBefore, isLast || failures >= Discovery.outageLimit
    else { return nil }
    return searchFailure
  }

  /// Whether so many consecutive requests failed that the rest is left for the next listing.
  ///
  /// - Parameter rest: The remaining work, as the subject of a sentence.
  mutating func givesUp(_ rest: String) -> Bool {
    guard failures >= Discovery.failureLimit else { return false }
    failures = 0
    gaps.append(
      ListingGap(
        "\(Discovery.failureLimit) requests in a row failed; \(rest) wait for the next run",
        isEssential: true))
    return true
  }

  mutating func roots() async throws(AdapterError) {
    var refusal: AdapterError?
    for root in settings.roots {
      let known: NotionObject?
      do throws(AdapterError) {
        known = try await lookup.object(root, orTable: true)
      } catch {
        try pass(error, "a root was not read")
        continue
      }
      guard let object = known else {
        let error = AdapterError(
          .unauthorized,
          "the root \(root) is not shared with the integration: open it in Notion, choose "
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

  /// Returns pages that were found and not listed yet; databases follow once their rows are listed.
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
    for id in ids where !trashed.contains(id) && !unread.contains(id) {
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
      revision += shown.suffix(id, rows) + elsewhere.suffix(id, stamp)
    }
    return ItemReference(
      id: id.hex, revision: revision, title: item.title, date: NotionTime.date(item.edited),
      payload: ReferencePayload(
        kind: item.isDatabase ? .database : .page, sources: item.sources
      ).text)
  }
}
