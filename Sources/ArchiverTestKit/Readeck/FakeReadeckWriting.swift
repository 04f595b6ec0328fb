import ArchiverCore

/// What the API for writing needs beside the bookmarks.
struct FakeReadeckWriting: Sendable {
  /// The requests that a new bookmark still takes until it is loaded.
  var loading: [String: Int] = [:]
  /// Places of highlights in the text, in code points, by their ids.
  var places: [String: Range<Int>] = [:]
  var fetched: [String] = []
}

extension FakeReadeck.Library {
  /// Answers a request that creates or changes a bookmark; `nil` for any other.
  mutating func write(_ exchange: FakeReadeckExchange) -> ServerResponse? {
    guard behaviour.allowsWriting, behaviour.outage == nil, !behaviour.isSomethingElse,
      exchange.request.headers["Authorization"] == "Bearer \(behaviour.token)",
      let route = exchange.route, route.starts(with: ["api", "bookmarks"])
    else { return nil }
    let rest = Array(route.dropFirst(2))
    switch (exchange.request.method, rest.count) {
    case ("POST", 0): return create(exchange)
    case ("POST", 1) where rest[0] == "collections": return createCollection(exchange)
    case ("PATCH", 2) where rest[0] == "collections": return pin(rest[1], exchange)
    case ("GET", 1):
      load(rest[0])
      return nil
    case ("PATCH", 1): return change(rest[0], exchange)
    case ("POST", 2) where rest[1] == "annotations": return highlight(rest[0], exchange)
    case ("DELETE", 3) where rest[1] == "annotations":
      entries[rest[0]]?.bookmark.highlights.removeAll { $0.id == rest[2] }
      return ServerResponse(204)
    default: return nil
    }
  }

  private mutating func load(_ id: String) {
    guard let count = writing.loading[id] else { return }
    writing.loading[id] = count > 1 ? count - 1 : nil
    if count <= 1 { entries[id]?.bookmark.state = .loaded }
  }

  private mutating func create(_ exchange: FakeReadeckExchange) -> ServerResponse {
    let parts = FormPart.all(exchange.request)
    func values(_ name: String) -> [String] {
      parts.filter { $0.name == name }.map { String(decoding: $0.content, as: UTF8.self) }
    }
    guard parts.count <= 1_000, let url = values("url").first, url.utf8.count <= 1_024,
      WebURL(url)?.absoluteString == url
    else { return exchange.invalid("url", "", "invalid URL") }
    var bookmark = FakeReadeck.Bookmark(url: url, title: values("title").first ?? "")
    bookmark.id = newID()
    bookmark.labels = values("labels")
    bookmark.state = .loading
    bookmark.site = WebURL(url)?.host ?? ""
    let resources = parts.filter { $0.name == "resource" }.compactMap(FormPart.Resource.init)
    extract(resources, values("feature_find_main").first == "false", &bookmark)
    let time = values("created").first.flatMap { ReadeckTime(parsing: $0) } ?? tick()
    entries[bookmark.id] = FakeReadeck.Entry(bookmark: bookmark, created: time, updated: tick())
    order.append(bookmark.id)
    writing.loading[bookmark.id] = behaviour.loadingRequests
    var response = exchange.json("{\"status\":202,\"message\":\"Link submited\"}")
    response.status = 202
    response.headers["Bookmark-Id"] = bookmark.id
    return response
  }

