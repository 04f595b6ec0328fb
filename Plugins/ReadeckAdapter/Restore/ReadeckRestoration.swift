import ArchiverCore
import ArchiverMarkup
import Synchronization

/// Creates bookmarks through the API; those of the account stay unchanged.
///
/// Readeck silently creates a second bookmark for the same URL, and assigns its own ids. Bookmarks
/// are therefore identified by URL and time of saving. An incomplete one has the label
/// `restoringLabel`; if the program is interrupted, the next call completes it.
final class ReadeckRestoration: Restoration {
  static let restoringLabel = "archiver: incomplete"
  private static let pageSize = 100
  /// The maximum number of requests until the server has extracted a new bookmark, and the interval in milliseconds.
  private static let polls = (count: 240, pause: 250)
  /// The maximum number of waits for a server that asks to retry later, and the maximum length of one.
  private static let mostWaits = 3
  private static let longestWait = Duration.seconds(300)
  /// The maximum lengths of a note, in characters, and of a colour, in bytes.
  private static let limits = (note: 1_024, colour: 32)

  /// The URL and time of saving that identify a bookmark.
  private struct Key: Hashable {
    let url: String
    let created: Instant?
  }

  private struct Present {
    let id: String
    let isComplete: Bool
  }

  let api: ReadeckAPI
  /// Whether PATCH accepts authors, site name and the like, and highlights accept notes: since
  /// 0.22.
  private let isWide: Bool
  private let present: Mutex<[Key: Present]>

  init(api: ReadeckAPI, facts: ServerFacts) async throws(AdapterError) {
    self.api = api
    isWide = try await facts.version() >= ServerVersion(0, 22)
    var present: [Key: Present] = [:]
    var offset = 0
    while true {
      let page: LenientArray<Bookmark> = try await api.value(
        "bookmarks",
        [
          ("limit", "\(ReadeckRestoration.pageSize)"), ("offset", "\(offset)"),
          ("sort", "created"),
        ])
      for bookmark in page.elements {
        let key = Key(
          url: bookmark.url.flatMap { WebURL($0) }?.absoluteString ?? bookmark.url ?? "",
          created: bookmark.created?.instant)
        let isComplete = !bookmark.labels.contains(ReadeckRestoration.restoringLabel)
        present[key] = Present(id: bookmark.id, isComplete: isComplete)
      }
      offset += ReadeckRestoration.pageSize
      if page.count < ReadeckRestoration.pageSize { break }
    }
    self.present = Mutex(present)
  }

  func has(_ item: KeptItem) throws(AdapterError) -> Bool {
    let form = try BookmarkForm(item, restoringLabel: ReadeckRestoration.restoringLabel)
    let key = try ReadeckRestoration.key(form)
    return present.withLock { $0[key]?.isComplete ?? false }
  }

  private static func key(_ form: BookmarkForm) throws(AdapterError) -> Key {
    guard let created = Timestamp(form.wanted.created) else {
      throw AdapterError(.malformed, "the time of its saving is unknown")
    }
    return Key(url: form.url.absoluteString, created: created.instant)
  }

  func add(_ item: KeptItem) async throws(AdapterError) -> AddedItem {
    for _ in 0..<ReadeckRestoration.mostWaits {
      do throws(AdapterError) {
        return try await addOnce(item)
      } catch {
        // Parts already added stay; the next attempt continues.
        guard error.code == .rateLimited, let pause = error.retryAfter,
          pause <= ReadeckRestoration.longestWait
        else { throw error }
        try await api.wait(pause)
      }
    }
    return try await addOnce(item)
  }

  private func addOnce(_ item: KeptItem) async throws(AdapterError) -> AddedItem {
    let form = try BookmarkForm(item, restoringLabel: ReadeckRestoration.restoringLabel)
    let key = try ReadeckRestoration.key(form)
    let known = present.withLock { $0[key] }
    if known?.isComplete == true { return AddedItem(isNew: false) }
    var id = known?.id ?? ""
    do throws(AdapterError) {
      if known == nil { id = try await create(form) }
      present.withLock { $0[key] = Present(id: id, isComplete: false) }
      let losses = try await complete(id, form, item)
      present.withLock { $0[key] = Present(id: id, isComplete: true) }
      return AddedItem(isNew: true, losses: losses)
    } catch {
      if error.code == .unauthorized { throw error }
      // An error that may be caused by this bookmark must not end the restore of the others.
      guard error.mayBeOneBookmark else { throw error.ofOneBookmark(id) }
      throw AdapterError(.malformed, error.message, underlying: error.underlying)
    }
  }

