import ArchiverCore

// Databases and the rows of their tables.
extension Discovery {
  mutating func nextRows() async throws(AdapterError) -> ListingPage? {
    if !databases.isEmpty, givesUp("the rows of \(databases.count) databases") {
      unread.formUnion(databases)
      databases = []
    }
    guard let database = databases.popLast() else {
      phase = .walk
      return try await page()
    }
    guard settledDatabases.insert(database).inserted else { return try await page() }
    do throws(AdapterError) {
      try await complete(database)
      guard !trashed.contains(database), try await isInScope(database) else {
        return try await page()
      }
      let inside = inlineDatabases.contains(database) ? found[database]?.parent : nil
      let host = try await lookup.owner(inside ?? .other)
      for source in found[database]?.sources ?? [] {
        if let host { shown.insert(source, on: host) }
        try await nameRows(of: source, in: database)
      }
      failures = 0
    } catch {
      if error.isRefusal, remembered[database] != nil { forgotten.insert(database) }
      if assumed.contains(database) { found[database] = nil }
      try pass(error, "the rows of a database are unknown")
    }
    return try await page()
  }

  /// Requests a database's edit time, parent and tables.
  mutating func complete(_ id: NotionID) async throws(AdapterError) {
    do throws(AdapterError) {
      let value = try await client.get(["databases", id.dashed], about: "database \(id)")
      guard let object = NotionObject(value) else {
        throw AdapterError(
          .malformed, "Notion's response for database \(id) is not a database object")
      }
      lookup.directory.learn(object)
      var database = found[id] ?? Found(isDatabase: true, title: "", edited: "", parent: .other)
      database.title = object.title.isEmpty ? database.title : object.title
      assumed.remove(id)
      database.edited = object.edited
      database.parent = object.parent
      if value["is_inline"]?.bool == true { inlineDatabases.insert(id) }
      let tables = value["data_sources"]?.array
      let sources = tables?.compactMap { NotionID($0["id"]) }
      for source in sources ?? [id] where !database.sources.contains(source) {
        database.sources.append(source)
      }
      for _ in 0..<((tables?.count ?? 0) - (sources?.count ?? 0)) {
        unreadable.add(["object": "data_source"])
      }
      found[id] = database
      if object.inTrash {
        trashed.insert(id)
        found[id] = nil
      }
    } catch {
      // The table may be shared without its database.
      guard error.concernsOneObject, found[id]?.sources.isEmpty == false,
        error.isRefusal || !assumed.contains(id)
      else { throw error }
      guard error.isPassing else { return }
      // The rows are listed nevertheless; whether the database itself changed is unknown.
      try pass(error, "a database was not read")
      unread.insert(id)
    }
  }

  mutating func nameRows(
    of source: NotionID, in database: NotionID
  ) async throws(AdapterError) {
    asked.insert(source)
    let began = honest(started ?? client.context.clock.now())
    var query = RowQuery(client: client, source: source)
    let stamp = stamps[source] ?? found[database]?.edited ?? ""
    if let last = previous?.rows[source.hex], let since = previous?.since(last),
      last.edited == stamp, !touched.contains(source)
    {
      query.editedSince = since
      let changed = try await enumerate(query)
      guard changed.count > 0 || !changed.isComplete else {
        note(changed, of: source)
        rows[source.hex] = NotionCheckpoint.Rows(
          edited: last.edited, digest: last.digest, asked: began, database: database.hex)
        return
      }
      query.editedSince = nil
    }
    let all = try await enumerate(query)
    note(all, of: source)
    // After an incomplete query, the next listing queries all rows again.
    if all.isComplete {
      rows[source.hex] = NotionCheckpoint.Rows(
        edited: stamp, digest: all.digest, asked: began, database: database.hex)
    }
  }

  /// What a query returned.
  struct Enumeration {
    let count: Int
    let digest: String
    /// Whether the list was not interrupted.
    let isComplete: Bool
    /// Objects that could not be parsed.
    let unreadable: [JSONValue]
    /// Why rows are missing; `nil` if none is.
    let fault: String?
  }

  /// Counts what a query did not return or what could not be parsed. The result of a query that is followed
  /// by one for all rows is not noted: that one returns the same objects.
  mutating func note(_ enumeration: Enumeration, of source: NotionID) {
    for value in enumeration.unreadable { unreadable.add(value) }
    guard let fault = enumeration.fault else { return }
    gaps.append(
      ListingGap("some rows of database \(source) are unknown: \(fault)", isEssential: true))
  }

  mutating func enumerate(_ query: RowQuery) async throws(AdapterError) -> Enumeration {
    var digest = SetDigest()
    var objects: [NotionObject] = []
    var unreadable: [JSONValue] = []
    let outcome = try await query.forEach { (row) async throws(AdapterError) in
      guard let object = NotionObject(row) else { return unreadable.append(row) }
      guard !object.inTrash else { return }
      digest.insert(object.id.hex + object.edited)
      objects.append(object)
    }
    for object in objects { add(object) }
    for value in outcome.nested {
      guard let nested = NotionObject(value) else {
        unreadable.append(value)
        continue
      }
      add(nested)
    }
    let fault = outcome.fault ?? "it has more rows of one minute than Notion returns"
    return Enumeration(
      count: outcome.count, digest: digest.text, isComplete: outcome.fault == nil,
      unreadable: unreadable + outcome.unreadable, fault: outcome.isComplete ? nil : fault)
  }
}
