package import ArchiverCore

/// The user of a token.
package struct FakeReadeckUser: Sendable {
  package var name = "reader"
  package var settings: JSONValue = ["lang": "en-US", "reader_settings": ["font": "lora"]]
}

extension FakeReadeck.Library {
  /// Whether a value of a filter has the type of Go's field.
  private static func isFilter(_ name: String, _ value: JSONValue) -> Bool {
    switch name {
    case "type", "read_status": value.array?.allSatisfy { $0.string != nil } == true
    case "is_marked", "is_archived", "is_loaded", "has_errors", "has_labels": value.bool != nil
    default: value.string != nil
    }
  }

  mutating func createCollection(_ exchange: FakeReadeckExchange) -> ServerResponse {
    guard let fields = FormPart.object(exchange.request)?.object else {
      return exchange.failure(400)
    }
    guard let name = fields["name"]?.string, !name.isEmpty, name.count <= 128 else {
      return exchange.invalid("name", "", "field is required")
    }
    let filters = fields.filter { $0.key != "name" && $0.key != "is_pinned" }
    guard filters.allSatisfy({ FakeReadeck.Library.isFilter($0.key, $0.value) }) else {
      return exchange.invalid("type", "", "invalid value")
    }
    let collection = FakeReadeck.Library.collection(name, newID(), filters, isPinned: false)
    collections.append((collection, tick()))
    var response = exchange.json("{\"status\":201,\"message\":\"Collection created\"}")
    response.status = 201
    response.headers["Location"] =
      "\(exchange.address)/api/bookmarks/collections/\(collection.id)"
    return response
  }

  mutating func pin(_ id: String, _ exchange: FakeReadeckExchange) -> ServerResponse {
    guard let index = collections.firstIndex(where: { $0.collection.id == id }) else {
      return exchange.failure(404)
    }
    collections[index].collection.isPinned =
      FormPart.object(exchange.request)?["is_pinned"] == .bool(true)
    return exchange.json("{}")
  }

  private static func collection(
    _ name: String, _ id: String, _ filters: [String: JSONValue], isPinned: Bool
  ) -> FakeReadeck.Collection {
    var collection = FakeReadeck.Collection(name, labels: filters["labels"]?.string ?? "")
    collection.id = id
    collection.isMarked = filters["is_marked"]?.bool
    collection.isArchived = filters["is_archived"]?.bool
    collection.others = filters
    collection.isPinned = isPinned
    return collection
  }
}

extension FakeReadeck.Library {
  /// `POST /profile/import`: replaces bookmarks, collections, tokens and settings by those of a file. `nil` for any other
  /// request. What the server's JSON decoder refuses fails the whole file: 200 with an empty body.
  mutating func importAccount(_ exchange: FakeReadeckExchange) -> ServerResponse? {
    let request = exchange.request
    guard request.method == "POST", exchange.route == ["profile", "import"] else { return nil }
    if let limit = behaviour.proxyBodyLimit, request.body.count > limit {
      return exchange.failure(413)
    }
    guard request.headers["Authorization"] == "Bearer \(behaviour.token)" else {
      return .redirect("\(behaviour.prefix)/login", status: 303)
    }
    guard behaviour.allowsEverything else { return exchange.page("Forbidden", status: 403) }
    let parts = FormPart.all(request)
    guard let check = parts.first(where: { $0.name == "check" }),
      String(decoding: check.content, as: UTF8.self) == user.name,
      let file = parts.first(where: { $0.name == "data" })
    else { return exchange.page("username does not match", status: 422) }
    guard let entries = behaviour.unzip(file.content), var copy = imported(entries) else {
      return ServerResponse(200)
    }
    // The token is gone.
    copy.behaviour.token = "a token made after the import"
    self = copy
    return .redirect("\(behaviour.prefix)/profile", status: 303)
  }

  private func imported(_ files: [String: [UInt8]]) -> FakeReadeck.Library? {
    func decoded<T: Decodable>(_ type: T.Type, _ name: String) -> T? {
      files[name].flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }
    guard let data = decoded(ExportedAccount.self, "data.json"), data.Users.count == 1 else {
      return nil
    }
    var copy = self
    (copy.entries, copy.order, copy.collections) = ([:], [], [])
    copy.user.settings = data.Users[0].Settings
    let owner = data.Users[0].ID
    for collection in data.BookmarkCollections where collection.UserID == owner {
      guard
        collection.Filters.allSatisfy({ FakeReadeck.Library.isFilter($0.key, $0.value) })
      else { return nil }
      copy.collections.append(
        (
          FakeReadeck.Library.collection(
            collection.Name, copy.newID(), collection.Filters, isPinned: collection.IsPinned),
          collection.Created.flatMap { ReadeckTime(parsing: $0) } ?? copy.tick()
        ))
    }
    for entry in data.Bookmarks where entry.UserID == owner {
      let folder = "bookmarks/\(entry.UID)"
      guard let info = decoded(ExportedBookmark.self, "\(folder)/info.json"),
        info.UserID == owner, let created = ReadeckTime(parsing: info.Created),
        let updated = ReadeckTime(parsing: info.Updated)
      else { return nil }
      let container = files.filter { $0.key.hasPrefix("\(folder)/container/") }
        .map { (String($0.key.dropFirst(folder.count + 11)), $0.value) }
      var bookmark = info.bookmark(Dictionary(uniqueKeysWithValues: container))
      bookmark.id = copy.newID()
      copy.order.append(bookmark.id)
      copy.entries[bookmark.id] = FakeReadeck.Entry(
        bookmark: bookmark, created: created, updated: updated)
    }
    return copy
  }
}