  private func create(_ form: BookmarkForm) async throws(AdapterError) -> String {
    let answer: HTTPResponse
    do throws(AdapterError) {
      answer = try await api.send(try form.form(), "bookmarks")
    } catch {
      throw error.code == .configuration
        ? AdapterError(.malformed, error.message, underlying: error.underlying) : error
    }
    guard let id = answer.headers["Bookmark-Id"], !id.isEmpty else {
      throw AdapterError(.malformed, "\(api.what("bookmarks")) did not say which bookmark it made")
    }
    return id
  }

  /// Waits for the extraction, then adds highlights and state. Returns the losses.
  private func complete(
    _ id: String, _ form: BookmarkForm, _ item: KeptItem
  ) async throws(AdapterError) -> [String] {
    let path = "bookmarks/\(id)"
    let extracted = try await extracted(path)
    var losses = form.losses
    if let article = form.article {
      losses += try await addHighlights(path, article, item.annotations)
    } else {
      losses += item.annotations.map { _ in "highlight" }
    }
    _ = try await api.write(.patch, path, form.wanted.changes(extracted, isWide: isWide))
    let present: Bookmark = try await api.value(path)
    return losses + form.wanted.losses(present)
  }

  private func extracted(_ path: String) async throws(AdapterError) -> Bookmark {
    for _ in 0..<ReadeckRestoration.polls.count {
      let bookmark: Bookmark = try await api.value(path)
      if bookmark.isLoaded { return bookmark }
      try await api.wait(.milliseconds(ReadeckRestoration.polls.pause))
    }
    throw AdapterError(.unavailable, "\(api.what(path)) is still being extracted")
  }

  /// Adds the highlights that the bookmark lacks. Returns a word for each that is lost, for each lost note, and for each
  /// lost image of the article.
  private func addHighlights(
    _ path: String, _ article: RestoredArticle, _ annotations: [Annotation]
  ) async throws(AdapterError) -> [String] {
    let html = try await api.get("\(path)/article", accept: .html).body
    guard let root = try? ContentTree.parse(html) else {
      throw AdapterError(.malformed, "\(api.what(path)) sent an article that cannot be read")
    }
    var images = 0
    root.forEachInside { if $0.name == "img" { images += 1 } }
    let lost = max(0, article.imageCount - images)
    var losses = Array(repeating: "picture", count: lost)
    guard !annotations.isEmpty else { return losses }
    let text = Array(ReadeckRestoration.outermost(root).text.unicodeScalars)
    let known: LenientArray<Highlight> = try await api.value("\(path)/annotations")
    var present = known.elements.map { ReadeckRestoration.compact($0.text) }
    for annotation in annotations {
      guard let wanted = article.place(of: annotation, in: text) else {
        losses.append("highlight")
        continue
      }
      let words = String(String.UnicodeScalarView(text[wanted]))
      if let place = present.firstIndex(of: ReadeckRestoration.compact(words)) {
        present.remove(at: place)
        continue
      }
      losses += try await add(annotation, wanted, words, "\(path)/annotations")
    }
    return losses
  }

  /// Adds a highlight. Readeck may choose another position than requested, so the text in its response is compared.
  private func add(
    _ annotation: Annotation, _ place: Range<Int>, _ words: String, _ path: String
  ) async throws(AdapterError) -> [String] {
    let note = annotation.note ?? ""
    let colour = annotation.color ?? ""
    let isShort = colour.utf8.count <= ReadeckRestoration.limits.colour
    var body: [String: JSONValue] = [
      "start_selector": "section", "start_offset": .integer(place.lowerBound),
      "end_selector": "section", "end_offset": .integer(place.upperBound),
      "color": .string(colour.isEmpty || !isShort ? "yellow" : colour),
    ]
    if isWide { body["note"] = .string(String(note.prefix(ReadeckRestoration.limits.note))) }
    let response: HTTPResponse
    do throws(AdapterError) {
      response = try await api.write(.post, path, .object(body))
    } catch {
      // 400 and 422: the highlight overlaps another one.
      guard error.code == .configuration else { throw error }
      return ["highlight"]
    }
    let made = try api.decode(Highlight.self, from: response, path)
    guard ReadeckRestoration.compact(made.text) == ReadeckRestoration.compact(words) else {
      try await api.delete("\(path)/\(made.id)")
      return ["highlight"]
    }
    let isWhole = note.isEmpty || isWide && note.count <= ReadeckRestoration.limits.note
    return isWhole ? [] : ["note of a highlight"]
  }

  /// Returns the element to which the selector `section` refers.
  private static func outermost(_ root: ContentElement) -> ContentElement {
    root.elements.first { $0.name == "section" } ?? root
  }

  /// Returns a text without white space, which may differ between the marked passage and the server's response.
  private static func compact(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  /// The response for a highlight.
  private struct Highlight: Decodable {
    let id: String
    let text: String
  }
}
