import ArchiverCore

extension ReadeckRestoration {
  /// Adds the collections of a record. The account's settings stay unchanged.
  func add(accountRecord: JSONValue, isDry: Bool) async throws(AdapterError) -> AddedParts {
    let path = "bookmarks/collections"
    let (records, _): ([JSONValue], [String]) = try await api.all(path)
    var known = records.compactMap { SavedFilter($0) }
    var result = AddedParts()
    for record in AccountRecord(accountRecord).collections {
      guard let filter = SavedFilter(record), filter.name.count <= SavedFilter.nameLimit else {
        result.losses.append("collection")
        continue
      }
      result.losses += Array(repeating: "filter of a collection", count: filter.unreadable)
      if known.contains(where: { $0.isSame(as: filter) }) {
        result.present += 1
        continue
      }
      known.append(filter)
      if isDry {
        result.added += 1
      } else if let losses = try await add(filter, path) {
        result.added += 1
        result.losses += losses
      } else {
        result.losses.append("collection")
      }
    }
    return result
  }

  /// Creates a collection. Returns a word for each part that is lost; `nil` if the server refuses the collection.
  private func add(_ filter: SavedFilter, _ path: String) async throws(AdapterError) -> [String]? {
    var body = filter.filters
    body["name"] = .string(filter.name)
    let answer: HTTPResponse
    do throws(AdapterError) {
      answer = try await api.write(.post, path, .object(body))
    } catch {
      // 400 and 422: the server does not accept the name or a filter.
      guard error.code == .configuration else { throw error }
      return nil
    }
    guard filter.isPinned else { return [] }
    // The server does not pin a new collection, whatever the request says.
    guard let id = answer.headers["Location"]?.split(separator: "/").last else {
      return ["pin of a collection"]
    }
    _ = try await api.write(.patch, "\(path)/\(id)", ["is_pinned": true])
    return []
  }
}