// The members have the names of the file's.
// swift-format-ignore: AlwaysUseLowerCamelCase
private struct ExportedAccount: Decodable {
  struct User: Decodable {
    let ID: Int
    let Settings: JSONValue
  }

  struct Collection: Decodable {
    let UserID: Int?
    let Name: String
    let IsPinned: Bool
    let Created: String?
    let Filters: [String: JSONValue]
  }

  struct Reference: Decodable {
    let UID: String
    let UserID: Int
  }

  let Users: [User]
  let BookmarkCollections: [Collection]
  let Bookmarks: [Reference]
}

// swift-format-ignore: AlwaysUseLowerCamelCase
private struct ExportedBookmark: Decodable {
  struct File: Decodable {
    let name: String
    let type: String
    let size: [Int]?
  }

  struct Link: Decodable {
    let url: String?
    let title: String?
    let is_page: Bool?
  }

  struct Mark: Decodable {
    let id: String
    let start_selector: String
    let start_offset: Int
    let end_offset: Int
    let color: String
    let text: String
    let note: String?
    let created: String?
  }

  /// Go fails without it.
  let UserID: Int
  let URL: String
  let Created: String
  let Updated: String
  let State: Int
  let Title: String
  let Site: String
  let SiteName: String
  let Published: String?
  let Authors: [String]?
  let Lang: String
  let TextDirection: String
  let DocumentType: String
  let Description: String
  let Text: String
  let WordCount: Int
  let Embed: String
  let Files: [String: File]
  let Errors: [String]?
  let Labels: [String]?
  let ReadProgress: Int
  let ReadAnchor: String
  let IsArchived: Bool
  let IsMarked: Bool
  let Annotations: [Mark]?
  let Links: [Link]?

  /// - Parameter container: The bookmark's files by their names.
  func bookmark(_ container: [String: [UInt8]]) -> FakeReadeck.Bookmark {
    var bookmark = FakeReadeck.Bookmark(url: URL, title: Title)
    bookmark.created = Created
    bookmark.site = Site
    bookmark.siteName = SiteName
    bookmark.published = Published ?? ""
    bookmark.authors = Authors
    bookmark.language = Lang
    bookmark.textDirection = TextDirection
    bookmark.documentType = DocumentType
    bookmark.type =
      switch DocumentType {
      case "video": "video"
      case "image", "photo": "photo"
      default: "article"
      }
    bookmark.description = Description
    bookmark.wordCount = WordCount
    bookmark.embed = Embed
    bookmark.errors = Errors ?? []
    bookmark.labels = Labels ?? []
    bookmark.readProgress = ReadProgress
    bookmark.isArchived = IsArchived
    bookmark.isMarked = IsMarked
    bookmark.state = FakeReadeck.Bookmark.State(rawValue: State) ?? .loaded
    if let article = Files["article"], let html = container[article.name] {
      bookmark.html = String(decoding: html, as: UTF8.self)
    }
    for (name, bytes) in container.sorted(by: { $0.key < $1.key })
    where name.hasPrefix("_resources/") {
      bookmark.resources.append(.init(String(name.dropFirst(11)), "image/gif", bytes))
    }
    bookmark.icon = picture("icon", container)
    bookmark.image = picture("image", container)
    bookmark.thumbnail = picture("thumbnail", container)
    bookmark.highlights = (Annotations ?? []).map { mark in
      var highlight = FakeReadeck.Bookmark.Highlight(
        mark.text, color: mark.color, note: mark.note ?? "")
      highlight.id = mark.id
      highlight.created = mark.created ?? ""
      return highlight
    }
    return bookmark
  }

  private func picture(
    _ kind: String, _ container: [String: [UInt8]]
  ) -> FakeReadeck.Bookmark.Picture? {
    guard let file = Files[kind], let bytes = container[file.name] else { return nil }
    return .init(
      String(file.name.dropFirst(4)), file.type, bytes, width: file.size?.first ?? 0,
      height: file.size?.last ?? 0)
  }
}
