import ArchiverCore

/// Crawls a catalog: one document per step, each URL once, and pages of a feed until there is no
/// `next` link.
struct CatalogCrawl: Sendable {
  private static let mostDocuments = 10_000
  /// The maximum number of feeds read before the first book is found.
  private static let mostWithoutBooks = 500
  /// The maximum number of consecutive pages of a feed without a new entry.
  private static let mostUnproductive = 10
  private static let deepest = 12

  let client: CatalogClient
  let selection: FeedSelection
  let rules: BookRules
  let clock: ArchiverClock
  let log: @Sendable (LogLevel, String) -> Void

  func next(_ state: inout CatalogCrawlState) async throws(AdapterError) -> ListingPage? {
    if !state.hasBegun {
      state.hasBegun = true
      state.turn = state.memory.turn.flatMap { $0.isDue(at: clock.now()) ? $0 : nil }
      return try await begin(&state)
    }
    while let stop = take(&state) {
      await pause(before: stop, &state)
      do throws(AdapterError) {
        let (document, url) = try await client.document(stop.url)
        noteRead(&state)
        var listed = page(document, url, stop, &state)
        if case .feed(let feed) = document { count(feed, stop, &state) }
        listed.gaps = state.gaps
        state.gaps = []
        return listed
      } catch {
        await noticeServer(after: error, stop, &state)
        try note(error, stop, &state)
      }
    }
    guard !state.isFinished else { return nil }
    state.isFinished = true
    return last(&state)
  }

  /// Returns the last page of the listing, which reports what was left out.
  private func last(_ state: inout CatalogCrawlState) -> ListingPage {
    tellSkipped(&state)
    tellShort(&state)
    if state.named.isEmpty {
      state.miss("\(client.name(client.base)) listed no book", isEssential: false)
    }
    let isHiding = settleAbsent(&state)
    state.memory.turn = FileTurn.after(
      state.memory.turn, isTaken: state.turn != nil, books: state.named.count, at: clock.now())
    let page = ListingPage(
      checkpoint: state.memory.checkpoint, total: state.named.count,
      isCompleteEnumeration: selection.isWhole && !state.hasGaps && !isHiding,
      gaps: state.gaps)
    state.gaps = []
    return page
  }

