import ArchiverCore

extension Discovery {
  /// Whether an object is below a root and not below something excluded.
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

  /// What the last listing found, for an object that has not changed since or that this one has not
  /// met; `nil` when it has to be looked up.
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

  /// Returns the database that a data source says it belongs to.
  static func container(_ source: NotionObject) -> NotionID? {
    if case .database(let id) = source.parent { return id }
    return nil
  }
}

extension NotionSettings {
  /// Whether nothing that is shared is left out.
  var takesEverything: Bool { roots.isEmpty && excluded.isEmpty }

  /// What a listing covers, as text to compare.
  var scope: String {
    let ids = roots.map(\.hex).sorted() + ["-"] + excluded.map(\.hex).sorted()
    return ([baseURL.absoluteString, version.rawValue, depth.rawValue] + ids).joined(separator: " ")
  }
}