  /// Takes page, images and icon from the resources; what is missing there is fetched.
  private mutating func extract(
    _ resources: [FormPart.Resource], _ isWhole: Bool, _ bookmark: inout FakeReadeck.Bookmark
  ) {
    let known = Dictionary(resources.map { ($0.url, $0) }) { one, _ in one }
    func need(_ target: String) -> FormPart.Resource? {
      guard let url = WebURL(bookmark.url)?.resolving(target)?.absoluteString else { return nil }
      if known[url] == nil { writing.fetched.append(url) }
      return known[url]
    }
    guard let page = need(bookmark.url) else { return }
    let html = String(decoding: page.content, as: UTF8.self)
    bookmark.authors = FormPart.contents(html, "name=\"author\"")
    bookmark.siteName = FormPart.contents(html, "og:site_name").first ?? ""
    bookmark.description = FormPart.contents(html, "name=\"description\"").first ?? ""
    bookmark.published = FormPart.contents(html, "article:published_time").first ?? ""
    if FormPart.contents(html, "DC.type").first == "image" { bookmark.type = "photo" }
    if FormPart.contents(html, "og:type").first == "video.other" { bookmark.type = "video" }
    if let player = FormPart.contents(html, "og:video:url").first {
      bookmark.embed = "<iframe src=\"\(player)\"></iframe>"
    }
    bookmark.language = FormPart.values(html, "<html lang=\"").first ?? ""
    bookmark.textDirection = FormPart.values(html, "dir=\"").first ?? ""
    for target in FormPart.contents(html, "og:image") {
      if let file = need(target) {
        bookmark.image = .init("image.jpeg", file.type, file.content, width: 1, height: 1)
      }
    }
    _ = need(FormPart.values(html, "<link rel=\"icon\" href=\"").first ?? "/favicon.ico")
    var body = html.firstRange(of: "<body>").map { String(html[$0.upperBound...]) } ?? ""
    guard isWhole, !body.allSatisfy(\.isWhitespace) else { return }
    for link in FormPart.values(body, "href=\"") where link.hasPrefix("http") {
      _ = need(String(link.split(separator: "#")[0]))
    }
    for source in FormPart.values(body, "src=\"") {
      guard let file = need(source) else { continue }
      let name = "r\(bookmark.resources.count)"
      bookmark.resources.append(.init(name, file.type, file.content))
      body = body.replacing("src=\"\(source)\"", with: "src=\"./_resources/\(name)\"")
    }
    for name in ["class", "style"] {
      for value in FormPart.values(body, " \(name)=\"") {
        body = body.replacing(" \(name)=\"\(value)\"", with: "")
      }
    }
    body = body.replacing("<p></p>", with: "")
    body = body.replacing(" id=\"", with: " id=\"aB.cDeF.")
      .replacing("href=\"#", with: "href=\"#aB.cDeF.")
    bookmark.html = "<section>\(body)</section>"
  }

  private mutating func change(_ id: String, _ exchange: FakeReadeckExchange) -> ServerResponse {
    guard entries[id] != nil, let fields = FormPart.object(exchange.request) else {
      return exchange.failure(404)
    }
    // What is set before the extraction is overwritten by it.
    guard writing.loading[id] == nil else { return exchange.json("{}") }
    update(id) { bookmark in
      if let value = fields["title"]?.string { bookmark.title = value }
      if let value = fields["is_marked"] { bookmark.isMarked = value == .bool(true) }
      if let value = fields["is_archived"] { bookmark.isArchived = value == .bool(true) }
      if let value = fields["read_progress"]?.integer { bookmark.readProgress = value }
      if let value = fields["labels"]?.array { bookmark.labels = value.compactMap(\.string) }
    }
    guard behaviour.isAtLeast(0, 22) else { return exchange.json("{}") }
    update(id) { bookmark in
      if let value = fields["authors"]?.array { bookmark.authors = value.compactMap(\.string) }
      if let value = fields["site_name"]?.string { bookmark.siteName = value }
      if let value = fields["lang"]?.string { bookmark.language = value }
      if let value = fields["text_direction"]?.string { bookmark.textDirection = value }
      if let value = fields["description"]?.string { bookmark.description = value }
      if let value = fields["published"]?.string { bookmark.published = value }
    }
    return exchange.json("{}")
  }

