import ArchiverCore
import ArchiverTestKit
import Synchronization

/// A fault of a source, and the expected result of a run.
struct TortureFault: Sendable {
  enum Place: String, Sendable {
    /// The requests that list the source's items.
    case listing
    /// The requests for an item's text and record.
    case item
    /// Pictures.
    case picture

    func covers(_ request: ServerRequest, of kind: BuiltInSource) -> Bool {
      switch kind {
      case .readeck: self == Place.readeck(request)
      case .notion: self == Place.notion(request)
      case .books: self == Place.books(request)
      }
    }

    private static func readeck(_ request: ServerRequest) -> Place? {
      if request.path.hasPrefix("/bm/") { return .picture }
      guard request.path.hasPrefix("/api/bookmarks") else { return nil }
      return request.path == "/api/bookmarks"
        || request.path == "/api/bookmarks/sync" && request.method == "GET" ? .listing : .item
    }

    private static func notion(_ request: ServerRequest) -> Place {
      if request.segments.first == "files" { return .picture }
      return request.path.hasSuffix("/search") ? .listing : .item
    }

    private static func books(_ request: ServerRequest) -> Place {
      switch request.segments.first {
      case "covers": .picture
      case "files": .item
      default: .listing
      }
    }
  }

  enum Times: Sendable {
    case first(Int)
    case always
  }

  let name: String
  let place: Place
  let times: Times
  /// The permitted exit codes of the run.
  let codes: Set<Int32>
  /// Bundles after the run.
  let bundles: ClosedRange<Int>
  let isLong: Bool
  let change: @Sendable (ServerResponse) -> ServerResponse

  init(
    _ name: String, _ place: Place, _ times: Times, _ codes: Set<Int32>,
    bundles: ClosedRange<Int>, isLong: Bool = false,
    _ change: @escaping @Sendable (ServerResponse) -> ServerResponse
  ) {
    self.name = name
    self.place = place
    self.times = times
    self.codes = codes
    self.bundles = bundles
    self.isLong = isLong
    self.change = change
  }

  /// The permitted exit codes of a run of this kind of source.
  func codes(of kind: BuiltInSource) -> Set<Int32> {
    // Notion's files are on an object store, which is another host here.
    if kind == .notion, place == .picture, codes == [1] { return [0] }
    guard kind == .books else { return codes }
    // An answer other than a feed means a wrong URL to the adapter; a book's file is treated like
    // an image.
    return place == .item ? codes.union([0]) : codes.contains(3) ? codes.union([2]) : codes
  }

  /// The bundles after it.
  func bundles(of kind: BuiltInSource) -> ClosedRange<Int> {
    kind == .books && place == .item ? 0...SourceStage.count : bundles
  }

  /// Returns what to put between the server and the client.
  func tampering(of kind: BuiltInSource) -> Stage.Tampering.Change {
    let counter = Counter()
    return { request, response in
      guard place.covers(request, of: kind) else { return response }
      let number = counter.next()
      if case .first(let limit) = times, number > limit { return response }
      return change(response)
    }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
  }
}

extension TortureFault {
  private static let all = SourceStage.count...SourceStage.count
  private static let none = 0...0

  /// The matrix; `bomb` is a gzip stream that grows a thousandfold. In short, what the sources have
  /// in common is tried with one of them.
  static func matrix(of kind: BuiltInSource, bomb: [UInt8]) -> [TortureFault] {
    let all = transient() + lasting(bomb: bomb) + content(bomb: bomb)
    if Torture.isLong { return all }
    let own: Set = [
      "reset at byte 40", "truncated at byte 40", "503 for ever", "redirect loop",
      "a web page with status 200", "nothing with status 200", "a byte order mark",
    ]
    return all.filter { !$0.isLong && (kind == .readeck || own.contains($0.name)) }
  }

