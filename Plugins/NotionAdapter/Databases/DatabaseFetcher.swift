import ArchiverCore

/// Fetches a database: its data sources with their columns and rows, and its views.
struct DatabaseFetcher: Sendable {
  let client: NotionClient
  let completion: PropertyCompletion

  init(client: NotionClient) {
    self.client = client
    completion = PropertyCompletion(client: client)
  }

  /// Fetches a database; throws `.notFound` if it is not shared or is in the trash.
  func fetch(_ id: NotionID, sources known: [NotionID]) async throws(AdapterError)
    -> DatabaseContent
  {
    var content = try await container(id, known)
    let sources = sourceIDs(content.record, id, known, &content.missing)
    for source in sources {
      do throws(AdapterError) {
        content.sources.append(try await table(source, &content))
      } catch {
        guard error.concernsOneObject, sources.count > 1 else { throw error }
        content.notes.append("One of the database's tables could not be read: \(error.message).")
        content.missing.append(
          MissingPart(
            .children, name: "table \(source)", reason: error.message, isPermanent: error.isRefusal)
        )
      }
    }
    try await views(of: id, &content)
    if !content.isBroken { try await addNamedRows(&content) }
    try await previews(&content)
    return content
  }

  private func container(
    _ id: NotionID, _ known: [NotionID]
  ) async throws(AdapterError) -> DatabaseContent {
    let record: JSONValue
    do throws(AdapterError) {
      record = try await client.get(["databases", id.dashed], about: "database \(id)")
    } catch {
      // A table may be shared without its database.
      guard error.concernsOneObject, let source = known.first else { throw error }
      record = try await schemaRecord(source)
    }
    guard let object = NotionObject(record) else {
      throw AdapterError(
        .malformed,
        "Notion's response for database \(id) is not a database object")
    }
    guard !object.inTrash else {
      throw AdapterError(.notFound, "database \(id) is in Notion's trash")
    }
    return DatabaseContent(
      object: object, description: RichText.list(record["description"]), record: record)
  }

  func sourceIDs(
    _ record: JSONValue, _ id: NotionID, _ known: [NotionID], _ missing: inout [MissingPart]
  ) -> [NotionID] {
    if let sources = record["data_sources"]?.array {
      let ids = sources.compactMap { NotionID($0["id"]) }
      if ids.count < sources.count {
        missing.append(
          MissingPart(
            .children, name: "\(sources.count - ids.count) tables", reason: "they have no id",
            isPermanent: true))
      }
      return ids
    }
    if record["object"]?.string == "data_source" { return known }
    return [id]
  }

  func schemaRecord(_ source: NotionID) async throws(AdapterError) -> JSONValue {
    try await client.get(
      [client.version.tablePath, source.dashed], about: "database \(source)")
  }

  private func table(
    _ id: NotionID, _ content: inout DatabaseContent
  ) async throws(AdapterError) -> DatabaseContent.Source {
    let record = try await schemaRecord(id)
    guard let schema = DataSourceSchema(record) else {
      throw AdapterError(.malformed, "Notion's response for database \(id) has no columns")
    }
    var source = DatabaseContent.Source(schema: schema, record: record)
    var missing: [MissingPart] = []
    var partialCount = 0
    defer { content.missing += missing + PropertyCompletion.partial(partialCount) }
    let outcome: RowQuery.Outcome
    do throws(AdapterError) {
      outcome = try await RowQuery(client: client, source: id).forEach {
        (row) async throws(AdapterError) in
        guard NotionObject(row)?.inTrash != true else { return }
        partialCount += PropertyCompletion.partialCount(row)
        source.rows.append(
          try await completion.completed(row, isInTable: true, missing: &missing).slim)
      }
    } catch {
      guard error.isUnreadable else { throw error }
      content.isBroken = true
      content.notes.append("Some rows could not be read: \(error.message).")
      content.missing.append(MissingPart(.children, name: "rows", reason: error.message))
      return source
    }
    if let fault = outcome.fault {
      content.isBroken = true
      content.notes.append("Some rows could not be read: \(fault).")
      content.missing.append(MissingPart(.children, name: "rows", reason: fault))
    } else if !outcome.isComplete {
      content.notes.append(
        "Notion returns at most 10,000 rows created in the same minute; some rows are missing.")
      content.missing.append(
        MissingPart(
          .children, name: "rows", reason: "more than 10,000 were created in one minute",
          isPermanent: true))
    }
    for value in outcome.nested {
      guard let object = NotionObject(value) else {
        missing.append(DatabaseFetcher.unreadable(value))
        continue
      }
      content.nested.append(object)
    }
    missing += outcome.unreadable.map(DatabaseFetcher.unreadable)
    return source
  }

