import ArchiverCore

/// Requests facts that the directory does not have.
struct NotionLookup: Sendable {
  let client: NotionClient
  let directory: NotionDirectory

  /// Returns a page or database by its id; `nil`, also in later calls, if it is not shared. Throws
  /// if that cannot be determined.
  ///
  /// - Parameters:
  ///   - orTable: Whether it may be the id of a data source too.
  ///   - isPage: Whether it can only be a page.
  func object(
    _ id: NotionID, orTable: Bool = false, isPage: Bool = false
  ) async throws(AdapterError) -> NotionObject? {
    let tables = orTable && client.version.hasDataSources ? ["data_sources"] : []
    var odd: AdapterError?
    for kind in isPage ? ["pages"] : ["pages", "databases"] + tables {
      do throws(AdapterError) {
        let value = try await client.get([kind, id.dashed], about: "page \(id)")
        guard let object = NotionObject(value) else {
          odd = AdapterError(
            .malformed, "Notion's response for page \(id) is not a page object")
          continue
        }
        guard !value.isLinkedView else {
          directory.markLinkedView(id)
          continue
        }
        directory.learn(object)
        return object
      } catch {
        guard error.isRefusal else { throw error }
      }
    }
    // An object that cannot be parsed is not one that is not shared.
    if let odd { throw odd }
    directory.markUnshared(id)
    return nil
  }

  /// Returns the state of a page or database that the integration could read before; `nil` if
  /// Notion does not report it.
  ///
  /// Notion answers 404 both for objects that are no longer shared and for permanently deleted
  /// ones. Only what is in its trash counts as deleted.
  func standing(_ id: NotionID) async throws(AdapterError) -> ItemStanding? {
    var isRefused = false
    for kind in ["pages", "databases"] {
      do throws(AdapterError) {
        let value = try await client.get([kind, id.dashed], about: "page \(id)")
        guard let object = NotionObject(value) else { continue }
        directory.learn(object)
        return object.inTrash ? .gone : .available
      } catch {
        guard error.concernsOneObject else { throw error }
        if error.fault?.status == 404 || error.fault?.status == 403 { isRefused = true }
      }
    }
    return isRefused ? .withheld : nil
  }

  /// Returns the page or database of a parent: itself, or the one that contains a block.
  func owner(_ parent: NotionParent) async throws(AdapterError) -> NotionID? {
    var parent = parent
    for _ in 0..<400 {
      switch parent {
      case .page(let id), .database(let id): return id
      case .dataSource(let id, let database): return database ?? directory.database(of: id)
      case .workspace, .unknown, .other: return nil
      case .block(let id):
        guard let next = try await parentOfBlock(id) else { return nil }
        parent = next
      }
    }
    return nil
  }

