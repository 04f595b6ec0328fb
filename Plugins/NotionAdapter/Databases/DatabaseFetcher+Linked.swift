import ArchiverCore

// Databases that another page shows, and rows that only views name.
extension DatabaseFetcher {
  /// The maximum number of rows of a linked database on a page; the database's own page has all.
  static let linkedRows = 1_000
  /// The maximum number of further rows, each fetched with one request.
  static let namedRows = 100
  /// The number of failures after which no further rows are requested.
  private static let failureLimit = 3

  /// Fetches what a page shows of an inline database; `nil` if it is only a link. Throws if Notion does not
  /// return the database.
  func inline(_ id: NotionID) async throws(AdapterError) -> DatabaseContent? {
    let record = try await client.get(["databases", id.dashed], about: "database \(id)")
    guard let object = NotionObject(record) else {
      throw AdapterError(
        .malformed,
        "Notion's response for database \(id) is not a database object")
    }
    // What is in the trash was put there by its owner and is not missing.
    guard record["is_inline"]?.bool == true, !object.inTrash else { return nil }
    var missing: [MissingPart] = []
    let sources = sourceIDs(record, id, [], &missing)
    var read = try await ViewReader(client: client).views([("database_id", id.dashed)])
    var views = try await decoded(&read)
    if !views.contains(where: { view in sources.contains { $0 == view.source } }),
      let standard = sources.first.flatMap({ DatabaseView.standard(for: $0) })
    {
      views.insert(standard, at: 0)
    }
    var content = try await linked(views, preferring: sources)
    content.missing += missing.map(\.ofAnotherPage) + read.missing
    return content
  }

  /// Fetches what a linked view shows. Throws if Notion does not return its table.
  ///
  /// - Parameter sources: The tables of the database, whose first with a view is shown; if empty, the first
  ///   table that a view names.
  func linked(
    _ views: [DatabaseView], preferring sources: [NotionID] = []
  ) async throws(AdapterError) -> DatabaseContent {
    let shown = views.compactMap(\.source)
    guard let source = shown.first(where: { sources.contains($0) }) ?? shown.first else {
      throw AdapterError(.notFound, "Notion names no table of the database")
    }
    let record = try await schemaRecord(source)
    guard let object = NotionObject(record), var schema = DataSourceSchema(record) else {
      throw AdapterError(.malformed, "Notion's response for database \(source) has no columns")
    }
    if let first = views.first(where: { $0.source == source && !$0.columns.isEmpty }) {
      schema.order(by: first)
    }
    var content = DatabaseContent(object: object, description: [], record: record)
    content.views = views.filter { $0.source == source || $0.source == nil }
    content.isLinked = true
    for view in views where view.source != nil && view.source != source {
      content.notes.append(
        "The view \u{201C}\(view.name)\u{201D} shows another table, which has a page of its own.")
      content.missing.append(
        ViewReader.part("the view \(view.name)", "it shows another table", true))
    }
    try await orders(&content)
    var table = DatabaseContent.Source(schema: schema, record: record)
    if try await !fill(&table, &content) {
      content.notes.append("Further rows are on the database's own page.")
    }
    content.sources = [table]
    try await previews(&content)
    return content
  }

  /// Fetches the rows that linked views show: the database's first rows, and rows of filtered or
  /// sorted views beyond them. Returns whether these are all rows that they show.
  private func fill(
    _ table: inout DatabaseContent.Source, _ content: inout DatabaseContent
  ) async throws(AdapterError) -> Bool {
    let orders = content.views.map { $0.id.flatMap { content.orders[$0] } }
    let showsAll = orders.contains(nil)
    guard showsAll || !orders.compactMap(\.self).joined().isEmpty else { return true }
    var query = RowQuery(client: client, source: table.schema.id)
    query.limit = DatabaseFetcher.linkedRows
    var rows: [JSONValue] = []
    var missing: [MissingPart] = []
    var partialCount = 0
    defer { content.missing += missing + PropertyCompletion.partial(partialCount) }
    let outcome = try await query.forEach { (row) async throws(AdapterError) in
      guard NotionObject(row)?.inTrash != true else { return }
      partialCount += PropertyCompletion.partialCount(row)
      rows.append(try await completion.completed(row, isInTable: true, missing: &missing).slim)
    }
    missing += outcome.unreadable.map(DatabaseFetcher.unreadable).map(\.ofAnotherPage)
    if let fault = outcome.fault {
      missing.append(MissingPart(.children, name: "rows", reason: fault).ofAnotherPage)
    }
    table.rows = rows
    var unread: [MissingPart] = []
    let left = try await addNamedRows(to: &table, content, &unread)
    missing += unread.map(\.ofAnotherPage)
    return left == 0 && (outcome.isComplete || !showsAll)
  }

  /// Adds the rows of a database that its views name and the queries did not return, such as new ones.
  func addNamedRows(_ content: inout DatabaseContent) async throws(AdapterError) {
    for index in content.sources.indices {
      var source = content.sources[index]
      var missing: [MissingPart] = []
      let left = try await addNamedRows(to: &source, content, &missing)
      if left > 0 {
        missing.append(
          MissingPart(
            .children, name: "\(left) more rows", reason: "only views of the database name them",
            isPermanent: true, isEssential: false))
      }
      content.sources[index] = source
      content.missing += missing
    }
  }

  /// Requests rows that views name and a query did not return. Rows in the trash are left out; others that
  /// cannot be read are missing. Returns the number of rows beyond the limit.
  private func addNamedRows(
    to table: inout DatabaseContent.Source, _ content: DatabaseContent,
    _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> Int {
    let source = table.schema.id
    let views = content.views.filter { $0.source == source }
    let named = views.compactMap { $0.id.flatMap { content.orders[$0] } }.joined()
    var known = Set(table.rows.compactMap { NotionID($0["id"]) })
    // The databases of a wiki are among its rows.
    for nested in content.nested { known.formUnion([nested.id, nested.parent.id ?? nested.id]) }
    let further = named.filter { known.insert($0).inserted }
    var failures = 0
    var skipped = 0
    for id in further.prefix(DatabaseFetcher.namedRows) {
      guard failures < DatabaseFetcher.failureLimit else {
        skipped += 1
        continue
      }
      do throws(AdapterError) {
        if let row = try await row(id, &missing) { table.rows.append(row) }
      } catch {
        guard error.concernsOneObject else { throw error }
        if !error.isRefusal { failures += 1 }
        // A row that is not shared is no failure of its table.
        missing.append(
          MissingPart(
            .children, name: "row \(id)", reason: error.message, isPermanent: error.isRefusal,
            isEssential: !error.isRefusal))
      }
    }
    if skipped > 0 {
      missing.append(
        MissingPart(
          .children, name: "\(skipped) more rows", reason: "\(failures) others could not be read"))
    }
    return max(0, further.count - DatabaseFetcher.namedRows)
  }

  /// Fetches one row; `nil` if it is in the trash or cannot be parsed.
  private func row(
    _ id: NotionID, _ missing: inout [MissingPart]
  ) async throws(AdapterError) -> JSONValue? {
    let row = try await client.get(["pages", id.dashed], about: "page \(id)")
    guard let object = NotionObject(row) else {
      missing.append(DatabaseFetcher.unreadable(row))
      return nil
    }
    guard !object.inTrash else { return nil }
    return try await completion.completed(row, isInTable: true, missing: &missing).slim
  }
}

extension MissingPart {
  /// The part as one that the database's own page has, or lacks as an essential part.
  fileprivate var ofAnotherPage: MissingPart {
    var part = self
    part.isEssential = false
    return part
  }
}
