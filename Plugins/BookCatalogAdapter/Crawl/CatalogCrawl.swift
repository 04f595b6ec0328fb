import ArchiverCore

/// How far a crawl has come.
package struct CatalogCrawlState: Sendable {
  struct Stop: Sendable {
    let url: WebURL
    let depth: Int
    /// The first page of the feed that this is a page of.
    var start: WebURL?
  }

  /// What was read of a feed in pages.
  struct Chain: Sendable {
    var identities: Set<String> = []
    var pages: [String] = []
    var total = 0
    var wasRepeated = false
  }

  var hasBegun = false
  var isFinished = false
  /// What is still to be fetched; the next page of a feed goes first.
  var queue: [Stop] = []
  var visited: Set<String> = []
  /// Identities of the books named so far.
  var named: Set<String> = []
  var documents = 0
  /// Whether a feed could not be read, so that what was not named may still be there.
  var hasGaps = false
  var total: Int?
  /// By the address of a feed's first page.
  var chains: [String: Chain] = [:]

  package init() {}
}

/// Walks through a catalog: one document a step, each address once, `next` to its absence.
struct CatalogCrawl: Sendable {
  private static let mostDocuments = 10_000
  private static let deepest = 12

  let client: CatalogClient
  let selection: FeedSelection
  let rules: BookRules
  let log: @Sendable (LogLevel, String) -> Void

  func next(_ state: inout CatalogCrawlState) async throws(AdapterError) -> ListingPage? {
    if !state.hasBegun {
      state.hasBegun = true
      return try await begin(&state)
    }
    while let stop = take(&state) {
      do throws(AdapterError) {
        let (document, url) = try await client.document(stop.url)
        let listed = page(document, url, depth: stop.depth, start: stop.start, &state)
        if case .feed(let feed) = document { count(feed, stop, &state) }
        return listed
      } catch {
        guard error.isAboutOneFeed else { throw error }
        // An empty set is a 404 to calibre; either way it is no reason to take books for gone.
        let what = error.code == .notFound ? "A feed was taken for empty" : "A feed was left out"
        log(.warning, "\(what): \(error.message)")
        state.hasGaps = true
      }
    }
    guard !state.isFinished else { return nil }
    state.isFinished = true
    return ListingPage(
      total: state.named.count, isCompleteEnumeration: selection.isWhole && !state.hasGaps)
  }

  private func take(_ state: inout CatalogCrawlState) -> CatalogCrawlState.Stop? {
    while !state.queue.isEmpty {
      let stop = state.queue.removeFirst()
      guard state.visited.insert(stop.url.withoutFragment.absoluteString).inserted else { continue }
      guard state.documents < CatalogCrawl.mostDocuments else {
        log(
          .warning,
          "The catalog has more feeds than are read \(Limit.fixed(CatalogCrawl.mostDocuments)); "
            + "the rest was left out")
        state.hasGaps = true
        state.queue = []
        return nil
      }
      state.documents += 1
      return stop
    }
    return nil
  }

  private func begin(_ state: inout CatalogCrawlState) async throws(AdapterError) -> ListingPage {
    let (feed, url) = try await EntryPoint(client: client).find()
    state.visited.insert(url.withoutFragment.absoluteString)
    state.visited.insert(client.base.withoutFragment.absoluteString)
    state.documents = 1
    for address in selection.addresses(url) { enqueue(address, depth: 1, &state) }
    if selection.isLimited {
      for link in feed.navigation where selection.names(link) && !selection.skips(link) {
        enqueue(link, depth: 1, &state)
      }
      if state.queue.isEmpty {
        throw AdapterError(
          .configuration,
          "The catalog has none of the feeds that were asked for; it has: "
            + feed.navigation.compactMap(\.title).prefix(30).joined(separator: ", "))
      }
      return ListingPage()
    }
    let listed = page(.feed(feed), url, depth: 0, start: nil, &state)
    count(feed, CatalogCrawlState.Stop(url: url, depth: 0), &state)
    return listed
  }

  /// Counts what a feed in pages named. When that is less than it says it has, books moved from page
  /// to page under way: then it is read once more.
  private func count(
    _ feed: CatalogFeed, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) {
    let start = stop.start ?? stop.url
    let name = start.withoutFragment.absoluteString
    guard stop.start != nil || feed.next != nil else { return }
    var chain = state.chains[name] ?? CatalogCrawlState.Chain()
    chain.identities.formUnion(feed.publications.compactMap(\.identity))
    chain.pages.append(stop.url.withoutFragment.absoluteString)
    chain.total = max(chain.total, feed.total ?? 0)
    defer { state.chains[name] = chain }
    guard feed.next == nil else { return }
    guard chain.identities.count < chain.total else {
      return
    }
    if chain.wasRepeated {
      log(
        .warning,
        "\(client.name(start)) says it has \(chain.total) books and named \(chain.identities.count)"
      )
      state.hasGaps = true
      return
    }
    chain.wasRepeated = true
    state.visited.subtract(chain.pages)
    chain.pages = []
    state.queue.insert(CatalogCrawlState.Stop(url: start, depth: stop.depth), at: 0)
  }

