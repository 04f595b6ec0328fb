import ArchiverCore

/// Lists the rows of a data source, with several queries if it has more than one query returns.
///
/// A query ends after 10,000 rows. The next one starts at the creation time of the last row; rows
/// of that minute are returned twice.
struct RowQuery: Sendable {
  let client: NotionClient
  let source: NotionID
  /// Only rows changed at or after this time.
  var editedSince: Date?
  /// The approximate maximum number of rows; `nil` for all.
  var limit: Int?

  /// The result of a query.
  struct Outcome: Sendable {
    var count = 0
    /// Whether every row was listed.
    var isComplete = true
    /// Why the list was interrupted; `nil` if it was complete.
    var fault: String?
    /// Data sources and databases among the rows, as in wikis.
    var nested: [JSONValue] = []
    /// Results without an id.
    var unreadable: [JSONValue] = []
  }

  /// Calls `row` with each row once, in the order of creation.
  func forEach(
    _ row: (JSONValue) async throws(AdapterError) -> Void
  ) async throws(AdapterError) -> Outcome {
    var outcome = Outcome()
    var seen = ReadEntries()
    var start: String?
    while true {
      seen.restart()
      let window = try await self.window(from: start, &seen, &outcome, row)
      guard window.isCut else { return outcome }
      guard let last = window.last, last != start else {
        outcome.isComplete = false
        return outcome
      }
      start = last
    }
  }

  private func window(
    from start: String?, _ seen: inout ReadEntries, _ outcome: inout Outcome,
    _ row: (JSONValue) async throws(AdapterError) -> Void
  ) async throws(AdapterError) -> (last: String?, isCut: Bool) {
    var trail = PageTrail()
    var last: String?
    while true {
      let page: NotionList
      do throws(AdapterError) {
        page = try await client.page(
          path, query: body(from: start), cursor: trail.cursor, about: "database \(source)")
      } catch {
        guard trail.restarts(after: error) else { throw error }
        seen.restart()
        continue
      }
      for value in page.results {
        let hasID = NotionID(value["id"]) != nil
        if hasID { last = value["created_time"]?.string ?? last }
        guard seen.insert(value) else { continue }
        guard hasID else {
          outcome.unreadable.append(value)
          continue
        }
        guard value["object"]?.string == "page" else {
          outcome.nested.append(value)
          continue
        }
        outcome.count += 1
        try await row(value)
      }
      if let limit, outcome.count >= limit, page.next != nil || page.isCut {
        outcome.isComplete = false
        return (last, false)
      }
      guard !page.isCut else { return (last, true) }
      guard trail.goesOn(after: page) else {
        if let fault = trail.fault {
          outcome.isComplete = false
          outcome.fault = fault
        }
        return (last, false)
      }
    }
  }

  private var path: [String] { [client.version.tablePath, source.dashed, "query"] }

  private func body(from start: String?) -> [String: JSONValue] {
    var conditions: [JSONValue] = []
    if let start { conditions.append(RowQuery.condition("created_time", start)) }
    if let editedSince {
      conditions.append(RowQuery.condition("last_edited_time", UTCTime.text(editedSince)))
    }
    var body: [String: JSONValue] = [
      "sorts": [["timestamp": "created_time", "direction": "ascending"]]
    ]
    if conditions.count == 1 { body["filter"] = conditions[0] }
    if conditions.count > 1 { body["filter"] = ["and": .array(conditions)] }
    return body
  }

  private static func condition(_ timestamp: String, _ time: String) -> JSONValue {
    .object(["timestamp": .string(timestamp), timestamp: ["on_or_after": .string(time)]])
  }
}
