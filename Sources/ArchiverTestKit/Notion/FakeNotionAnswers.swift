import ArchiverCore

extension FakeNotion.Workspace {
  /// Answers a request to the API.
  mutating func answer(_ request: ServerRequest) -> ServerResponse {
    guard request.headers["Authorization"] == "Bearer \(behaviour.token)" else {
      return FakeNotion.error(401, "unauthorized", "API token is invalid.")
    }
    guard request.headers["Notion-Version"] != nil else {
      return FakeNotion.error(
        400, "missing_version", "Notion-Version header failed validation.")
    }
    let path = Array(request.segments.dropFirst())
    let id = path.count > 1 ? path[1].filter { $0 != "-" } : ""
    switch (request.method, path.first, path.count) {
    case ("POST", "search", 1): return search(request)
    case ("GET", "pages", 2): return page(id, request)
    case ("GET", "pages", 4): return property(path[3], of: id, request)
    case ("GET", "databases", 2): return one(databases, id, "database")
    case ("GET", "data_sources", 2): return one(sources, id, "data source")
    case ("POST", "data_sources", 3): return query(id, request)
    case ("GET", "blocks", 2): return one(blocks, id, "block")
    case ("GET", "blocks", 3): return blocks(of: id, request)
    case ("GET", "views", 1): return views(request)
    case ("GET", "views", 2): return one(views, id, "view")
    case ("POST", "views", 3), ("GET", "views", 4): return viewRows(id, request)
    case ("GET", "comments", 1): return comments(request)
    case ("GET", "comments", 2):
      let all = comments.values.joined().first { $0["id"]?.string == FakeNotion.dashed(id) }
      return all.map { .json($0.text) } ?? FakeNotion.notFound("comment", id)
    case ("GET", "users", 1):
      guard behaviour.mayReadUsers else { return FakeNotion.Workspace.restricted }
      return list(users.map(\.text), request, type: "user")
    default: return FakeNotion.error(400, "invalid_request_url", "Invalid request URL.")
    }
  }

  private static let restricted = FakeNotion.error(
    403, "restricted_resource", "Insufficient permissions for this endpoint.")

  private func one(
    _ records: [String: FakeNotion.Record], _ id: String, _ kind: String
  ) -> ServerResponse {
    guard let record = records[id], record.isShared else { return FakeNotion.notFound(kind, id) }
    return .json(signed(record.text))
  }

  private func page(_ id: String, _ request: ServerRequest) -> ServerResponse {
    guard let record = pages[id], record.isShared else { return FakeNotion.notFound("page", id) }
    return .json(signed(shortened(record)))
  }

  /// Returns the page with no more references per property than Notion returns.
  private func shortened(_ record: FakeNotion.Record) -> String {
    guard case .object(var members) = record.value,
      case .object(var properties)? = members["properties"]
    else { return record.text }
    var isCut = false
    for (name, property) in properties {
      guard case .object(var fields) = property else { continue }
      let type = fields["people"] == nil ? "relation" : "people"
      guard let references = fields[type]?.array, references.count > behaviour.referenceLimit
      else { continue }
      fields[type] = .array(Array(references.prefix(behaviour.referenceLimit)))
      // Notion sends this for relations only.
      if type == "relation" { fields["has_more"] = true }
      properties[name] = .object(fields)
      isCut = true
    }
    guard isCut else { return record.text }
    members["properties"] = .object(properties)
    return JSONValue.object(members).text
  }

  private func property(_ property: String, of id: String, _ request: ServerRequest)
    -> ServerResponse
  {
    let encoded = WebURL.percentEncoded(property)
    let found = pages[id]?.value["properties"]?.object?.values.first {
      $0["id"]?.string == encoded
    }
    guard let found, let type = found["type"]?.string else {
      return FakeNotion.notFound("property", id)
    }
    guard let elements = found[type]?.array, type != "files", type != "multi_select" else {
      return .json(found.text)
    }
    let items = elements.map { element -> String in
      JSONValue.object([
        "object": "property_item", "type": .string(type), "id": .string(property), type: element,
      ]).text
    }
    return list(items, request, type: "property_item")
  }

  private func search(_ request: ServerRequest) -> ServerResponse {
    let body = request.json
    let kind = body["filter"]?["value"]?.string
    let wantsTrash = body["filter"]?["in_trash"]?.bool ?? false
    var records: [FakeNotion.Record] = []
    if kind != "data_source" { records += pages.values }
    if kind != "page" { records += sources.values }
    records = records.filter { $0.isShared && $0.isFound && $0.inTrash == wantsTrash }
    records.sort { ($0.edited, $0.text) > ($1.edited, $1.text) }
    if body["sort"]?["direction"]?.string == "ascending" { records.reverse() }
    if let limit = behaviour.searchPages, let cursor = body["start_cursor"]?.string,
      (Int(cursor.dropFirst(2), radix: 16) ?? 0) >= limit * 100
    {
      return FakeNotion.error(
        400, "validation_error", "The start_cursor provided is invalid: \(cursor).")
    }
    return list(records.map(shortened), request, type: "page_or_data_source")
  }

  private func query(_ id: String, _ request: ServerRequest) -> ServerResponse {
    guard let source = sources[id], source.isShared else {
      return FakeNotion.notFound("data source", id)
    }
    let conditions = request.json["filter"].map { $0["and"]?.array ?? [$0] } ?? []
    var records = (rows[id] ?? []).compactMap { pages[$0] }.filter { !$0.inTrash && $0.isShared }
    for condition in conditions {
      let field = condition["timestamp"]?.string ?? ""
      let start = String((condition[field]?["on_or_after"]?.string ?? "").prefix(16))
      records = records.filter {
        (field == "created_time" ? $0.created : $0.edited).prefix(16) >= start
      }
    }
    let isCut = records.count > behaviour.rowLimit
    return list(
      records.prefix(behaviour.rowLimit), request, type: "page_or_data_source", isCut: isCut
    ) { shortened($0) }
  }

