import ArchiverCore

// Comments and originals of synced blocks, which change without changing the edit time of the page
// that shows them. Neither search nor a query lists comments, so that each run requests them for
// some of the pages, and the next run continues with the pages after those.
extension Discovery {
  /// One in this many pages is chosen by its last edit, newest first.
  private static let newestShare = 2

  /// The revision of a page with originals of synced blocks, as far as it is known.
  func stamp(_ page: NotionID) -> String? {
    guard let edited = found[page]?.edited, !edited.isEmpty else { return nil }
    return NotionRevision.text(edited: edited, at: started ?? client.context.clock.now())
  }

  /// Records the pages that have the originals of a page's synced blocks.
  mutating func note(
    originalsOf page: NotionID, _ tree: BlockTree
  ) async throws(AdapterError) {
    let own = Set(tree.nodes.compactMap(\.id))
    var owners: Set<NotionID> = []
    for original in Set(tree.nodes.compactMap(\.syncedFrom)).subtracting(own).sorted() {
      do throws(AdapterError) {
        if let owner = try await lookup.owner(.block(original)) { owners.insert(owner) }
      } catch {
        guard error.concernsOneObject else { throw error }
        client.context.log(.info, "the original of a synced block is unknown: \(error.message)")
      }
    }
    elsewhere.set(originals: owners, of: page)
  }

  /// Requests pages that show changed originals and were not listed yet.
  mutating func meetCopies() async throws(AdapterError) {
    let pages = elsewhere.pagesWithChangedOriginals(stamp).filter {
      found[$0] == nil && !trashed.contains($0)
    }
    for id in pages.prefix(Discovery.fewestCopies) {
      do throws(AdapterError) {
        guard let object = try await lookup.object(id, isPage: true), !object.inTrash,
          try await isInScope(id)
        else { continue }
        add(page: object)
      } catch {
        try pass(error, "a page that shows a changed synced block was not read")
      }
    }
  }

  /// Chooses the pages whose comments are requested; called once.
  mutating func chooseRemarks() {
    guard settings.comments != .off, !isFirst else { return }
    let allowance = remarkAllowance
    let candidates = found.filter { id, item in
      guard !item.isDatabase, !trashed.contains(id) else { return false }
      // New and changed pages are fetched with their comments.
      return item.parent.table != nil || remembered[id]?.minute == KnownItems.minute(item.edited)
    }
    let newest = candidates.sorted { ($0.value.edited, $0.key) > ($1.value.edited, $1.key) }
      .prefix(allowance / Discovery.newestShare).map(\.key)
    let inTurn = Discovery.inTurn(candidates.keys, after: elsewhere.place)
      .filter { !newest.contains($0) }.prefix(allowance - newest.count)
    remarkPlace = inTurn.last?.hex ?? elsewhere.place
    toRemark = inTurn.reversed() + newest
  }

  /// The number of pages whose comments are requested.
  private var remarkAllowance: Int {
    // A full listing also reads the blocks of every page, so that a tenth of that is added.
    guard let previous else { return found.count / 10 + 10 }
    // Requests for what changed are in addition to those of an unchanged night. Without a change,
    // databases queried because of their last edits count against it.
    let left = hasChanges ? leftover : min(leftover, previous.itemCount / 100 + 10 - spent)
    return max(1, left)
  }

  /// Whether a page or a table has changed since the last listing.
  private var hasChanges: Bool {
    let tables = rows.contains { $0.value.digest != rememberedRows[$0.key]?.digest }
    return tables
      || found.contains { id, item in
        !item.isDatabase && item.parent.table == nil
          && remembered[id]?.minute != KnownItems.minute(item.edited)
      }
  }

  /// Requests the comments of one page.
  mutating func nextRemark() async throws(AdapterError) {
    if !hasChosenRemarks {
      hasChosenRemarks = true
      chooseRemarks()
    }
    guard let id = toRemark.popLast() else {
      phase = .end
      return
    }
    do throws(AdapterError) {
      guard try await isInScope(id), let item = found[id] else { return }
      let newest = try await newestComment(of: id)
      _ = elsewhere.learn(newest: newest, of: id, edited: KnownItems.minute(item.edited))
    } catch {
      guard error.concernsOneObject else { throw error }
      // The integration lacks the capability for all pages; the item reports it.
      if error.fault?.code == "restricted_resource" { return toRemark = [] }
      gaps.append(
        ListingGap("comments on page \(id) are unknown: \(error.message)", isEssential: false))
      remarkFailures += 1
      if remarkFailures >= 3 { toRemark = [] }
    }
  }

  /// The maximum number of pages of comments read per page.
  private static let mostComments = 3

  /// Returns the time of a page's newest comment in minutes; 0 without comments.
  private mutating func newestComment(of id: NotionID) async throws(AdapterError) -> UInt32 {
    var trail = PageTrail()
    var newest: UInt32 = 0
    for _ in 0..<Discovery.mostComments {
      let list = try await client.page(
        ["comments"], [("block_id", id.dashed)], cursor: trail.cursor,
        about: "comments on page \(id)")
      for value in list.results {
        let time = (value["last_edited_time"] ?? value["created_time"])?.string
        newest = max(newest, time.map(KnownItems.minute) ?? 0)
      }
      guard trail.goesOn(after: list) else {
        if let fault = trail.fault {
          gaps.append(
            ListingGap("some comments on page \(id) are unknown: \(fault)", isEssential: false))
        }
        return newest
      }
    }
    gaps.append(
      ListingGap("page \(id) has too many comments; some were not read", isEssential: false))
    return newest
  }
}