  /// Returns the missing part for a result that is neither a row nor a database.
  static func unreadable(_ value: JSONValue) -> MissingPart {
    let kind = value["object"]?.string ?? "without a type"
    // An object of an unknown kind is not a row.
    let isRow = value["object"] == nil || NotionObject.Kind(rawValue: kind) != nil
    return MissingPart(
      .children, name: "a row", reason: "an object \u{201C}\(kind)\u{201D} could not be read",
      isPermanent: true, isEssential: isRow)
  }

  /// Views are optional: after an error the database is shown as a plain table.
  private func views(
    of id: NotionID, _ content: inout DatabaseContent
  ) async throws(AdapterError) {
    var read = try await ViewReader(client: client).views([("database_id", id.dashed)])
    content.views = try await decoded(&read)
    content.viewRecords += read.records
    content.missing += read.missing
    for index in content.sources.indices {
      let source = content.sources[index].schema.id
      guard let view = content.views.first(where: { $0.source == source && !$0.columns.isEmpty })
      else { continue }
      content.sources[index].schema.order(by: view)
    }
    let unseen = content.sources.filter { source in
      !content.views.contains { $0.source == source.schema.id }
    }
    content.views += unseen.compactMap { DatabaseView.standard(for: $0.schema.id) }
    try await orders(&content)
  }

  /// The maximum number of dashboard widgets requested because no list of views contains them.
  static let widgetLimit = 50

  /// Returns the views that can be parsed, including those that only dashboards name.
  func decoded(
    _ read: inout ViewReader.Views
  ) async throws(AdapterError) -> [DatabaseView] {
    let named = read.records.compactMap { DatabaseView($0) }
    var known = Set(named.compactMap(\.id))
    let widgets = named.flatMap(\.widgets).joined().compactMap(\.view)
    let further = widgets.filter { known.insert($0).inserted }
    for id in further.prefix(DatabaseFetcher.widgetLimit) {
      try await ViewReader(client: client).add(id, to: &read)
    }
    if further.count > DatabaseFetcher.widgetLimit {
      read.missing.append(
        ViewReader.part(
          "\(further.count - DatabaseFetcher.widgetLimit) parts of dashboards",
          "there are more than \(DatabaseFetcher.widgetLimit)", true))
    }
    return read.decoded()
  }

  func orders(_ content: inout DatabaseContent) async throws(AdapterError) {
    for view in content.views {
      guard view.isSelective, let viewID = view.id, view.source != nil else { continue }
      do throws(AdapterError) {
        let order = try await ViewReader(client: client).rows(of: viewID)
        content.orders[viewID] = order.rows
        if order.unnamed > 0 {
          content.missing.append(
            ViewReader.part(
              "the place of \(order.unnamed) rows in \(view.name)", "they have no id", true))
        }
        if order.isCut {
          content.missing.append(
            ViewReader.part(
              "the rows of \(view.name) after the first \(order.rows.count)",
              "Notion returns no more rows of a view", true))
        }
      } catch {
        guard error.concernsOneObject else { throw error }
        content.notes.append(
          "The filter and order of the view \u{201C}\(view.name)\u{201D} could not be read.")
        content.missing.append(
          ViewReader.part("the order of \(view.name)", error.message, error.isRefusal))
      }
    }
  }
}

extension DatabaseFetcher {
  /// The maximum number of cards of a database whose pages are read, each with one request.
  static let previewLimit = 30

  /// Reads the previews on the first cards of galleries and boards.
  func previews(_ content: inout DatabaseContent) async throws(AdapterError) {
    var wanted: [NotionID] = []
    var known: Set<NotionID> = []
    for view in content.views where view.showsContent {
      let rows = content.source(of: view)?.rows ?? []
      let ids = view.id.flatMap { content.orders[$0] } ?? rows.compactMap { NotionID($0["id"]) }
      wanted += ids.filter { known.insert($0).inserted }
    }
    var failures = 0
    var skipped = 0
    for id in wanted.prefix(DatabaseFetcher.previewLimit) {
      guard failures < 3 else {
        skipped += 1
        continue
      }
      do throws(AdapterError) {
        let page = try await client.page(
          ["blocks", id.dashed, "children"], cursor: nil, about: "page \(id)")
        content.previews[id] = CardPreview(page.results)
      } catch {
        guard error.concernsOneObject else { throw error }
        failures += 1
        content.missing.append(
          ViewReader.part("what a card shows of page \(id)", error.message, error.isRefusal))
      }
    }
    if skipped > 0 {
      content.missing.append(
        ViewReader.part(
          "what \(skipped) more cards show", "the pages of \(failures) others were not read", false
        ))
    }
    if wanted.count > DatabaseFetcher.previewLimit {
      content.notes.append(
        "Only the first \(DatabaseFetcher.previewLimit) cards show what is on their pages.")
    }
  }
}
