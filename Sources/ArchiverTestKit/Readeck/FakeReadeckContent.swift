import ArchiverCore

extension FakeReadeckExchange {
  /// `GET /api/bookmarks/ID` and its subresources.
  func bookmark(_ id: String, _ route: [String]) -> ServerResponse {
    guard (18...22).contains(id.utf8.count), let entry = library.entries[id] else {
      return failure(404)
    }
    switch route {
    case []: return detail(entry)
    case ["article"]: return article(entry)
    case ["annotations"]:
      let texts = entry.bookmark.highlights.map { highlight($0, of: id) }
      return described(json(JSONText.array(texts)), entry)
    case ["x", "index.html"]: return storedPage(entry)
    case ["x", "props.json"]: return json("{}")
    case ["x", "log"]: return .text("loaded\n")
    default:
      guard route.count == 3, route[0] == "x", route[1] == "_resources" else { return failure(404) }
      return file([String(id.prefix(2)), id, "_resources", route[2]])
    }
  }

  private func detail(_ entry: FakeReadeck.Entry) -> ServerResponse {
    let text = record(entry, isDetail: true, withErrors: true)
    return described(json(text, headers: [("Etag", etag(text))]), entry)
  }

  /// Fails without a message while the page is being extracted, and is empty without an article.
  private func article(_ entry: FakeReadeck.Entry) -> ServerResponse {
    guard entry.bookmark.state != .loading else { return ServerResponse(500) }
    let folder = "\(folder(entry.bookmark.id))/_resources/"
    let html = article(entry.bookmark, resources: folder, bareMarks: false)
    var response = described(.text(html, type: "text/html; charset=utf-8"), entry)
    for resource in entry.bookmark.resources {
      response.headers.append("Link", "<\(folder)\(resource.name)>; rel=\"media\"")
    }
    let size = response.headers.fields.reduce(1000) {
      $0 + $1.name.utf8.count + $1.value.utf8.count + 4
    }
    if let limit = behaviour.proxyHeaderLimit, size > limit {
      return page("502 Bad Gateway", status: 502)
    }
    return response
  }

  private func storedPage(_ entry: FakeReadeck.Entry) -> ServerResponse {
    guard let html = entry.bookmark.html, entry.bookmark.state != .loading else {
      return failure(404)
    }
    return .text(
      "<!DOCTYPE html>\n<html><head></head><body>\(html)</body></html>",
      type: "text/html; charset=utf-8")
  }

  private func described(
    _ response: ServerResponse, _ entry: FakeReadeck.Entry
  ) -> ServerResponse {
    var response = response
    let id = entry.bookmark.id
    response.headers["Bookmark-Id"] = id
    if entry.bookmark.state != .loading {
      response.headers["Last-Modified"] = entry.updated.httpDate
    }
    response.headers.append(
      "Link", "<\(address)/bookmarks/\(id)>; rel=\"alternate\"; type=\"text/html\"")
    return response
  }

  /// `GET /bm/AB/ID/_resources/NAME` and `/bm/AB/ID/img/NAME`, which need no token.
  func file(_ route: [String]) -> ServerResponse {
    guard request.method == "GET" else { return failure(405) }
    guard route.count == 4, let entry = library.entries[route[1]],
      let (type, bytes) = content(entry.bookmark, folder: route[2], name: route[3])
    else { return failure(404) }
    let headers: HTTPHeaders = [
      "Cache-Control": "public, max-age=31536000", "Last-Modified": entry.created.httpDate,
    ]
    if request.headers["If-Modified-Since"] == entry.created.httpDate {
      return ServerResponse(304, headers: headers)
    }
    var response = ServerResponse.data(bytes, type: type, headers: headers)
    if behaviour.deflatesSVG, type == "image/svg+xml",
      request.headers["Accept-Encoding"]?.contains("deflate") == true
    {
      response.headers["Content-Encoding"] = "deflate"
      response.body = .bytes(FakeReadeckExchange.deflated(bytes))
    }
    return response
  }

  private func content(
    _ bookmark: FakeReadeck.Bookmark, folder: String, name: String
  ) -> (String, [UInt8])? {
    if folder == "_resources" {
      return bookmark.resources.first { $0.name == name }.map { ($0.mediaType, $0.bytes) }
    }
    return [bookmark.icon, bookmark.image, bookmark.thumbnail].compactMap(\.self)
      .first { $0.name == name }.map { ($0.mediaType, $0.bytes) }
  }

  /// Raw deflate (RFC 1951) in stored blocks, without zlib's header.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let low = UInt8(block.count & 255)
      let high = UInt8(block.count >> 8)
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    return result
  }
}
