import ArchiverCore

// Titles of objects to which a page refers.
extension NotionLookup {
  /// The maximum number of objects requested by one call; the others stay unknown.
  private static let limit = 100
  /// The maximum number of targets of one relation requested by one call.
  private static let relationLimit = 1_000
  /// The number of consecutive refusals after which the other targets of a relation count as not
  /// shared.
  private static let refusalLimit = 10
  private static let failureLimit = 5

  /// Objects that were to be requested when a request failed, and the last failure.
  private struct Failed {
    var ids: Set<NotionID> = []
    var reason = ""
  }

  /// Requests the titles of referenced objects. Returns missing parts for those that stay unknown and
  /// that the page shows by their titles only.
  func titles(_ references: References) async throws(AdapterError) -> [MissingPart] {
    var failed = Failed()
    // The targets of a relation are pages of one table and therefore all shared or all not.
    for (_, targets) in references.relations.sorted(by: { $0.key < $1.key }) {
      let unknown = unknown(targets).prefix(NotionLookup.relationLimit)
      try await request(unknown, areRelated: true, &failed)
    }
    let others = unknown(references.ids).prefix(NotionLookup.limit)
    try await request(others, areRelated: false, &failed)
    return NotionLookup.missing(Set(unknown(references.titleOnly)), failed)
  }

  /// Returns the objects whose titles are unknown, sorted by id.
  private func unknown(_ ids: Set<NotionID>) -> [NotionID] {
    ids.filter { directory.known($0) == nil }.sorted()
  }

  /// Requests objects until several requests in a row fail.
  private func request(
    _ ids: ArraySlice<NotionID>, areRelated: Bool, _ failed: inout Failed
  ) async throws(AdapterError) {
    var refusals = 0
    var failures = 0
    for id in ids where failures < NotionLookup.failureLimit {
      if areRelated, refusals >= NotionLookup.refusalLimit {
        directory.markUnshared(id)
        continue
      }
      do throws(AdapterError) {
        refusals = try await object(id, isPage: areRelated) == nil ? refusals + 1 : 0
        failures = 0
      } catch {
        guard error.concernsOneObject else { throw error }
        failures += 1
        failed.ids.formUnion(ids)
        failed.reason = error.message
        client.context.log(.info, "a title is unknown: \(error.message)")
      }
    }
  }

  private static func missing(_ unknown: Set<NotionID>, _ failed: Failed) -> [MissingPart] {
    let failures = unknown.intersection(failed.ids).count
    let reasons = [
      (failures, failed.reason, false),
      (unknown.count - failures, "the page refers to more pages than are looked up", true),
    ]
    return reasons.filter { $0.0 > 0 }.map { count, reason, isPermanent in
      MissingPart(
        .record, name: count == 1 ? "the title of a page" : "the titles of \(count) pages",
        reason: reason, isPermanent: isPermanent, isEssential: false)
    }
  }
}