  private func take(_ state: inout CatalogCrawlState) -> CatalogCrawlState.Stop? {
    while let stop = state.nextStop() {
      guard state.visited.insert(stop.url.withoutFragment.absoluteString).inserted else { continue }
      let most =
        state.named.isEmpty ? CatalogCrawl.mostWithoutBooks : CatalogCrawl.mostDocuments
      guard state.documents < most else {
        let what =
          state.named.isEmpty
          ? "the catalog listed no book in \(most) feeds"
          : "the catalog has too many feeds \(Limit.fixed(most))"
        log(.warning, what + "; the rest was left out")
        state.miss(what + "; the rest was left out")
        state.queue = []
        state.unreached = []
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
      let links = feed.navigation.filter { selection.names($0) && !selection.skips($0) }
      for link in links { enqueue(link, depth: 1, &state) }
      if state.queue.isEmpty {
        throw AdapterError(
          .configuration,
          "the catalog has none of the configured feeds; it has: "
            + feed.navigation.compactMap(\.title).prefix(30).joined(separator: ", "))
      }
      return ListingPage(
        gaps: selection.unnamed(by: links).map { title in
          ListingGap(
            "the catalog at \(client.base.host) has no feed \"\(title)\"", isEssential: true)
        })
    }
    try await noteUnaskedLogin(url, &state)
    let stop = CatalogCrawlState.Stop(url: url, depth: 0)
    var listed = page(.feed(feed), url, stop, &state)
    count(feed, stop, &state)
    listed.gaps = state.gaps
    state.gaps = []
    return listed
  }

  /// Counts the entries of a paged feed. If they are fewer than the feed declares, books moved
  /// between pages meanwhile, and the feed is read once more. A feed whose pages link back or have
  /// nothing new is abandoned.
  private func count(
    _ feed: CatalogFeed, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) {
    let start = stop.start ?? stop.url
    let name = start.withoutFragment.absoluteString
    let isPaged = stop.start != nil || feed.next != nil || feed.continuesNowhere
    guard isPaged else { return noteShort(feed, stop, &state) }
    guard !isRepetition(feed, stop, &state) else { return }
    var chain = state.chains[name] ?? CatalogCrawlState.Chain()
    let before = chain.identities.count
    chain.identities.formUnion(feed.publications.compactMap(\.identity))
    chain.identities.formUnion(feed.navigation.map(\.address))
    chain.pages.append(stop.url.withoutFragment.absoluteString)
    chain.total = max(chain.total, feed.total ?? 0)
    chain.unproductive = chain.identities.count > before ? 0 : chain.unproductive + 1
    defer { state.chains[name] = chain }
    if let next = feed.next {
      let address = WebURL(next).flatMap(own)?.withoutFragment.absoluteString
      let isLoop = address.map(chain.pages.contains) ?? false
      guard
        isLoop || (chain.unproductive >= CatalogCrawl.mostUnproductive && !chain.wasRepeated)
          || chain.unproductive >= max(CatalogCrawl.mostUnproductive, chain.pages.count)
      else { return }
      state.queue.removeAll { $0.start == start }
      state.miss(
        "\(client.name(start)) does not end: its pages "
          + (isLoop ? "link back to earlier ones" : "list nothing new")
          + "; \(chain.pages.count) were read")
      return
    }
    guard chain.identities.count < chain.total else { return }
    if chain.wasRepeated {
      let message =
        "\(client.name(start)) declares \(chain.total) books but listed \(chain.identities.count)"
      log(.warning, message)
      state.miss(message)
      return
    }
    chain.wasRepeated = true
    state.visited.subtract(chain.pages)
    chain.pages = []
    chain.unproductive = 0
    state.queue.insert(CatalogCrawlState.Stop(url: start, depth: stop.depth), at: 0)
  }

  /// Notes a feed that declares more entries than it lists and has no next page.
  private func noteShort(
    _ feed: CatalogFeed, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) {
    guard let total = feed.total, total > feed.entryCount else { return }
    let message =
      "\(client.name(stop.url)) declares \(total) books, lists \(feed.entryCount) and has no next page"
    log(.warning, message)
    state.short.append((message, total))
  }

  /// Whether a feed is one of calibre that was read under its other URL: calibre lists its only library
  /// twice. The rest of its pages is skipped.
  ///
  /// Two such URLs differ in the library's name alone. That they mean the same library follows from the
  /// books: the URLs of their files contain it.
  private func isRepetition(
    _ feed: CatalogFeed, _ stop: CatalogCrawlState.Stop, _ state: inout CatalogCrawlState
  ) -> Bool {
    let address = stop.url.withoutFragment.absoluteString
    let libraries = Set(
      feed.publications.filter { !$0.ownLinks.isEmpty }.map { CalibreAddress($0)?.library })
    guard stop.start == nil, state.chains[address] == nil, libraries.count == 1,
      let library = libraries.first.flatMap(\.self)
    else { return false }
    let parameters = (stop.url.query ?? "").split(separator: "&").filter {
      !$0.hasPrefix("library_id=")
    }
    let place = [library, stop.url.path] + parameters.map(String.init)
    guard !state.beginnings.insert(place.joined(separator: "\n")).inserted else { return false }
    state.queue.removeAll { $0.start == stop.url }
    return true
  }

  private func page(
    _ document: CatalogDocument, _ url: WebURL, _ stop: CatalogCrawlState.Stop,
    _ state: inout CatalogCrawlState
  ) -> ListingPage {
    switch document {
    case .feed(let feed):
      if !feed.publications.isEmpty || !feed.navigation.isEmpty {
        state.productive.insert(FeedMemory.key(stop.url))
      }
      if feed.isDamaged {
        let message =
          "\(client.name(url)) is not well-formed XML; books after the error may be missing"
        log(.warning, message)
        state.miss(message)
      }
      follow(feed, url, stop, &state)
      state.total = feed.total ?? state.total
      note(leftOut: feed, &state)
      share(feed, &state)
      let references = feed.publications.compactMap {
        reference($0, on: url, of: feed.title, &state)
      }
      return ListingPage(
        references: references, total: state.total, revisited: state.takeRevisited())
    case .entry(let entry):
      let references = [reference(entry, on: url, &state)].compactMap { $0 }
      return ListingPage(references: references, revisited: state.takeRevisited())
    case .page:
      let message = "a feed was left out: \(client.name(url)) sent a web page"
      log(.warning, message)
      if stop.isFeed { state.miss(message) }
      return ListingPage()
    }
  }

  /// Records ids that several books of one feed share.
  private func share(_ feed: CatalogFeed, _ state: inout CatalogCrawlState) {
    var marks: [String: BookMark] = [:]
    for entry in feed.publications {
      guard let identity = entry.identity.map(client.secrets.hidden) else { continue }
      let mark = BookMark(entry)
      if let other = marks[identity] {
        if mark.isOfAnotherBook(than: other) {
          state.shared.insert(identity)
        } else if !mark.files.isEmpty, !other.files.isEmpty,
          mark.files.isDisjoint(with: other.files)
        {
          // By its id it is the same entry (RFC 4287 section 4.1.1).
          if let file = mark.files.min() { state.twins[file] = entry.title }
        }
      }
      marks[identity] = mark
    }
  }

  /// Returns a book's identity: its id, with a digest of its file's URL if other books have the
  /// same id.
  private func identity(_ entry: CatalogEntry, _ state: CatalogCrawlState) -> String? {
    guard let identity = entry.identity.map(client.secrets.hidden) else { return nil }
    let isShared =
      state.shared.contains(identity)
      || state.named[identity].map { BookMark(entry).isOfAnotherBook(than: $0) } ?? false
    guard isShared, let file = entry.ownLinks.first?.address else {
      return identity
    }
    return "\(String(decoding: identity.utf8.prefix(900), as: UTF8.self))#\(Fingerprint.text(file))"
  }

  private func reference(
    _ entry: CatalogEntry, on page: WebURL, of feed: String? = nil,
    _ state: inout CatalogCrawlState
  ) -> ItemReference? {
    guard let identity = identity(entry, state) else {
      let message = "\"\(entry.title)\" was left out: it has neither an id nor a file"
      log(.warning, message)
      state.gaps.append(ListingGap(message, isEssential: false))
      return nil
    }
    guard state.named[identity] == nil else { return nil }
    state.named[identity] = BookMark(entry)
    noteTurn(of: entry, identity, &state)
    // Feed and page are not part of the revision: a book in another feed has not changed.
    var told = entry
    told.page = page.absoluteString
    told.feed = feed?.nonEmpty
    return ItemReference(
      id: identity, revision: entry.revision + rules.mark(of: entry), title: entry.title,
      date: CatalogDate.date(entry.added) ?? CatalogDate.date(entry.updated),
      // Without a payload the book is still listed.
      payload: BookPayload.text(told) ?? "")
  }

  private func follow(
    _ feed: CatalogFeed, _ url: WebURL, _ stop: CatalogCrawlState.Stop,
    _ state: inout CatalogCrawlState
  ) {
    let shortcuts = Shortcut.complete(feed, url).filter { !selection.skips($0) }
    let here = [url, stop.url, stop.start].compactMap { $0?.withoutFragment.absoluteString }
    // A complete feed may link to itself on each of its pages.
    if let first = shortcuts.first, !here.contains(first.address) {
      for link in shortcuts { enqueue(link, depth: stop.depth + 1, &state) }
      // Even if all of them were read before: they list every book.
      return
    }
    for link in feed.links where FeedWay.isSection(link) && !selection.skips(link) {
      enqueue(link, depth: stop.depth + 1, &state)
    }
    for link in feed.navigation
    where !selection.skips(link) && !FeedWay.isReordering(link, of: url) {
      switch FeedWay(link) {
      case .way: enqueue(link, depth: stop.depth + 1, &state)
      case .other(let reason): state.skipped[reason, default: []].insert(link.address)
      case .nothing: break
      }
    }
    // If the feed declares how many books it has, `count` finds out whether any are missing.
    if feed.continuesNowhere, feed.total == nil {
      state.miss("\(client.name(stop.url)) continues at a link without an address")
    }
    guard let address = feed.next else { return }
    guard let url = WebURL(address) else {
      let shown = client.secrets.hidden(String(address.prefix(200)))
      state.miss("\(client.name(stop.url)) continues at what is not a URL: \(shown)")
      return
    }
    guard let next = own(url) else {
      state.miss("\(client.name(stop.url)) continues at another host, which was not requested")
      return
    }
    let start = stop.start ?? stop.url
    state.queue.insert(
      CatalogCrawlState.Stop(url: next, depth: stop.depth, start: start), at: 0)
  }

  private func enqueue(_ link: CatalogLink, depth: Int, _ state: inout CatalogCrawlState) {
    guard let url = WebURL(link.address) else {
      // A broken URL may lead to books that no other feed lists; `mailto:` and the like do not.
      if !link.isOfOtherScheme { state.hasGaps = true }
      state.skipped["they are not URLs", default: []].insert(link.address)
      return
    }
    enqueue(url, depth: depth, isFeed: link.media.isFeed, &state)
  }

  private func enqueue(
    _ url: WebURL, depth: Int, isFeed: Bool = true, _ state: inout CatalogCrawlState
  ) {
    guard let url = own(url) else {
      state.skipped["they lead to other hosts", default: []].insert(url.absoluteString)
      return
    }
    let address = url.withoutFragment.absoluteString
    guard !state.visited.contains(address) else { return }
    guard depth <= CatalogCrawl.deepest else {
      state.hasGaps = true
      state.skipped["they are nested too deeply", default: []].insert(address)
      return
    }
    state.queue.append(CatalogCrawlState.Stop(url: url, depth: depth, isFeed: isFeed))
  }

  /// Returns a URL of the catalog's own host, on any port; `http` is corrected to the catalog's
  /// `https`.
  private func own(_ url: WebURL) -> WebURL? {
    if url.origin == client.base.origin { return url }
    return url.host == client.base.host ? client.corrected(url) : nil
  }
}
