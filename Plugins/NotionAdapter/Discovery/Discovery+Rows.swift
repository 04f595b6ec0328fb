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
      let sources = value["data_sources"]?.array?.compactMap { NotionID($0["id"]) }
      for source in sources ?? [id] where !database.sources.contains(source) {
        database.sources.append(source)
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
        rows[source.hex] = NotionCheckpoint.Rows(
          edited: last.edited, digest: last.digest, asked: began, database: database.hex)
        return
      }
      query.editedSince = nil
    }
    let all = try await enumerate(query)
    // After an incomplete query, the next listing queries all rows again.
    if all.isComplete {
      rows[source.hex] = NotionCheckpoint.Rows(
        edited: stamp, digest: all.digest, asked: began, database: database.hex)
    }
  }

  mutating func enumerate(
    _ query: RowQuery
  ) async throws(AdapterError) -> (count: Int, digest: String, isComplete: Bool) {
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
    for value in unreadable + outcome.unreadable { self.unreadable.add(value) }
    if !outcome.isComplete {
      let reason = outcome.fault ?? "it has more rows of one minute than Notion returns"
      gaps.append(
        ListingGap(
          "some rows of database \(query.source) are unknown: \(reason)", isEssential: true))
    }
    return (outcome.count, digest.text, outcome.fault == nil)
  }
}