  /// Faults that disappear on retry.
  private static func transient() -> [TortureFault] {
    var faults: [TortureFault] = []
    for place in [Place.listing, .item, .picture] {
      for position in [0, 1, 40, 200, 900] {
        faults.append(
          TortureFault(
            "reset at byte \(position)", place, .first(2), [0], bundles: all,
            isLong: ![0, 40].contains(position)
          ) { $0.misbehaving(.resetAfter(position)) })
        faults.append(
          TortureFault(
            "truncated at byte \(position)", place, .first(2), [0], bundles: all,
            isLong: ![40].contains(position)
          ) { $0.misbehaving(.truncateAfter(position)) })
      }
      faults += [
        TortureFault("wrong length", place, .first(2), [0], bundles: all) {
          $0.misbehaving(.wrongLength(100_000))
        },
        TortureFault("closed without a word", place, .first(2), [0], bundles: all, isLong: true) {
          $0.misbehaving(.closeSilently)
        },
        TortureFault("burst of 500", place, .first(3), [0], bundles: all) { _ in
          ServerResponse(500)
        },
        TortureFault("burst of 502", place, .first(2), [0], bundles: all, isLong: true) { _ in
          .text("<h1>Bad gateway</h1>", type: "text/html", status: 502)
        },
        TortureFault("429, Retry-After 1 s", place, .first(3), [0], bundles: all) { _ in
          ServerResponse(429, headers: ["Retry-After": "1"])
        },
        TortureFault("slow drip", place, .always, [0], bundles: all) {
          $0.misbehaving(.drip(512, every: .milliseconds(20)))
        },
        TortureFault("stalls, then goes on", place, .first(1), [0], bundles: all, isLong: true) {
          $0.misbehaving(.stallAfter(30, .seconds(3)))
        },
      ]
    }
    return faults
  }

  /// Faults that last for the whole run.
  private static func lasting(bomb: [UInt8]) -> [TortureFault] {
    let ways: [(String, Bool, @Sendable (ServerResponse) -> ServerResponse)] = [
      ("503 for ever", false, { _ in ServerResponse(503) }),
      (
        "429, Retry-After 1 h", false,
        { _ in ServerResponse(429, headers: ["Retry-After": "3600"]) }
      ),
      ("reset for ever", true, { $0.misbehaving(.resetAfter(20)) }),
      ("truncated for ever", true, { $0.misbehaving(.truncateAfter(20)) }),
      ("redirect loop", false, { _ in .redirect("/api/bookmarks") }),
      ("redirect loop of growing addresses", true, { _ in .redirect("x/y/z") }),
      (
        "endless body", false,
        { response in
          var response = response.misbehaving(.endless)
          response.body = .bytes([UInt8](repeating: 0x20, count: 1 << 20))
          return response
        }
      ),
      ("no chunked coding", true, { $0.misbehaving(.invalidChunking) }),
      ("no HTTP", false, { $0.misbehaving(.raw(Array("SSH-2.0-OpenSSH_9.7\r\n".utf8))) }),
    ]
    return ways.flatMap { name, isLong, change in
      // Each item then reaches its maximum size.
      let isSlow = name == "endless body"
      return [
        // An API that redirects is at another URL, which is a configuration error.
        TortureFault(name, .listing, .always, [2, 3], bundles: none, isLong: isLong, change),
        TortureFault(
          name, .item, .always, [1, 2, 3], bundles: none, isLong: isLong || isSlow, change),
        TortureFault(name, .picture, .always, [1], bundles: all, isLong: isLong || isSlow, change),
      ]
    }
  }

  /// Responses with other content than requested.
  private static func content(bomb: [UInt8]) -> [TortureFault] {
    let page = "<!doctype html><title>Login</title><p>Please log in"
    let ways: [(String, Set<Int32>, @Sendable (ServerResponse) -> ServerResponse)] = [
      ("a web page with status 200", [3], { _ in .text(page, type: "text/html") }),
      (
        "a web page that says it is right", [3],
        { response in
          .text(page, type: response.headers["Content-Type"] ?? "")
        }
      ),
      (
        "nothing with status 200", [3],
        { response in
          .text("", type: response.headers["Content-Type"] ?? "")
        }
      ),
      (
        "gzip bomb", [3],
        { response in
          ServerResponse(
            200,
            headers: [
              "Content-Type": response.headers["Content-Type"] ?? "", "Content-Encoding": "gzip",
            ], body: .bytes(bomb))
        }
      ),
      (
        "bytes of no charset", [3],
        { response in
          .data(
            [0x5B, 0x7B, 0x22, 0xFF, 0xFE, 0xC3, 0x28, 0x22, 0x3A],
            type: response.headers["Content-Type"] ?? "")
        }
      ),
    ]
    let mark = TortureFault("a byte order mark", .listing, .always, [0], bundles: all) { response in
      var response = response
      response.body = .bytes([0xEF, 0xBB, 0xBF] + response.content)
      return response
    }
    return [mark]
      + ways.flatMap { name, codes, change in
        [
          TortureFault(name, .listing, .always, codes, bundles: none, change),
          TortureFault(name, .item, .always, [1, 3], bundles: none, change),
          TortureFault(
            name, .picture, .always, [1], bundles: all, isLong: name == "gzip bomb", change),
        ]
      }
  }
}
