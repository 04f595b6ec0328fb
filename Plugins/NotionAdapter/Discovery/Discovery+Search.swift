import ArchiverCore

/// The progress of a search for one kind of object.
struct SearchProgress: Sendable {
  /// Whether it proceeds from the oldest to the newest object, after the other direction was
  /// interrupted.
  var isAscending = false
  /// The objects found in either direction.
  var named: Set<NotionID> = []
  /// The objects that could not be parsed before it changed direction.
  var unreadable: [JSONValue] = []
  /// Whether it found something after it changed direction.
  var hasTurned = false
  /// Whether both directions met: after the change it found an object again.
  var hasMet = false
  /// Why it was interrupted the first time.
  var fault: String?

  var direction: JSONValue { isAscending ? "ascending" : "descending" }
}

// Results of search, newest first, and the content of the trash.
extension Discovery {
  /// Returns the phase after the search for a kind.
  private func phase(after kind: String) -> Phase {
    kind == "page" ? .sources : .trash(pages: 0)
  }

  /// Reads a page of a search. An interrupted search continues from the other end until both meet.
  mutating func search(_ kind: String) async throws(AdapterError) {
    let list: NotionList
    do throws(AdapterError) {
      list = try await client.page(
        ["search"],
        query: [
          "filter": ["property": "object", "value": .string(kind)],
          "sort": ["timestamp": "last_edited_time", "direction": progress.direction],
        ], cursor: trail.cursor, about: "everything shared with the integration")
    } catch {
      guard error.concernsOneObject else { throw error }
      if trail.cursor == nil, !progress.isAscending {
        searchFailure = searchFailure ?? error
        try pass(error, "search failed", isEssential: true)
        return try finishSearch(kind, isWhole: false)
      }
      return try breakOff(kind, error.message)
    }
    failures = 0
    let ids = take(list)
    if progress.isAscending, !ids.isEmpty {
      let isKnown = ids.isSubset(of: progress.named)
      // A server that begins with known objects ignored the changed order.
      if isKnown, !progress.hasTurned {
        return try breakOff(
          kind,
          "the sort order cannot be reversed")
      }
      if isKnown { return try finishSearch(kind, isWhole: true) }
      progress.hasTurned = true
      if !ids.isDisjoint(with: progress.named) { progress.hasMet = true }
    }
    progress.named.formUnion(ids)
    if goesBackEnough(list) {
      hasSearchedAll = false
      return try finishSearch(kind, isWhole: true)
    }
    if trail.goesOn(after: list) { return }
    if let fault = trail.fault { return try breakOff(kind, fault) }
    try finishSearch(kind, isWhole: true)
  }

  /// Adds the results of a page of a search and returns their ids.
  private mutating func take(_ list: NotionList) -> Set<NotionID> {
    var ids: Set<NotionID> = []
    for value in list.results {
      guard let object = NotionObject(value) else {
        take(unreadable: value)
        continue
      }
      ids.insert(object.id)
      // Search may return a stub, which does not replace a complete object.
      if object.isWhole || found[object.id] == nil { add(object) }
    }
    return ids
  }

  /// Counts an object that cannot be parsed, once if both directions return it.
  private mutating func take(unreadable value: JSONValue) {
    if progress.isAscending, progress.unreadable.contains(value) { return }
    if !progress.isAscending { progress.unreadable.append(value) }
    unreadable.add(value)
  }

  /// Whether a search may stop because an earlier listing covered older results. Only with
  /// configured roots, outside which most results lie.
  private func goesBackEnough(_ list: NotionList) -> Bool {
    guard !settings.roots.isEmpty, !progress.isAscending, let since = previous?.searchedSince,
      let last = list.results.last, let date = NotionTime.date(last["last_edited_time"]?.string)
    else { return false }
    return date < since
  }

  private mutating func breakOff(_ kind: String, _ reason: String) throws(AdapterError) {
    trail = PageTrail()
    guard progress.isAscending else {
      progress.isAscending = true
      progress.fault = reason
      return
    }
    if progress.named.isEmpty {
      searchFailure =
        searchFailure ?? AdapterError(.unavailable, "search returns nothing: \(reason)")
    }
    if progress.hasMet { return try finishSearch(kind, isWhole: true) }
    gaps.append(
      ListingGap(
        "search stopped after \(progress.named.count) results: \(progress.fault ?? reason)",
        isEssential: true))
    try finishSearch(kind, isWhole: false)
  }

  private mutating func finishSearch(_ kind: String, isWhole: Bool) throws(AdapterError) {
    if !isWhole {
      hasSearchedAll = false
      hasSearchedEnough = false
    }
    trail = PageTrail()
    progress = SearchProgress()
    phase = phase(after: kind)
    guard case .trash = phase, found.isEmpty, let failure = searchFailure else { return }
    // Without search, roots and an earlier listing, nothing is known.
    guard !remembered.isEmpty || !toWalk.isEmpty else { throw failure }
  }

  /// The maximum number of pages of the trash; a full listing reads all of it.
  var trashPages: Int { previous == nil ? 1_000 : 3 }

  mutating func trash(_ pages: Int) async throws(AdapterError) -> ListingPage? {
    // A full listing finds most objects by walking, and requests the rest at its end.
    phase = previous == nil ? .rows : .known
    guard settings.version.hasDataSources else { return try await page() }
    do throws(AdapterError) {
      let list = try await client.page(
        ["search"],
        query: [
          "filter": ["in_trash": true],
          "sort": ["timestamp": "last_edited_time", "direction": "descending"],
        ], cursor: trail.cursor, about: "the trash")
      for value in list.results { takeTrash(value) }
      if trail.goesOn(after: list), pages + 1 < trashPages { phase = .trash(pages: pages + 1) }
      if let fault = trail.fault {
        gaps.append(ListingGap("the trash was not read completely: \(fault)", isEssential: false))
      }
    } catch {
      try pass(error, "the trash was not read", isEssential: false)
    }
    return try await page()
  }

  private mutating func takeTrash(_ value: JSONValue) {
    guard let object = NotionObject(value) else { return unreadable.add(value, isInTrash: true) }
    guard object.inTrash else { return }
    if object.kind == .dataSource {
      // The row's database may be in the trash too, which only the database itself shows.
      let database = NotionDirectory.container(object) ?? object.id
      guard remembered[database] != nil else { return }
      changed.insert(database)
      if !databases.contains(database) { databases.append(database) }
      return
    }
    trashed.insert(object.id)
    if let source = object.parent.table { touched.insert(source) }
    if let database = lookup.directory.database(around: object.parent) { changed.insert(database) }
  }
}
