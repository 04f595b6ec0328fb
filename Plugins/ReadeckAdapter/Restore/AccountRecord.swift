import ArchiverCore

/// An account's collections and settings, which are archived besides its bookmarks.
struct AccountRecord {
  /// The records of `GET /api/bookmarks/collections`, in its order.
  var collections: [JSONValue] = []
  /// `user.settings` of `GET /api/profile`; `nil` if the token may not read them.
  var settings: JSONValue?
}

extension AccountRecord {
  /// Parses an object in the format of `json`. Without collections the list is empty; without
  /// settings they are `nil`.
  init(_ json: JSONValue) {
    collections = json["collections"]?.array ?? []
    settings = json["settings"].flatMap { $0.object == nil ? nil : $0 }
  }

  /// An object with `collections` and, if they are known, `settings`.
  var json: JSONValue {
    var members: [String: JSONValue] = ["collections": .array(collections)]
    if let settings { members["settings"] = settings }
    return .object(members)
  }

  /// Fetches the record.
  init(_ api: ReadeckAPI) async throws(AdapterError) {
    let (collections, faults): ([JSONValue], [String]) = try await api.all("bookmarks/collections")
    if let fault = faults.first {
      throw AdapterError(.malformed, "a collection cannot be read: \(fault)")
    }
    self.collections = collections
    settings = try await AccountRecord.settings(api)
  }

  /// Fetches the settings; `nil` if the token may not read them or the server has no profiles.
  private static func settings(_ api: ReadeckAPI) async throws(AdapterError) -> JSONValue? {
    do throws(AdapterError) {
      let profile: JSONValue = try await api.value("profile")
      return profile["user"]?["settings"].flatMap { $0.object == nil ? nil : $0 }
    } catch {
      guard [.notFound, .malformed, .unauthorized].contains(error.code) else { throw error }
      return nil
    }
  }
}

/// A saved filter, in the format of the API.
struct SavedFilter {
  /// The maximum length of a name in characters.
  static let nameLimit = 128
  // `note` exists since 0.22; the API's records lack it.
  private static let texts = [
    "search", "title", "author", "site", "labels", "note", "range_start", "range_end",
  ]
  private static let lists = ["type", "read_status"]
  private static let flags = ["is_marked", "is_archived", "is_loaded", "has_errors", "has_labels"]

  let name: String
  let isPinned: Bool
  /// The filters that are set, by their names in the API.
  let filters: [String: JSONValue]
  /// The time of creation in RFC 3339; `nil` if unknown.
  let created: String?
  /// The time of the last change in RFC 3339; `nil` if unknown.
  let updated: String?
  /// The number of filters that cannot be read.
  private(set) var unreadable = 0

  /// Reads a record; `nil` if it has no name.
  init?(_ record: JSONValue) {
    guard let name = record["name"]?.string, !name.isEmpty else { return nil }
    self.name = name
    isPinned = record["is_pinned"] == .bool(true)
    created = record["created"]?.string.flatMap { Timestamp($0)?.text }
    updated = record["updated"]?.string.flatMap { Timestamp($0)?.text }
    var filters: [String: JSONValue] = [:]
    var unreadable = 0
    for (keys, isValid) in SavedFilter.kinds {
      for key in keys {
        guard let value = record[key], value != .null, value != "", value != .array([]) else {
          continue
        }
        if isValid(value) { filters[key] = value } else { unreadable += 1 }
      }
    }
    self.filters = filters
    self.unreadable = unreadable
  }

  private static let kinds: [([String], @Sendable (JSONValue) -> Bool)] = [
    (texts, { $0.string != nil }), (flags, { $0.bool != nil }),
    (lists, { $0.array?.allSatisfy { $0.string != nil } == true }),
  ]

  /// Whether both filters select the same bookmarks under the same name.
  func isSame(as other: SavedFilter) -> Bool { name == other.name && filters == other.filters }
}