  private mutating func update(_ id: String, _ change: (inout FakeReadeck.Bookmark) -> Void) {
    guard var entry = entries[id] else { return }
    change(&entry.bookmark)
    entry.updated = tick()
    entries[id] = entry
  }

  private mutating func highlight(_ id: String, _ exchange: FakeReadeckExchange) -> ServerResponse {
    guard writing.loading[id] == nil, var entry = entries[id],
      let fields = FormPart.object(exchange.request),
      fields["start_selector"] == "section", fields["end_selector"] == "section",
      let start = fields["start_offset"]?.integer, let end = fields["end_offset"]?.integer,
      let colour = fields["color"]?.string, colour.utf8.count <= 32,
      (fields["note"]?.string ?? "").count <= 1_024
    else { return exchange.failure(400) }
    let text = FormPart.text(entry.bookmark.html ?? "")
    let shift = behaviour.shiftsHighlights ? 1 : 0
    let place = start + shift..<end + shift
    let others = entry.bookmark.highlights.compactMap { writing.places[$0.id] }
    guard start >= 0, start < end, place.upperBound <= text.count,
      !others.contains(where: { $0.overlaps(place) })
    else { return exchange.failure(400) }
    var highlight = FakeReadeck.Bookmark.Highlight(
      String(String.UnicodeScalarView(text[place])), color: colour,
      note: behaviour.isAtLeast(0, 22) ? fields["note"]?.string ?? "" : "")
    highlight.id = newID()
    highlight.created = tick().text
    writing.places[highlight.id] = place
    entry.bookmark.highlights.append(highlight)
    entries[id] = entry
    var response = exchange.json(exchange.highlight(highlight, of: id))
    response.status = 201
    return response
  }
}

/// A part of `multipart/form-data`.
struct FormPart {
  let name: String
  let content: [UInt8]

  struct Resource {
    let url: String
    let type: String
    let content: [UInt8]

    /// Reads a file whose first line is JSON.
    init?(_ part: FormPart) {
      guard let end = part.content.firstIndex(of: 0x0A),
        let head = try? JSONDecoder().decode(JSONValue.self, from: Data(part.content[..<end])),
        let url = head["url"]?.string
      else { return nil }
      self.url = url
      type = head["headers"]?["Content-Type"]?.string ?? ""
      content = Array(part.content[(end + 1)...])
    }
  }

  static func all(_ request: ServerRequest) -> [FormPart] {
    guard let type = request.headers["Content-Type"],
      let boundary = type.split(separator: "boundary=").last, type.hasPrefix("multipart/form-data")
    else { return [] }
    return request.body.split(separator: Array("--\(boundary)".utf8)).compactMap { part in
      guard let gap = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let head = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
      guard let name = values(head, "name=\"").first else { return nil }
      return FormPart(name: name, content: Array(part[gap.upperBound...].dropLast(2)))
    }
  }

  static func object(_ request: ServerRequest) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: Data(request.body))
  }

  /// Returns what follows each occurrence of a text, to the next quotation mark.
  static func values(_ html: String, _ start: String) -> [String] {
    html.split(separator: start, omittingEmptySubsequences: false).dropFirst()
      .map { decoded(String($0.prefix { $0 != "\"" })) }
  }

  /// Returns the contents of `meta` elements with an attribute.
  static func contents(_ html: String, _ attribute: String) -> [String] {
    html.split(separator: "<meta ").filter { $0.prefix { $0 != ">" }.contains(attribute) }
      .flatMap { values(String($0.prefix { $0 != ">" }), "content=\"") }
  }

  /// Returns the text of HTML without its tags.
  static func text(_ html: String) -> [Unicode.Scalar] {
    var text = ""
    var isTag = false
    for character in html.unicodeScalars {
      switch character {
      case "<": isTag = true
      case ">": isTag = false
      default: if !isTag { text.unicodeScalars.append(character) }
      }
    }
    return Array(decoded(text).unicodeScalars)
  }

  private static func decoded(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }
}
