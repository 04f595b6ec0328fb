import ArchiverCore

extension FakeReadeckExchange {
  /// `GET /api/bookmarks`.
  func list() -> ServerResponse {
    if let fault = formFault() { return fault }
    let id = request.parameter("collection")
    let collection = library.collections.first { $0.collection.id == id }?.collection
    guard id == nil || collection != nil else { return failure(404) }
    return paged(selected(collection), "bookmarks", standard: 50) { record($0, isDetail: false) }
  }

  /// `GET /api/bookmarks/annotations`.
  func allHighlights() -> ServerResponse {
    let all = library.order.reversed().flatMap { id in
      (library.entries[id]?.bookmark).map { bookmark in
        bookmark.highlights.map { (bookmark, $0) }
      } ?? []
    }
    return paged(all, "bookmarks/annotations", standard: 50) { bookmark, highlight in
      let href = "\(address)/api/bookmarks/\(bookmark.id)"
      return JSONText.object([
        ("id", JSONText.string(highlight.id)),
        ("href", JSONText.string("\(href)/annotations/\(highlight.id)")),
        ("text", JSONText.string(highlight.text)),
        ("created", JSONText.string(highlight.created)),
        ("color", JSONText.string(highlight.color)), ("note", JSONText.string(highlight.note)),
        ("bookmark_id", JSONText.string(bookmark.id)), ("bookmark_href", JSONText.string(href)),
        ("bookmark_url", JSONText.string(bookmark.url)),
        ("bookmark_title", JSONText.string(bookmark.title)),
        ("bookmark_site_name", JSONText.string(bookmark.siteName)),
      ])
    }
  }

  /// `GET /api/bookmarks/collections`; `href` is wrong as in Readeck.
  func collections(_ route: [String]) -> ServerResponse {
    func record(_ collection: FakeReadeck.Collection, _ time: ReadeckTime) -> String {
      var members: [(String, String?)] = [
        ("id", JSONText.string(collection.id)),
        ("href", JSONText.string("\(address)/api/collections/\(collection.id)")),
        ("created", JSONText.string(time.text)), ("updated", JSONText.string(time.text)),
        ("name", JSONText.string(collection.name)), ("is_pinned", "\(collection.isPinned)"),
        ("is_deleted", "false"), ("search", "\"\""), ("title", "\"\""), ("author", "\"\""),
        ("site", "\"\""), ("type", "null"), ("labels", JSONText.string(collection.labels)),
        ("read_status", "null"), ("is_marked", collection.isMarked.map { "\($0)" } ?? "null"),
        ("is_archived", collection.isArchived.map { "\($0)" } ?? "null"), ("is_loaded", "null"),
        ("has_errors", "null"), ("has_labels", "null"), ("range_start", "\"\""),
        ("range_end", "\"\""),
      ]
      for (index, member) in members.enumerated() {
        guard let value = collection.others[member.0] else { continue }
        members[index].1 = (try? JSONEncoder().encode(value)).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      return JSONText.object(members)
    }
    if let id = route.first {
      guard let match = library.collections.first(where: { $0.collection.id == id }) else {
        return failure(404)
      }
      return json(record(match.collection, match.time))
    }
    return paged(library.collections, "bookmarks/collections", standard: 30) {
      record($0.collection, $0.time)
    }
  }

  /// `GET /api/bookmarks/labels`.
  func labels() -> ServerResponse {
    let all = library.entries.values.flatMap(\.bookmark.labels)
    let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
    return json(
      JSONText.array(
        counts.map { name, count in
          let encoded = WebURL.percentEncoded(name)
          let href = "\(address)/api/bookmarks"
          return JSONText.object([
            ("name", JSONText.string(name)), ("count", "\(count)"),
            ("href", JSONText.string("\(href)/labels?name=\(encoded)")),
            ("href_bookmarks", JSONText.string("\(href)?labels=%22\(encoded)%22")),
          ])
        }))
  }

  /// Returns one page of a list with its headers.
  private func paged<T>(
    _ all: [T], _ path: String, standard: Int, _ record: (T) -> String
  ) -> ServerResponse {
    let asked = request.parameter("limit").map { Int($0) ?? -1 } ?? 0
    let offset = request.parameter("offset").map { Int($0) ?? -1 } ?? 0
    guard (0...100).contains(asked), offset >= 0 else { return failure(404) }
    let limit = asked == 0 ? standard : asked
    let text = JSONText.array(all.dropFirst(offset).prefix(limit).map(record))
    var headers = [
      ("Current-Page", "\(offset / limit + 1)"), ("Total-Count", "\(all.count)"),
      ("Total-Pages", "\((all.count + limit - 1) / limit)"), ("Etag", etag(text)),
    ]
    let last = max(0, (all.count - 1) / limit * limit)
    var links = [("first", 0)]
    if all.count > limit { links.append(("last", last)) }
    if offset + limit < all.count { links.insert(("next", offset + limit), at: 0) }
    if offset > 0 { links.insert(("previous", max(0, offset - limit)), at: 0) }
    for (relation, offset) in links {
      let target = "<\(address)/api/\(path)?limit=\(limit)&offset=\(offset)>"
      headers.append(("Link", "\(target); rel=\"\(relation)\""))
    }
    return json(text, headers: headers)
  }

  /// Returns an ETag without quotation marks, as sent by Readeck.
  func etag(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16) + behaviour.etagSuffix
  }

  private func formFault() -> ServerResponse? {
    for type in request.parameters("type") where !["article", "photo", "video"].contains(type) {
      return invalid("type", type, "\(type) is not one of article, photo, video")
    }
    for name in ["range_start", "range_end"] {
      guard let value = request.parameter(name),
        FakeReadeckFilter.range(value, now: library.now) == nil
      else { continue }
      return invalid(name, value, "\(value) is not a valid date")
    }
    return nil
  }

  private func selected(_ collection: FakeReadeck.Collection?) -> [FakeReadeck.Entry] {
    let filter = FakeReadeckFilter(request, behaviour, collection, now: library.now)
    let wanted = request.parameters("id")
    let ids = wanted.isEmpty ? library.order.reversed() : wanted
    let matches = ids.compactMap { library.entries[$0] }.filter(filter.matches)
    switch request.parameter("sort") {
    case "created": return matches.sorted { $0.created < $1.created }
    case "title": return matches.sorted { $0.bookmark.title < $1.bookmark.title }
    case "-title": return matches.sorted { $0.bookmark.title > $1.bookmark.title }
    default: return matches
    }
  }
}