  private func blocks(of id: String, _ request: ServerRequest) -> ServerResponse {
    guard let blocks = children[id], pages[id]?.isShared ?? true else {
      return FakeNotion.notFound("block", id)
    }
    let size = request.parameter("page_size").flatMap { Int($0) } ?? 100
    if let limit = behaviour.slowAbove, size > limit { return FakeNotion.tooSlow }
    return list(blocks, request, type: "block")
  }

  private func views(_ request: ServerRequest) -> ServerResponse {
    guard behaviour.hasViews else { return FakeNotion.Workspace.restricted }
    let ids: [String]
    if let database = request.parameter("database_id") {
      guard let order = viewOrder[database.filter { $0 != "-" }] else {
        return FakeNotion.notFound("database", database)
      }
      ids = order
    } else {
      let source = (request.parameter("data_source_id") ?? "").filter { $0 != "-" }
      ids = views.filter {
        $0.value.value["data_source_id"]?.string?.filter { $0 != "-" } == source
      }
      .map(\.key).sorted()
    }
    let items = ids.map {
      JSONValue.object(["object": "view", "id": .string(FakeNotion.dashed($0))]).text
    }
    return list(items, request, type: "view")
  }

  private func viewRows(_ id: String, _ request: ServerRequest) -> ServerResponse {
    guard let view = views[id] else { return FakeNotion.notFound("view", id) }
    let source = view.value["data_source_id"]?.string?.filter { $0 != "-" } ?? ""
    let items = (viewRows[id] ?? rows[source] ?? []).map {
      JSONValue.object(["object": "page", "id": .string(FakeNotion.dashed($0))]).text
    }
    return list(items, request, type: "page", id: FakeNotion.dashed(id))
  }

  private func comments(_ request: ServerRequest) -> ServerResponse {
    guard behaviour.mayReadComments else { return FakeNotion.Workspace.restricted }
    let id = (request.parameter("block_id") ?? "").filter { $0 != "-" }
    return list((comments[id] ?? []).map(\.text), request, type: "comment")
  }

  private func list(
    _ items: [String], _ request: ServerRequest, type: String, id: String? = nil
  ) -> ServerResponse {
    list(items[...], request, type: type, id: id) { $0 }
  }

  /// Returns a page of a list; cursors are encoded offsets.
  private func list<Item>(
    _ items: ArraySlice<Item>, _ request: ServerRequest, type: String, id: String? = nil,
    isCut: Bool = false, text: (Item) -> String
  ) -> ServerResponse {
    let body = request.method == "POST" ? request.json : .null
    let cursor = body["start_cursor"]?.string ?? request.parameter("start_cursor")
    let size =
      body["page_size"]?.integer ?? request.parameter("page_size").flatMap { Int($0) } ?? 100
    let start = cursor.flatMap { Int($0.dropFirst(2), radix: 16) } ?? 0
    let page = items.dropFirst(start).prefix(min(size, 100))
    let end = start + page.count
    let hasMore = end < items.count
    var response = "{\"object\":\"list\",\"type\":\"\(type)\",\"results\":["
    response += page.map(text).joined(separator: ",")
    response += "],\"has_more\":\(hasMore)"
    response += ",\"next_cursor\":" + (hasMore ? "\"s:\(String(end, radix: 16))\"" : "null")
    if let id { response += ",\"id\":\"\(id)\"" }
    if isCut && !hasMore {
      response +=
        ",\"request_status\":{\"type\":\"incomplete\",\"incomplete_reason\":\"query_result_limit_reached\"}"
    }
    return .json(signed(response + ",\"request_id\":\"0b1c2d3e-0000-4000-8000-000000000002\"}"))
  }

  /// Signs the URLs of files.
  private func signed(_ text: String) -> String {
    guard text.contains("@file/") else { return text }
    let parts = text.split(separator: "@file/", omittingEmptySubsequences: false)
    var result = String(parts[0])
    for part in parts.dropFirst() {
      let name = part.prefix { $0 != "\"" }
      result += "\(FakeNotion.fileAddress)/files/\(name)?X-Amz-Algorithm=AWS4-HMAC-SHA256"
      result += "&X-Amz-Expires=3600&X-Amz-Signature=s\(signature)" + part.dropFirst(name.count)
    }
    return result
  }

  /// Answers a request for a file; refuses an expired signature, and a request with the token.
  mutating func file(_ request: ServerRequest) -> ServerResponse {
    let name = request.segments.dropFirst().joined(separator: "/")
    guard request.headers["Authorization"] == nil else {
      return .text(
        "<Error><Code>InvalidArgument</Code></Error>", type: "application/xml", status: 400)
    }
    guard request.parameter("X-Amz-Signature") == "s\(signature)" else {
      return .text("<Error><Code>AccessDenied</Code></Error>", type: "application/xml", status: 403)
    }
    if let times = preparing[name], times > 0 {
      preparing[name] = times - 1
      return ServerResponse(202)
    }
    guard let bytes = files[name] else { return ServerResponse(404) }
    return .data(bytes)
  }
}

extension ServerRequest {
  /// The body as JSON; null if it is not JSON.
  var json: JSONValue {
    // Some tests send bodies that are not JSON.
    (try? JSONDecoder().decode(JSONValue.self, from: Data(body))) ?? .null
  }
}
