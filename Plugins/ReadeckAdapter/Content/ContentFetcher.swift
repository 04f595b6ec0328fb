import ArchiverCore

/// Fetches bookmarks with their articles: several per request with the sync API, otherwise one per request.
struct ContentFetcher: Sendable {
  typealias Outcome = Result<BookmarkContent, AdapterError>

  /// The number of bookmarks completed concurrently.
  static let width = 4

  let api: ReadeckAPI
  let facts: ServerFacts

  /// Returns one outcome per id, in the same order.
  func contents(_ ids: [String]) async -> [Outcome] {
    let hasSync: Bool
    let delivery: Delivery
    do throws(AdapterError) {
      hasSync = try await facts.version().hasSync
      delivery = hasSync ? try await tolerantSync(ids) : Delivery()
    } catch {
      return ids.map { _ in .failure(error) }
    }
    // A bookmark that a complete response omits does not exist; one that an incomplete response
    // omits is requested on its own.
    let asksAgain = hasSync && !delivery.isWhole && ids.count > 1
    return await withTaskGroup(of: (Int, Outcome).self) { group in
      var outcomes = [Outcome?](repeating: nil, count: ids.count)
      for (index, id) in ids.enumerated() {
        if index >= ContentFetcher.width, let (done, outcome) = await group.next() {
          outcomes[done] = outcome
        }
        group.addTask {
          let outcome = await content(id, delivery.contents[id], asksAgain: asksAgain)
          // An error that the server returns for all requests does not concern one bookmark.
          guard !delivery.isRefused else { return (index, outcome) }
          return (index, outcome.mapError { $0.ofOneBookmark(id) })
        }
      }
      for await (done, outcome) in group { outcomes[done] = outcome }
      return outcomes.map { $0 ?? .failure(AdapterError(.cancelled, "Cancelled")) }
    }
  }

  private func content(
    _ id: String, _ delivered: BookmarkContent?, asksAgain: Bool
  ) async -> Outcome {
    do throws(AdapterError) {
      var content = delivered
      if content == nil, asksAgain { content = try await tolerantSync([id]).contents[id] }
      if let content { return .success(try await completed(content)) }
      return .success(try await completed(try await single(id)))
    } catch {
      return .failure(error)
    }
  }

  /// The content of a response of the sync API.
  private struct Delivery {
    var contents: [String: BookmarkContent] = [:]
    /// Whether the response is complete.
    var isWhole = false
    /// Whether the server refused the request, as it may refuse requests for single bookmarks.
    var isRefused = false
  }

  /// Requests bookmarks from the sync API. Returns an empty delivery after an error that requests
  /// for single bookmarks may avoid.
  private func tolerantSync(_ ids: [String]) async throws(AdapterError) -> Delivery {
    do throws(AdapterError) {
      return try await sync(ids)
    } catch {
      switch error.code {
      case .notFound, .malformed, .tooLarge: return Delivery()
      // An answer of 500 may be caused by one bookmark; without an answer, the server is
      // unavailable.
      case .unavailable where error.isAnswered: return Delivery()
      case .unauthorized, .configuration: return Delivery(isRefused: true)
      default: throw error
      }
    }
  }

  /// Requests bookmarks with their articles, whose images have absolute URLs.
  private func sync(_ ids: [String]) async throws(AdapterError) -> Delivery {
    let request: JSONValue = [
      "id": .array(ids.map(JSONValue.string)), "with_json": true, "with_html": true,
      "resource_prefix": "",
    ]
    let response = try await api.ask("bookmarks/sync", request, accept: .multipart)
    let body = try MultipartBody(
      response.body, contentType: response.headers["Content-Type"] ?? "")
    let wanted = Set(ids)
    var delivery = Delivery(isWhole: body.isIntact)
    for part in body.parts {
      guard let id = part.headers["Bookmark-Id"], wanted.contains(id) else { continue }
      switch part.headers["Type"] {
      case "json":
        do throws(AdapterError) {
          let bookmark = try decode(part.content, id)
          delivery.contents[id] = BookmarkContent(bookmark: bookmark, record: part.content)
        } catch {
          // The bookmark is requested on its own, which reports the error.
          delivery.isWhole = false
        }
      case "html": delivery.contents[id]?.html = part.content
      default: continue
      }
    }
    return delivery
  }

  /// Requests the record of one bookmark.
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
    let bookmark: Bookmark
    do {
      bookmark = try ForeignJSON.decode(Bookmark.self, from: Data(bytes))
    } catch {
      throw AdapterError(
        .malformed,
        "\(api.what("bookmarks/\(id)")) sent a bookmark that cannot be read: "
          + error.sentence, underlying: error)
    }
    guard bookmark.id == id else {
      throw AdapterError(
        .malformed, "\(api.what("bookmarks/\(id)")) sent the bookmark \(bookmark.id) instead")
    }
    return bookmark
  }

  /// Fetches missing parts: the article, its highlights, or the reason why there is no article.
  private func completed(
    _ content: BookmarkContent
  ) async throws(AdapterError) -> BookmarkContent {
    var content = content
    let id = content.bookmark.id
    // The server fails if the article of a bookmark that is being extracted is requested.
    guard content.bookmark.isLoaded else {
      throw AdapterError(.notReady, "Readeck is still loading the bookmark \(id)")
    }
    let articles = ArticleFetcher(api: api)
    if content.bookmark.hasArticle, content.html.isEmpty {
      content.html = try await articles.article(of: content.bookmark)
    } else if content.hasHighlights {
      try await articles.markHighlights(&content)
    }
    if content.hasHighlights { try await addHighlights(to: &content, articles) }
    if content.needsReason {
      let response = try await detail(id)
      content.bookmark = try decode(response.body, id)
      content.record = response.body
    }
    return content
  }

  /// Adds the details of highlights. If they cannot be read, the rest of the item is unaffected.
  private func addHighlights(
    to content: inout BookmarkContent, _ articles: ArticleFetcher
  ) async throws(AdapterError) {
    do throws(AdapterError) {
      let list = try await articles.highlights(of: content.bookmark.id)
      content.highlights = list.elements
      content.missing += list.faults.map { MissingPart(.record, name: "a highlight", reason: $0) }
      for highlight in list.elements {
        content.missing += highlight.unreadable.map {
          MissingPart(
            .record, name: "\($0) of the highlight \(highlight.id)",
            reason: "Readeck sent a value of the wrong type", isPermanent: true, isEssential: false)
        }
      }
      content.missing += list.elements.filter(\.hasUnreadablePlace).map {
        MissingPart(
          .record, name: "the place of the highlight \($0.id)",
          reason: "its selector or offset cannot be read", isPermanent: true, isEssential: false)
      }
    } catch {
      let failure = error.ofOneBookmark(content.bookmark.id)
      guard !failure.endsSource, failure.isAnswered else { throw error }
      content.missing.append(
        MissingPart(.record, name: "highlights", reason: failure.message))
    }
  }
}
