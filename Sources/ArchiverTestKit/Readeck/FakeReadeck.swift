import ArchiverCore
import Synchronization

/// A Readeck server without a socket: pass `handle` to a `LoopbackServer` or a `HandlerHTTPClient`.
///
/// Response formats, headers and errors were recorded from 0.22.3. Ids and times are the same in
/// every run, and times differ by a second and a fraction. The content may be changed while the
/// server is in use.
package final class FakeReadeck: Sendable {
  struct Entry: Sendable {
    var bookmark: Bookmark
    let created: ReadeckTime
    var updated: ReadeckTime
  }

  struct Library: Sendable {
    var behaviour: Behaviour
    /// Oldest first.
    var order: [String] = []
    var entries: [String: Entry] = [:]
    var deletions: [(id: String, time: ReadeckTime)] = []
    var collections: [(collection: Collection, time: ReadeckTime)] = []
    var login = FakeReadeckLogin()
    var user = FakeReadeckUser()
    /// 2026-11-21T00:00:00Z.
    var now = 1_795_219_200_000_000_000
    var idCount = 0
    var writing = FakeReadeckWriting()
    var faults: [(match: @Sendable (ServerRequest) -> Bool, response: ServerResponse)] = []
  }

  private let library: Mutex<Library>

  package init(_ behaviour: Behaviour = Behaviour()) {
    library = Mutex(Library(behaviour: behaviour))
  }

  /// Answers a request.
  package func handle(_ request: ServerRequest) -> ServerResponse {
    let (copy, fault) = library.withLock { library -> (Library, ServerResponse?) in
      guard let index = library.faults.firstIndex(where: { $0.match(request) }) else {
        return (library, nil)
      }
      return (library, library.faults.remove(at: index).response)
    }
    if let fault { return fault }
    let exchange = FakeReadeckExchange(request: request, library: copy)
    if let change = FakeReadeckLogin.change(exchange) {
      return library.withLock { change(&$0.login) }
    }
    if let response = library.withLock({ $0.importAccount(exchange) ?? $0.write(exchange) }) {
      return response
    }
    return exchange.response()
  }

  /// The URLs that the server would have fetched from the web for bookmarks created through the API.
  package var fetched: [String] { library.withLock { $0.writing.fetched } }

  /// The version and behaviour of the server; may be changed at any time.
  package var behaviour: Behaviour {
    get { library.withLock { $0.behaviour } }
    set { library.withLock { $0.behaviour = newValue } }
  }

  /// Answers the next request that matches with this response, once.
  package func failNext(
    _ response: ServerResponse, where match: @escaping @Sendable (ServerRequest) -> Bool
  ) {
    library.withLock { $0.faults.append((match, response)) }
  }

  /// Ids of all bookmarks, oldest first.
  package var ids: [String] { library.withLock { $0.order } }

  /// Returns a bookmark in its current state.
  package func bookmark(_ id: String) -> Bookmark? {
    library.withLock { $0.entries[id]?.bookmark }
  }

  /// Returns the `created` of a bookmark in the server's form.
  package func created(_ id: String) -> String? {
    library.withLock { $0.entries[id]?.created.text }
  }

  /// Returns the `updated` of a bookmark in the server's form.
  package func updated(_ id: String) -> String? {
    library.withLock { $0.entries[id]?.updated.text }
  }
}

extension FakeReadeck {
  /// Adds a bookmark and returns its id.
  @discardableResult
  package func add(_ bookmark: Bookmark) -> String {
    library.withLock { library in
      var bookmark = bookmark
      if bookmark.id.isEmpty { bookmark.id = library.newID() }
      if bookmark.site.isEmpty { bookmark.site = WebURL(bookmark.url)?.host ?? "" }
      library.complete(&bookmark.highlights)
      let time = ReadeckTime(parsing: bookmark.created) ?? library.tick()
      library.entries[bookmark.id] = Entry(bookmark: bookmark, created: time, updated: time)
      library.order.append(bookmark.id)
      return bookmark.id
    }
  }

  /// Changes a bookmark and its `updated`.
  package func update(_ id: String, _ change: (inout Bookmark) -> Void) {
    library.withLock { library in
      guard var entry = library.entries[id] else { return }
      change(&entry.bookmark)
      entry.bookmark.id = id
      library.complete(&entry.bookmark.highlights)
      entry.updated = library.tick()
      library.entries[id] = entry
    }
  }

  /// Removes a bookmark permanently.
  package func delete(_ id: String) {
    library.withLock { library in
      guard library.entries.removeValue(forKey: id) != nil else { return }
      library.order.removeAll { $0 == id }
      library.deletions.append((id, library.tick()))
    }
  }

  /// Sets the labels of a bookmark.
  package func label(_ id: String, _ labels: [String]) {
    update(id) { $0.labels = labels.sorted() }
  }

  /// Highlights the first occurrence of a text.
  package func highlight(_ id: String, _ highlight: Bookmark.Highlight) {
    update(id) { $0.highlights.append(highlight) }
  }

  /// Adds a collection and returns its id.
  @discardableResult
  package func add(_ collection: Collection) -> String {
    library.withLock { library in
      var collection = collection
      if collection.id.isEmpty { collection.id = library.newID() }
      library.collections.append((collection, library.tick()))
      return collection.id
    }
  }

  /// Collections in the order of their creation.
  package var collections: [Collection] { library.withLock { $0.collections.map(\.collection) } }

  /// The name of the account and its settings.
  package var user: FakeReadeckUser {
    get { library.withLock { $0.user } }
    set { library.withLock { $0.user = newValue } }
  }

  /// Decides the pending login, like the user in the browser.
  package func decideLogin(_ decision: LoginDecision) {
    library.withLock { $0.login.decision = decision }
  }
}

extension FakeReadeck.Library {
  /// Base58 text of 22 characters, every fifth of 21.
  mutating func newID() -> String {
    let digits = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    idCount += 1
    var state = UInt64(idCount) &* 0x9E37_79B9_7F4A_7C15
    let bytes = (0..<(idCount % 5 == 0 ? 21 : 22)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return digits[Int((state >> 33) % 58)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Advances the time by 1.000200300 seconds, so that fractions have one to nine digits.
  mutating func tick() -> ReadeckTime {
    now += 1_000_200_300
    return ReadeckTime(nanoseconds: now)
  }

  mutating func complete(_ highlights: inout [FakeReadeck.Bookmark.Highlight]) {
    for index in highlights.indices {
      if highlights[index].id.isEmpty { highlights[index].id = newID() }
      if highlights[index].created.isEmpty { highlights[index].created = tick().text }
    }
  }
}
