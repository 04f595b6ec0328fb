import ArchiverCore

extension FakeReadeckExchange {
  /// `GET /api/bookmarks/sync`.
  func syncList() -> ServerResponse {
    var since: ReadeckTime?
    if let text = request.parameter("since") {
      if behaviour.version.minor == 21, behaviour.runsOnSQLite { return failure(500) }
      since = ReadeckTime(parsing: text)
      if since == nil { return invalid("since", text, "\(text) is not a valid date") }
    }
    var entries = library.entries.values.map { ($0.bookmark.id, $0.updated, "update") }
    if let since {
      entries += library.deletions.map { ($0.id, $0.time, "delete") }
      entries.removeAll { $0.1 < since }
    }
    entries.sort { ($1.1, $1.0) < ($0.1, $0.0) }
    let text = JSONText.array(
      entries.map { id, time, type in
        behaviour.rewriteRecord(
          id, "{\"id\":\"\(id)\",\"time\":\"\(time.text)\",\"type\":\"\(type)\"}")
      })
    return json(text, headers: [("Etag", etag(text))])
  }

  /// `POST /api/bookmarks/sync`.
  func syncContent() -> ServerResponse {
    let order: JSONValue
    do {
      order = try JSONDecoder().decode(JSONValue.self, from: Data(request.body))
    } catch {
      return invalid("id", "", "not JSON")
    }
    let asked = (order["id"]?.array ?? []).compactMap(\.string)
    let ids = (asked.isEmpty ? library.order.reversed() : asked).filter {
      library.entries[$0] != nil && !behaviour.syncLeavesOut.contains($0)
    }
    let boundary = "8f265214c62a37d228e9b5d09fcc3b49edd9594bc81735573e6de79a38fc"
    var chunks: [[UInt8]] = []
    var isBroken = false
    for (index, id) in ids.enumerated() {
      guard let entry = library.entries[id] else { continue }
      let cannotPack = order["with_resources"]?.bool == true && entry.bookmark.state == .loading
      if cannotPack || index == behaviour.syncBreaksAfter {
        isBroken = true
        break
      }
      chunks += parts(of: entry, order).map { part in
        Array("--\(boundary)\r\n".utf8) + part + Array("\r\n".utf8)
      }
    }
    chunks.append(Array("--\(boundary)--\r\n".utf8))
    if isBroken {
      chunks.append(Array("{\"status\":500,\"message\":\"Internal Server Error\"}".utf8))
    }
    return ServerResponse(
      200,
      headers: [
        "Cache-Control": "private", "Content-Type": "multipart/mixed; boundary=\"\(boundary)\"",
      ], body: .stream(chunks))
  }

  private func parts(of entry: FakeReadeck.Entry, _ order: JSONValue) -> [[UInt8]] {
    let bookmark = entry.bookmark
    var parts: [[UInt8]] = []
    if order["with_json"]?.bool == true {
      let text = record(entry, isDetail: true)
      parts.append(head(entry, "json", "application/json", "info.json", "") + text.utf8)
    }
    if order["with_html"]?.bool == true, bookmark.html != nil, bookmark.state != .loading {
      let html = article(
        bookmark, resources: prefix(bookmark.id, order), bareMarks: true)
      parts.append(head(entry, "html", "text/html", "index.html", "/article") + html.utf8)
    }
    if order["with_resources"]?.bool == true {
      for resource in bookmark.resources {
        parts.append(
          Array(
            ("Bookmark-Id: \(bookmark.id)\r\nContent-Length: \(resource.bytes.count)\r\n"
              + "Content-Type: \(resource.mediaType)\r\nFilename: \(resource.name)\r\n"
              + "Group: embedded\r\nPath: \(prefix(bookmark.id, order))\(resource.name)\r\n"
              + "Type: resource\r\n\r\n").utf8) + resource.bytes)
      }
    }
    return parts
  }

  private func head(
    _ entry: FakeReadeck.Entry, _ type: String, _ mediaType: String, _ name: String,
    _ tail: String
  ) -> [UInt8] {
    let id = entry.bookmark.id
    return Array(
      ("Bookmark-Id: \(id)\r\nContent-Disposition: attachment; filename=\"\(name)\"\r\n"
        + "Content-Type: \(mediaType); charset=utf-8\r\nDate: \(entry.created.wholeSeconds)\r\n"
        + "Filename: \(name)\r\nLast-Modified: \(entry.updated.wholeSeconds)\r\n"
        + "Location: \(address)/api/bookmarks/\(id)\(tail)\r\nType: \(type)\r\n\r\n").utf8)
  }

  /// Returns the prefix of file names requested by `resource_prefix`.
  private func prefix(_ id: String, _ order: JSONValue) -> String {
    switch order["resource_prefix"]?.string ?? "." {
    case "": "\(folder(id))/_resources/"
    case ".": ""
    case let prefix: prefix.replacing("%", with: id) + "/"
    }
  }
}