  private func parentOfBlock(_ id: NotionID) async throws(AdapterError) -> NotionParent? {
    if let known = directory.parent(id) { return known }
    do throws(AdapterError) {
      let value = try await client.get(["blocks", id.dashed], about: "block \(id)")
      let parent = NotionParent(value["parent"])
      directory.setParent(parent, of: id)
      return parent
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }

  /// Returns the page of a comment; `nil` if it cannot be read.
  func page(ofComment id: NotionID) async throws(AdapterError) -> NotionID? {
    do throws(AdapterError) {
      let value = try await client.get(["comments", id.dashed], about: "comment \(id)")
      return try await owner(NotionParent(value["parent"]))
    } catch {
      // A comment whose page is unknown is shown without a link.
      guard error.concernsOneObject else { throw error }
      return nil
    }
  }

  /// Returns the ancestors of an object, outermost first.
  func path(_ object: NotionObject) async throws(AdapterError) -> [RenderContext.PathStep] {
    var steps: [RenderContext.PathStep] = []
    var parent = object.parent
    while steps.count < 50, let id = try await owner(parent) {
      guard !steps.contains(where: { $0.id == id }) else { break }
      if directory.known(id) == nil {
        do throws(AdapterError) {
          _ = try await self.object(id)
        } catch {
          guard error.concernsOneObject else { throw error }
          client.context.log(.info, "a title is unknown: \(error.message)")
        }
      }
      steps.append(.init(id: id, title: directory.known(id)?.title ?? ""))
      guard let next = directory.parent(id) else { break }
      parent = next
    }
    return steps.reversed()
  }

  /// The names of people, and why some are missing; `nil` if the list is complete or not permitted.
  typealias People = (names: [NotionID: String], fault: String?)

  /// Returns the names of the workspace's people; empty if the integration lacks the capability,
  /// which is a setting and not an error. Items that are fetched meanwhile wait for the same request.
  func users() async throws(AdapterError) -> People {
    while true {
      if let people = directory.people { return people }
      if directory.beginAskingForPeople() { break }
      do {
        try await Task.sleep(for: .milliseconds(5))
      } catch {
        throw AdapterError(.cancelled, "the request for people was cancelled", underlying: error)
      }
    }
    defer { directory.endAskingForPeople() }
    if let people = directory.people { return people }
    var names: [NotionID: String] = [:]
    var fault: String?
    var trail = PageTrail()
    do throws(AdapterError) {
      var goesOn = true
      while goesOn {
        let page = try await client.page(["users"], cursor: trail.cursor, about: "people")
        for user in page.results {
          if let id = NotionID(user["id"]), let name = user["name"]?.string { names[id] = name }
        }
        goesOn = trail.goesOn(after: page)
      }
      fault = trail.fault
    } catch {
      guard error.concernsOneObject else { throw error }
      if !error.isRefusal || trail.cursor != nil { fault = error.message }
      if directory.isFirstWarning("people") {
        client.context.log(.warning, "names of people are left out: \(error.message)")
      }
    }
    directory.keep(people: (names, fault))
    return (names, fault)
  }

  /// Returns the columns of a data source in the order of its first view; `nil` if it is not shared.
  func schema(_ source: NotionID) async throws(AdapterError) -> DataSourceSchema? {
    if let schema = directory.schema(source) { return schema }
    do throws(AdapterError) {
      let record = try await client.get(
        [client.version.tablePath, source.dashed], about: "database \(source)")
      guard var schema = DataSourceSchema(record) else {
        throw AdapterError(
          .malformed, "Notion's response for database \(source) has no columns")
      }
      let views = try await ViewReader(client: client).views([("data_source_id", source.dashed)])
      let first = views.records.lazy.compactMap { DatabaseView($0) }.first {
        $0.source == source && !$0.columns.isEmpty
      }
      if let first { schema.order(by: first) }
      directory.keep(schema)
      return schema
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }

  /// Returns the database of a linked view; `nil` if the block is not a linked view. Throws if its views
  /// cannot be read this time.
  func linkedView(_ block: NotionID) async throws(AdapterError) -> RenderContext.LinkedView? {
    var records = try await ViewReader(client: client).views([("database_id", block.dashed)])
    let views = records.decoded()
    guard let source = views.lazy.compactMap(\.source).first else {
      if let fault = records.missing.first(where: { !$0.isPermanent }) {
        throw AdapterError(
          .malformed, "the views of database \(block) could not be read: \(fault.reason)")
      }
      return nil
    }
    let schema = try await schema(source)
    return RenderContext.LinkedView(
      database: schema?.database ?? directory.database(of: source), title: schema?.title ?? "",
      views: views, isShared: schema != nil, missing: records.missing)
  }
}

extension NotionLookup {
  /// The database of a `child_database` block.
  enum BlockDatabase: Sendable {
    /// It has tables of its own.
    case own
    /// It is a view of another database, and has no tables of its own.
    case linkedView
    /// Notion does not return it: a view of another database, or one that is not shared.
    case refused(AdapterError)

    var mayBeView: Bool {
      if case .own = self { false } else { true }
    }
  }

  func database(ofBlock id: NotionID) async throws(AdapterError) -> BlockDatabase {
    guard client.version.hasDataSources, directory.known(id)?.isShared != true else { return .own }
    if directory.isLinkedView(id) { return .linkedView }
    do throws(AdapterError) {
      let value = try await client.get(["databases", id.dashed], about: "database \(id)")
      if value.isLinkedView {
        directory.markLinkedView(id)
        return .linkedView
      }
      if let object = NotionObject(value) { directory.learn(object) }
      return .own
    } catch {
      guard error.isRefusal else { throw error }
      return .refused(error)
    }
  }
}

extension JSONValue {
  /// Whether a database's response has no tables, so that it shows another database.
  fileprivate var isLinkedView: Bool {
    self["object"]?.string == "database" && self["data_sources"]?.array?.isEmpty == true
  }
}
