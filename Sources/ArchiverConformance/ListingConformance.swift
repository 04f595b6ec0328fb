import ArchiverCore

extension AdapterConformance {
  /// A listing leaves out no reference, and names an item once.
  package func listingIsWhole() async throws -> [String] {
    let listed = try await list(make(subject.client))
    var wrong = listed.gaps.filter(\.isEssential).map(\.message)
    let revisions = Dictionary(grouping: listed.references, by: \.id)
    for (id, references) in revisions.sorted(by: { $0.key < $1.key }) where references.count > 1 {
      wrong.append(
        "\(id) is listed \(references.count) times, with "
          + (Set(references.map(\.revision)).count > 1 ? "several revisions" : "one revision"))
    }
    return Self.shortened(wrong)
  }

  /// Returns a sentence about what a listing names and what it means for other items.
  package func extent() async -> String? {
    guard let adapter = try? make(subject.client) else { return nil }
    var (count, deleted, isComplete) = (0, 0, false)
    do {
      for try await page in adapter.listing(since: nil) {
        count += page.references.count
        deleted += page.deleted.count
        isComplete = isComplete || page.isCompleteEnumeration
      }
    } catch {
      // A check reports the error.
      return nil
    }
    let items = "The listing names \(count) \(count == 1 ? "item" : "items")"
    let gone = deleted > 0 ? " and \(deleted) as deleted" : ""
    let unchecked =
      switch count {
      case 0: " Without items, only the listing was checked."
      case 1: " The order of items needs two of them, and was not checked."
      default: ""
      }
    return items + gone
      + (isComplete
        ? " and is complete: archived items that it does not name count as deleted."
        : " and does not say that it is complete: archived items that it does not name stay.")
      + unchecked
  }

  /// Returns the first ten findings and how many there are besides.
  private static func shortened(_ findings: [String]) -> [String] {
    let rest = findings.count - 10
    return findings.prefix(10) + (rest > 0 ? ["and \(rest) more"] : [])
  }

  /// 1. A listing may be started again at any time and then names the same items by the same ids.
  package func listingRepeats() async throws -> [String] {
    let adapter = try make(subject.client)
    let listing = adapter.listing(since: nil)
    let first = try await collect(listing)
    var wrong: [String] = []
    if first.references.count < subject.leastItems {
      wrong.append("fewer than \(subject.leastItems) items were listed")
    }
    for reference in first.references {
      if !(1...1024).contains(reference.id.utf8.count) {
        wrong.append("the id \"\(reference.id)\" is empty or too long")
      }
      if reference.payload?.utf8.count ?? 0 > 64 << 10 {
        wrong.append("the payload of \(reference.id) is larger than 64 KiB")
      }
    }
    let others = [
      ("iterated again", try await collect(listing)),
      ("started again", try await list(adapter)),
      ("of another adapter", try await list(make(subject.client))),
    ]
    for (which, other) in others where other.revisions != first.revisions {
      wrong.append("the listing \(which) names other items or revisions")
    }
    return wrong
  }

  /// 2. A page may be delivered twice without harm.
  ///
  /// So a listing since the checkpoint of one that saw everything brings nothing unknown, nothing
  /// with another revision, and calls nothing gone that is there.
  package func pagesMayComeTwice() async throws -> [String] {
    let first = try await list(make(subject.client))
    guard let checkpoint = first.checkpoint else { return [] }
    let adapter = try make(subject.client)
    var wrong: [String] = []
    for attempt in 1...2 {
      let again = try await list(adapter, since: checkpoint)
      for reference in again.references where first.revisions[reference.id] != reference.revision {
        wrong.append("\(reference.id) changed its id or revision, listing \(attempt)")
      }
      for id in again.deleted where first.revisions[id] != nil {
        wrong.append("\(id) is reported as deleted but exists, listing \(attempt)")
      }
    }
    return wrong
  }

  /// 9. `standings` calls nothing gone or withheld that a listing names.
  ///
  /// A deleted item must not be reported as available.
  package func listedIsAvailable() async throws -> [String] {
    let adapter = try make(subject.client)
    let listed = try await list(adapter).references.prefix(100).map(\.id)
    let standings = try await adapter.standings(of: listed)
    var wrong = standings.filter { $0.value != .available }.keys.sorted()
      .map { "\($0) is listed, but also reported as deleted or withheld" }
    if try await adapter.standings(of: [subject.gone.id])[subject.gone.id] == .available {
      wrong.append("\(subject.gone.id) is deleted but reported as available")
    }
    return wrong
  }

  /// A checkpoint that the source does not understand is treated like none.
  package func foreignCheckpointIsNone() async throws -> [String] {
    let expected = try await list(make(subject.client)).revisions
    var wrong: [String] = []
    for value in ["", "not a checkpoint", "{\"version\":99}", String(repeating: "9", count: 300)] {
      let found = try await list(make(subject.client), since: Checkpoint(value)).revisions
      if found != expected {
        wrong.append("the checkpoint \"\(value.prefix(20))\" is not ignored")
      }
    }
    return wrong
  }
}
