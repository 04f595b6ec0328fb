import ArchiverCore

/// The progress of a listing of bookmarks.
package struct ReadeckListingState: Sendable {
  enum Phase: Sendable {
    case start
    case entries(SyncWalk)
    case pages(PageWalk)
    case done
  }

  let since: ReadeckCheckpoint?
  var phase = Phase.start
}

/// The steps of a listing: with the sync API if possible, otherwise with pages of the list.
struct ReadeckListing: Sendable {
  let api: ReadeckAPI
  let facts: ServerFacts
  let filter: BookmarkFilter
  /// The settings for which a checkpoint is valid.
  let settings: String
  let log: @Sendable (LogLevel, String) -> Void

  func next(_ state: inout ReadeckListingState) async throws(AdapterError) -> ListingPage? {
    if case .start = state.phase { state.phase = try await start(since: state.since) }
    switch state.phase {
    case .start, .done: return nil
    case .entries(var walk):
      let page = walk.next(settings: settings)
      state.phase = walk.isFinished ? .done : .entries(walk)
      return page
    case .pages(var walk):
      let page = try await next(&walk)
      state.phase = walk.isFinished ? .done : .pages(walk)
      return page
    }
  }

  private func start(since: ReadeckCheckpoint?) async throws(AdapterError)
    -> ReadeckListingState.Phase
  {
    let version = try await facts.version()
    let highlighted = filter.onlyHighlighted ? try await highlightedBookmarks() : nil
    if version.hasSync, !filter.needsServer,
      let walk = try await syncWalk(since: since, version, highlighted)
    {
      return .entries(walk)
    }
    var walk = PageWalk(
      filter: filter.fields, since: since, highlighted: highlighted?.ids, now: api.clock.now())
    walk.note(ListingGap.entries(highlighted?.faults ?? []))
    walk.isWhole = filter.isEmpty
    if let collection = filter.collection {
      walk.query.append(("collection", try await collectionID(collection)))
    }
    if version.hasUpdatedSince, let since {
      walk.query.append(("updated_since", since.time.text))
      walk.isWhole = false
    }
    if version.hasSyncSince, let since { await addDeletions(since, to: &walk) }
    return .pages(walk)
  }

  /// Lists with the sync API; `nil` if the server does not have it.
  private func syncWalk(
    since: ReadeckCheckpoint?, _ version: ServerVersion, _ highlighted: Highlighted?
  ) async throws(AdapterError) -> SyncWalk? {
    if let since, version.hasSyncSince {
      do throws(AdapterError) {
        return SyncWalk(
          try await entries([("since", since.time.text)]), since: since, highlighted: highlighted,
          isWhole: false, now: api.clock.now())
      } catch {
        guard error.mayBeAboutTheQuery else { throw error }
        log(.info, "the server does not support incremental listing; doing a full listing")
      }
    }
    do throws(AdapterError) {
      return SyncWalk(
        try await entries([]), since: nil, highlighted: highlighted, isWhole: filter.isEmpty,
        now: api.clock.now())
    } catch {
      guard error.mayBeAboutTheQuery else { throw error }
      log(.info, "the server does not list everything at once; listing page by page")
      return nil
    }
  }

  private func entries(
    _ query: [ReadeckAPI.Field]
  ) async throws(AdapterError) -> SyncEntries {
    let path = "bookmarks/sync"
    let sink = SyncSink()
    try await api.get(path, query, into: sink)
    do {
      return try sink.finish()
    } catch {
      throw api.malformed(error, path)
    }
  }

  /// Adds deletions, which is all that the sync API reports about a filtered list. Without them the
  /// listing is still valid, but has no checkpoint: the next listing asks for them again.
  private func addDeletions(_ since: ReadeckCheckpoint, to walk: inout PageWalk) async {
    do throws(AdapterError) {
      var entries = try await entries([("since", since.time.text)])
      walk.knownTime = entries.newest(
        until: ReadeckCheckpoint.limit(answered: entries.answered, now: api.clock.now()))
      entries.keepLatest()
      walk.deleted = entries.takeDeletions()
    } catch {
      walk.note([
        ListingGap("deletions are unknown in this run: \(error.message)", isEssential: false)
      ])
    }
  }

  private func next(_ walk: inout PageWalk) async throws(AdapterError) -> ListingPage? {
    let path = "bookmarks"
    do throws(AdapterError) {
      let response = try await api.get(path, walk.nextQuery)
      let list = try api.decode(LenientArray<Bookmark>.self, from: response, path)
      return walk.take(list, response.headers, settings: settings)
    } catch {
      if error.mayBeAboutOnePage, let page = walk.skip(error) { return page }
      guard error.code == .notFound else { throw error }
      throw AdapterError(
        .configuration,
        "there is no Readeck at \(api.base.absoluteString): READECK_URL must be its URL, with its "
          + "path if it has one", underlying: error)
    }
  }
}

extension AdapterError {
  /// Whether other pages of the list may be readable.
  fileprivate var mayBeAboutOnePage: Bool {
    switch code {
    case .unavailable, .malformed, .tooLarge: true
    case .cancelled, .configuration, .unauthorized, .rateLimited, .notFound, .notReady: false
    }
  }

  /// Whether the server may have failed because of the query, so that a simpler one may succeed.
  fileprivate var mayBeAboutTheQuery: Bool {
    guard isAnswered else { return false }
    switch code {
    case .unavailable, .malformed, .notFound: return true
    // 422 for an invalid time. A redirection would affect the next request too.
    case .configuration: return true
    // A proxy may refuse one path. A refused token would affect the next request too.
    case .unauthorized: return true
    case .cancelled, .rateLimited, .notReady, .tooLarge: return false
    }
  }
}