  private func page(
    _ document: CatalogDocument, _ url: WebURL, depth: Int, start: WebURL?,
    _ state: inout CatalogCrawlState
  ) -> ListingPage {
    switch document {
    case .feed(let feed):
      follow(feed, url, depth: depth, start: start, &state)
      state.total = feed.total ?? state.total
      return ListingPage(
        references: feed.publications.compactMap { reference($0, of: feed.title, &state) },
        total: state.total)
    case .entry(let entry):
      return ListingPage(references: [reference(entry, &state)].compactMap { $0 })
    case .page:
      log(.warning, "A feed was left out: \(client.name(url)) sent a web page")
      state.hasGaps = true
      return ListingPage()
    }
  }

  private func reference(
    _ entry: CatalogEntry, of feed: String? = nil, _ state: inout CatalogCrawlState
  ) -> ItemReference? {
    guard let identity = entry.identity.map(client.secrets.hidden) else {
      log(.warning, "\"\(entry.title)\" was left out: it has neither an id nor a file")
      return nil
    }
    guard state.named.insert(identity).inserted else { return nil }
    // Which feed it came from says nothing about whether it changed.
    var told = entry
    told.feed = feed?.nonEmpty
    return ItemReference(
      id: identity, revision: entry.revision + rules.mark(of: entry), title: entry.title,
      date: CatalogDate.date(entry.added) ?? CatalogDate.date(entry.updated),
      // A book that cannot be noted is another matter than one that was never named.
      payload: BookPayload.text(told) ?? "")
  }

  private func follow(
    _ feed: CatalogFeed, _ url: WebURL, depth: Int, start: WebURL?,
    _ state: inout CatalogCrawlState
  ) {
    let before = state.queue.count
    for link in Shortcut.complete(feed, url) where !selection.skips(link) {
      enqueue(link, depth: depth + 1, &state)
    }
    if state.queue.count > before { return }
    for link in feed.navigation + feed.links.filter(CatalogCrawl.isSection)
    where CatalogCrawl.isWay(link) && !selection.skips(link) {
      enqueue(link, depth: depth + 1, &state)
    }
    if let next = feed.next.flatMap({ WebURL($0) }), let next = own(next) {
      let stop = CatalogCrawlState.Stop(url: next, depth: depth, start: start ?? url)
      state.queue.insert(stop, at: 0)
    }
  }

  /// Whether a link among a feed's own leads on to a part of the catalog.
  private static func isSection(_ link: CatalogLink) -> Bool {
    link.media.isFeed
      && link.relations.contains {
        let name = $0.lowercased()
        return name == "subsection" || name == "collection" || name == "http://opds-spec.org/shelf"
          || name.hasPrefix("http://opds-spec.org/sort/")
      }
  }

  /// Whether a link of a navigation entry leads to a feed that is worth reading.
  private static func isWay(_ link: CatalogLink) -> Bool {
    guard !link.address.contains("{"), link.media.isFeed || link.media.name.isEmpty else {
      return false
    }
    return link.relations.allSatisfy { relation in
      switch LinkRelation(relation) {
      case .other, .alternate, .crawlable, .own: true
      case .acquisition, .sample, .buy, .borrow, .subscribe, .image, .thumbnail, .stream, .next,
        .facet, .search, .start, .up:
        false
      }
    }
  }

  private func enqueue(_ link: CatalogLink, depth: Int, _ state: inout CatalogCrawlState) {
    if let url = WebURL(link.address) { enqueue(url, depth: depth, &state) }
  }

  private func enqueue(_ url: WebURL, depth: Int, _ state: inout CatalogCrawlState) {
    guard depth <= CatalogCrawl.deepest, let url = own(url),
      !state.visited.contains(url.withoutFragment.absoluteString)
    else { return }
    state.queue.append(CatalogCrawlState.Stop(url: url, depth: depth))
  }

  /// Returns an address of the catalog itself; one that forgot about TLS is put right.
  private func own(_ url: WebURL) -> WebURL? {
    if url.origin == client.base.origin { return url }
    if url.host == client.base.host, url.scheme == "http", client.base.scheme == "https" {
      return url.rebased(onto: client.base)
    }
    return nil
  }
}
