import ArchiverCore

/// Reads views, which API versions before 2025-09-03 do not have.
struct ViewReader: Sendable {
  let client: NotionClient

  /// Views as received, and parts for those that could not be read.
  struct Views: Sendable {
    var records: [JSONValue] = []
    var missing: [MissingPart] = []
  }

  /// A view, or something about it, that is missing; rows and columns are there without it.
  static func part(_ name: String, _ reason: String, _ isPermanent: Bool) -> MissingPart {
    MissingPart(.record, name: name, reason: reason, isPermanent: isPermanent, isEssential: false)
  }

  /// Returns the views of a database or data source.
  func views(_ filter: NotionClient.Fields) async throws(AdapterError) -> Views {
    var views = Views()
    guard client.version.hasDataSources else { return views }
    var trail = PageTrail()
    do throws(AdapterError) {
      var goesOn = true
      while goesOn {
        let page = try await client.page(["views"], filter, cursor: trail.cursor, about: "views")
        for reference in page.results {
          try await add(reference, to: &views)
        }
        goesOn = trail.goesOn(after: page)
      }
      if let fault = trail.fault {
        views.missing.append(ViewReader.part("some views", fault, false))
      }
    } catch {
      guard error.concernsOneObject else { throw error }
      views.missing.append(ViewReader.part("views", error.message, error.isRefusal))
    }
    return views
  }

  private func add(_ reference: JSONValue, to views: inout Views) async throws(AdapterError) {
    guard let id = NotionID(reference["id"]) else {
      return views.missing.append(ViewReader.part("a view", "it has no id", true))
    }
    if reference["configuration"] != nil { return views.records.append(reference) }
    do throws(AdapterError) {
      views.records.append(try await client.get(["views", id.dashed], about: "view \(id)"))
    } catch {
      guard error.concernsOneObject else { throw error }
      views.missing.append(ViewReader.part("view \(id)", error.message, error.isRefusal))
    }
  }

  /// Returns the rows that a view shows, filtered and sorted by Notion.
  func rows(of view: NotionID) async throws(AdapterError) -> [NotionID] {
    let subject = "the rows of view \(view)"
    var list = try await client.page(
      ["views", view.dashed, "queries"], query: [:], cursor: nil, about: subject)
    var rows = list.results.compactMap { NotionID($0["id"]) }
    guard let query = list.body["id"]?.string else { return rows }
    var trail = PageTrail()
    while trail.goesOn(after: list) {
      list = try await client.page(
        ["views", view.dashed, "queries", query], cursor: trail.cursor, about: subject)
      rows += list.results.compactMap { NotionID($0["id"]) }
    }
    if let fault = trail.fault {
      throw AdapterError(.malformed, "\(subject) could not be read: \(fault)")
    }
    return rows
  }
}
