import ArchiverCore

extension Discovery {
  /// Whether an object is below a root and not below an excluded object.
  func isInScope(_ id: NotionID) async throws(AdapterError) -> Bool {
    guard !settings.takesEverything else { return true }
    var isBelowRoot = settings.roots.isEmpty
    var next: NotionID? = id
    for _ in 0..<200 {
      guard let current = next else { break }
      if settings.excluded.contains(current) { return false }
      if settings.roots.contains(current) { isBelowRoot = true }
      if let known = wasInScope(current) { return known }
      let parent = found[current]?.parent ?? lookup.directory.parent(current) ?? .other
      if case .dataSource(let source, _) = parent {
        if settings.excluded.contains(source) { return false }
        if settings.roots.contains(source) { isBelowRoot = true }
      }
      next = try await lookup.owner(parent)
    }
    return isBelowRoot
  }

  /// Returns the last listing's result for an object that is unchanged or was not found this time;
  /// `nil` if it has to be looked up.
  private func wasInScope(_ id: NotionID) -> Bool? {
    guard previous != nil, let entry = remembered[id] else { return nil }
    if let item = found[id], !assumed.contains(id) {
      guard !item.isDatabase, entry.minute == KnownItems.minute(item.edited) else { return nil }
    } else if lookup.directory.parent(id) != nil {
      return nil
    }
    return !entry.isOutside
  }
}

extension NotionParent {
  /// The table of a row; `nil` if it is not a row.
  var table: NotionID? {
    switch self {
    case .dataSource(let id, _), .database(let id): id
    case .workspace, .page, .block, .unknown, .other: nil
    }
  }
}

extension NotionDirectory {
  /// Returns the database of a row; `nil` if it is not a row.
  func database(around parent: NotionParent) -> NotionID? {
    switch parent {
    case .dataSource(let source, let database): database ?? self.database(of: source)
    case .database(let id): id
    case .workspace, .page, .block, .unknown, .other: nil
    }
  }

  /// Returns the database that a data source names as its container.
  static func container(_ source: NotionObject) -> NotionID? {
    if case .database(let id) = source.parent { return id }
    return nil
  }
}

extension NotionSettings {
  /// Whether everything shared is in the scope.
  var takesEverything: Bool { roots.isEmpty && excluded.isEmpty }

  /// The scope as text, for comparison.
  var scope: String {
    let ids = roots.map(\.hex).sorted() + ["-"] + excluded.map(\.hex).sorted()
    return ([baseURL.absoluteString, version.rawValue, depth.rawValue] + ids).joined(separator: " ")
  }
}
