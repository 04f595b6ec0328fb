import ArchiverCore

// Known items that search omitted, and databases that seem unchanged: each run requests some of
// them by id, and the next run continues with those after them.
extension Discovery {
  /// The minimum number of requests per run for this purpose.
  private static let fewest = 3

  /// Chooses what to request; called once after search and trash were read.
  mutating func chooseKnown() {
    guard let previous else {
      let unnamed = remembered.entries.filter { id, entry in
        !entry.isOutside && found[id] == nil && !trashed.contains(id)
      }
      return toAsk = Discovery.inTurn(unnamed.keys, after: place).reversed()
    }
    if hasSearchedAll { changed.formUnion(databasesWithOtherRows()) }
    for id in changed.sorted() where remembered[id]?.isDatabase == true { ask(database: id) }
    let candidates = remembered.entries.filter { id, entry in
      guard !entry.isOutside, !trashed.contains(id) else { return false }
      return entry.isDatabase ? !changed.contains(id) : found[id] == nil
    }
    var allowance = allowance(previous)
    // A quarter is reserved for comments of pages.
    let reserve = settings.comments == .off || allowance <= Discovery.fewest ? 0 : allowance / 4
    allowance -= reserve
    defer { leftover = reserve + max(0, allowance) }
    for id in Discovery.inTurn(candidates.keys, after: place) {
      allowance -= candidates[id]?.isDatabase == true ? 2 : 1
      guard allowance >= 0 else { break }
      toAsk.append(id)
    }
    let picked = Set(toAsk)
    // According to search, the others are unchanged.
    let left = Set(candidates.keys.filter { candidates[$0]?.isDatabase == true })
      .subtracting(picked)
    databases.removeAll { left.contains($0) }
    for id in left { found[id] = nil }
    toAsk.reverse()
  }

  /// Returns ids in cyclic order, beginning after the last one requested.
  static func inTurn(_ ids: some Sequence<NotionID>, after place: String?) -> [NotionID] {
    let ids = ids.sorted()
    let start = place.flatMap { NotionID($0) }.flatMap { last in ids.firstIndex { $0 > last } } ?? 0
    return Array(ids[start...] + ids[..<start])
  }

  /// Returns the number of requests left: ten and one per hundred items, without those already
  /// made. If search failed, nothing else lists known items, and all of them are requested within a
  /// week.
  private func allowance(_ previous: NotionCheckpoint) -> Int {
    let nightly = previous.itemCount / 100 + 10
    let allowance = searchFailure == nil ? nightly : max(nightly, remembered.insideCount / 7 + 100)
    return max(Discovery.fewest, allowance - spent)
  }

  /// Returns databases of which search found at least as many rows as before, but with another
  /// digest.
  private func databasesWithOtherRows() -> Set<NotionID> {
    var digests: [NotionID: (digest: SetDigest, database: NotionID, count: Int)] = [:]
    for (id, item) in found {
      guard let source = item.parent.table,
        let database = lookup.directory.database(around: item.parent)
      else { continue }
      digests[source, default: (SetDigest(), database, 0)].digest.insert(id.hex + item.edited)
      digests[source]?.count += 1
    }
    let others = digests.filter { source, rows in
      guard let last = previous?.rows[source.hex] else { return true }
      return rows.count >= last.count && rows.digest.text != last.digest
    }
    return Set(others.values.map(\.database))
  }

  /// Schedules requests for a database and its rows.
  private mutating func ask(database id: NotionID) {
    guard !trashed.contains(id), !settledDatabases.contains(id) else { return }
    assume(id)
    if !databases.contains(id) { databases.append(id) }
  }

  /// Uses a database's tables from the last listing: they may be shared without the database.
  private mutating func assume(_ id: NotionID) {
    guard found[id] == nil else { return }
    let rows = rememberedRows.filter { $0.value.database == id.hex }.sorted { $0.key < $1.key }
    guard let first = rows.first else { return }
    assumed.insert(id)
    found[id] = Found(
      isDatabase: true, title: "", edited: first.value.edited, parent: .other,
      sources: rows.compactMap { NotionID($0.key) })
  }

  mutating func nextKnown() async throws(AdapterError) {
    if !hasChosen {
      hasChosen = true
      chooseKnown()
    }
    if !toAsk.isEmpty, givesUp("\(toAsk.count) pages that search does not return") { toAsk = [] }
    guard let id = toAsk.popLast() else {
      phase = .rows
      return
    }
    place = id.hex
    if remembered[id]?.isDatabase == true { return ask(database: id) }
    do throws(AdapterError) {
      let value = try await client.get(["pages", id.dashed], about: "page \(id)")
      failures = 0
      guard let object = NotionObject(value) else { return unreadable.add(value) }
      add(object)
    } catch {
      if error.isRefusal {
        // Not shared any more or deleted permanently; a full listing tells which.
        forgotten.insert(id)
      } else {
        try pass(error, "a page that search does not return was not read")
      }
    }
  }
}
