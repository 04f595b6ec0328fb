import ArchiverCore

/// Fetches bookmarks with their articles: many in one request over the sync API, the others singly.
struct ContentFetcher: Sendable {
  typealias Outcome = Result<BookmarkContent, AdapterError>

  /// Bookmarks completed at a time.
  static let width = 4

  let api: ReadeckAPI
  let facts: ServerFacts

  /// Returns one outcome per id, in their order.
  func contents(_ ids: [String]) async -> [Outcome] {
    let hasSync: Bool
    var delivered: [String: BookmarkContent] = [:]
    do throws(AdapterError) {
      hasSync = try await facts.version().hasSync
      if hasSync { delivered = try await tolerantSync(ids) }
    } catch {
      return ids.map { _ in .failure(error) }
    }
    let known = delivered
    return await withTaskGroup(of: (Int, Outcome).self) { group in
      var outcomes = [Outcome?](repeating: nil, count: ids.count)
      for (index, id) in ids.enumerated() {
        if index >= ContentFetcher.width, let (done, outcome) = await group.next() {
          outcomes[done] = outcome
        }
        group.addTask {
          (index, await content(id, delivered: known[id], hasSync: hasSync, alone: ids.count == 1))
        }
      }
      for await (done, outcome) in group { outcomes[done] = outcome }
      return outcomes.map { $0 ?? .failure(AdapterError(.cancelled, "Cancelled")) }
    }
  }

  private func content(
    _ id: String, delivered: BookmarkContent?, hasSync: Bool, alone: Bool
  ) async -> Outcome {
    do throws(AdapterError) {
      var content = delivered
      // A batch that was cut short has its missing bookmarks asked for again, one by one.
      if content == nil, hasSync, !alone { content = try await tolerantSync([id])[id] }
      if content == nil { content = try await single(id) }
      guard let content else { throw AdapterError(.notFound, "Readeck has no bookmark \(id)") }
      return .success(try await completed(content, hasSync: hasSync))
    } catch {
      return .failure(error)
    }
  }

  /// Asks the sync API; a failure that single requests may get round gives nothing.
  private func tolerantSync(_ ids: [String]) async throws(AdapterError) -> [String: BookmarkContent]
  {
    do throws(AdapterError) {
      return try await sync(ids)
    } catch {
      switch error.code {
      case .notFound, .malformed, .tooLarge: return [:]
      // An answer of 500 may be one bookmark's fault; no answer is the server's.
      case .unavailable where error.isAnswered: return [:]
      default: throw error
      }
    }
  }

  /// Asks for bookmarks with their articles, images as absolute addresses.
  private func sync(_ ids: [String]) async throws(AdapterError) -> [String: BookmarkContent] {
    let request: JSONValue = [
      "id": .array(ids.map(JSONValue.string)), "with_json": true, "with_html": true,
      "resource_prefix": "",
    ]
    let response = try await api.ask("bookmarks/sync", request, accept: .multipart)
    let body = try MultipartBody(
      response.body, contentType: response.headers["Content-Type"] ?? "")
    let wanted = Set(ids)
    var contents: [String: BookmarkContent] = [:]
    for part in body.parts {
      guard let id = part.headers["Bookmark-Id"], wanted.contains(id) else { continue }
      switch part.headers["Type"] {
      case "json":
        let bookmark = try decode(part.content, id)
        contents[id] = BookmarkContent(bookmark: bookmark, record: part.content)
      case "html": contents[id]?.html = part.content
      default: continue
      }
    }
    // An article that was promised and did not come means a body cut between its parts.
    return contents.filter { !$0.value.bookmark.hasArticle || !$0.value.html.isEmpty }
  }

  /// Asks for one bookmark and its article by themselves.
  private func single(_ id: String) async throws(AdapterError) -> BookmarkContent {
    let response = try await detail(id)
    return BookmarkContent(
      bookmark: try decode(response.body, id), record: response.body)
  }

  private func detail(_ id: String) async throws(AdapterError) -> HTTPResponse {
    do throws(AdapterError) {
      return try await api.get("bookmarks/\(WebURL.percentEncoded(id))")
    } catch {
      guard error.code == .notFound else { throw error }
      throw AdapterError(.notFound, "Readeck no longer has the bookmark \(id)")
    }
  }

  private func decode(_ bytes: [UInt8], _ id: String) throws(AdapterError) -> Bookmark {
    do {
      return try JSONDecoder().decode(Bookmark.self, from: Data(bytes))
    } catch {
      throw AdapterError(
        .malformed,
        "\(api.what("bookmarks/\(id)")) sent a bookmark that cannot be read: "
          + error.sentence, underlying: error)
    }
  }

  /// Fetches what is still missing: the article, its highlights, or why there is none.
  private func completed(
    _ content: BookmarkContent, hasSync: Bool
  ) async throws(AdapterError) -> BookmarkContent {
    var content = content
    let id = content.bookmark.id
    // Asking for the article of one that is loading makes the server fail.
    guard content.bookmark.isLoaded else {
      throw AdapterError(.notReady, "Readeck is still loading the bookmark \(id)")
    }
    let articles = ArticleFetcher(api: api, hasSync: hasSync)
    if content.bookmark.hasArticle, content.html.isEmpty {
      content.html = try await articles.article(of: content.bookmark)
    } else if content.hasHighlights {
      try await articles.markHighlights(&content)
    }
    if content.hasHighlights { content.highlights = try await articles.highlights(of: id) }
    if content.needsReason {
      let response = try await detail(id)
      content.bookmark = try decode(response.body, id)
      content.record = response.body
    }
    return content
  }
}
