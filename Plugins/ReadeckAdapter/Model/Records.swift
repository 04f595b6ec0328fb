import ArchiverCore

/// An entry of `GET /api/bookmarks/sync`, as decoded; `SyncEntries` stores them.
struct SyncEntry: Sendable, Decodable {
  let id: String
  let time: Timestamp
  let isDeletion: Bool

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    time = try container.decode(Timestamp.self, forKey: .time)
    isDeletion = container.lenient(.type) == "delete"
  }

  private enum Key: String, CodingKey { case id, time, type }
}

/// A highlight, from a bookmark's list or the list of all highlights.
struct Highlight: Sendable, Decodable {
  let id: String
  /// The id of the bookmark; present in the list of all highlights only.
  let bookmarkID: String?
  let text: String
  let color: String?
  let note: String?
  let created: Timestamp?
  let start: Annotation.Position?
  let end: Annotation.Position?
  /// Whether the record has a position that cannot be read.
  let hasUnreadablePlace: Bool
  /// The members besides the position that have a value of a wrong type.
  let unreadable: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    bookmarkID = container.lenient(.bookmarkID)
    var members = MemberReader(container)
    text = members.value(.text) ?? ""
    color = members.value(.color)
    note = members.value(.note)
    created = members.value(.created)
    unreadable = members.unreadable
    start = container.position(.startSelector, .startOffset)
    end = container.position(.endSelector, .endOffset)
    hasUnreadablePlace =
      start == nil && container.contains(.startSelector)
      || end == nil && container.contains(.endSelector)
  }

  fileprivate enum Key: String, CodingKey {
    case id, text, color, note, created
    case bookmarkID = "bookmark_id"
    case startSelector = "start_selector"
    case startOffset = "start_offset"
    case endSelector = "end_selector"
    case endOffset = "end_offset"
  }
}

extension KeyedDecodingContainer<Highlight.Key> {
  /// Returns a position; `nil` if it is absent or cannot be read.
  fileprivate func position(_ selector: Key, _ offset: Key) -> Annotation.Position? {
    guard let selector: String = lenient(selector),
      let offset: Int = lenient(offset)
    else { return nil }
    return Annotation.Position(selector: selector, offset: offset)
  }
}

/// A saved filter with a name. Its `href` is wrong on the server's side and not used.
struct BookmarkCollection: Sendable, Decodable {
  let id: String
  let name: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    name = container.lenient(.name) ?? ""
  }

  private enum Key: String, CodingKey { case id, name }
}

/// The response of `GET /api/info`, which exists since 0.20.
struct ServerInfo: Sendable, Decodable {
  struct Version: Sendable, Decodable {
    let canonical: String
  }

  let version: Version
}

/// The response of `GET /api/profile`: the account of the token.
struct Profile: Sendable, Decodable {
  let account: SourceAccount?

  init(from decoder: any Decoder) throws {
    let user = try decoder.container(keyedBy: Key.self)
      .nestedContainer(keyedBy: Key.self, forKey: .user)
    let name: String? = user.lenient(.username)
    // A user name may change. The time of creation stays, and differs between servers.
    let created: String? = user.lenient(.created)
    account = (created ?? name).map { SourceAccount(id: $0, name: name ?? $0) }
  }

  private enum Key: String, CodingKey { case user, username, created }
}
