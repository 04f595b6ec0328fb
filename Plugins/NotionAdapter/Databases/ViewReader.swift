import ArchiverCore

/// Reads views, which API versions before 2025-09-03 do not have.
struct ViewReader: Sendable {
  let client: NotionClient

  /// Views as received, with missing parts for those that could not be read.
  struct Views: Sendable {
    var records: [JSONValue] = []
    var missing: [MissingPart] = []

    /// Returns the views that can be parsed, and records those that cannot.
    mutating func decoded() -> [DatabaseView] {
      var views: [DatabaseView] = []
      for record in records {
        guard let view = DatabaseView(record) else {
          missing.append(ViewReader.part("a view", "it has no type", true))
          continue
        }
        if view.unnamedColumns > 0 {
          missing.append(
            ViewReader.part(
              "\(view.unnamedColumns) columns of the view \(view.name)", "they have no id", true))
        }
        views.append(view)
      }
      return views
    }
  }

  /// The rows of a view, in its order.
  struct Order: Sendable {
    var rows: [NotionID] = []
    /// The number of rows without an id.
    var unnamed = 0
    /// Whether Notion did not return all of them.
    var isCut = false

    mutating func add(_ list: NotionList) {
      for result in list.results {
        if let id = NotionID(result["id"]) { rows.append(id) } else { unnamed += 1 }
      }
      isCut = isCut || list.isCut || rows.count + unnamed >= Order.most
    }

    /// The number of rows of a view after which Notion ends the list.
    private static let most = 10_000
  }

  /// Returns a missing part for a view or a part of it; rows and columns are complete without it.
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

  /// Adds a view that a list omitted, such as one in a dashboard only.
  func add(_ id: NotionID, to views: inout Views) async throws(AdapterError) {
    try await add(["id": .string(id.dashed)], to: &views)
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

  /// Returns the rows of a view, filtered and sorted by Notion.
  func rows(of view: NotionID) async throws(AdapterError) -> Order {
    let subject = "the rows of view \(view)"
    var list = try await client.page(
      ["views", view.dashed, "queries"], query: [:], cursor: nil, about: subject)
    var order = Order()
    order.add(list)
    guard let query = list.body["id"]?.string else {
      guard list.next == nil else {
        throw AdapterError(
          .malformed,
          "\(subject) are incomplete, and there is no cursor to continue")
      }
      return order
    }
    var trail = PageTrail()
    while trail.goesOn(after: list) {
      list = try await client.page(
        ["views", view.dashed, "queries", query], cursor: trail.cursor, about: subject)
      order.add(list)
    }
    if let fault = trail.fault, !order.isCut {
      throw AdapterError(.malformed, "\(subject) could not be read: \(fault)")
    }
    return order
  }
}
