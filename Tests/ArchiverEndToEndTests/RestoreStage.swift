import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

/// An archived server, and another one that takes bookmarks.
struct RestoreStage {
  static let token = "token-of-the-other-account"

  let stage: Stage
  let other: FakeReadeck
  let url: String

  /// Runs `archiver restore readeck --into-existing` for the other server.
  func restore(
    _ words: String..., token: String? = token
  ) async throws -> (code: Int32, output: String, error: String) {
    try await run(["--into-existing"] + words, token: token)
  }

  /// Runs `archiver restore readeck` for the other server.
  func run(
    _ words: [String], token: String? = token
  ) async throws -> (code: Int32, output: String, error: String) {
    var environment = stage.environment
    environment["ARCHIVER_RESTORE_TOKEN"] = token
    return try await Program.run(
      ["restore", "readeck", "--url", url] + words, home: stage.home, environment: environment)
  }

  /// The other server's bookmark for each of the first one's, by title.
  var pairs: [(from: FakeReadeck.Bookmark, to: FakeReadeck.Bookmark)] {
    let made = other.ids.compactMap { other.bookmark($0) }
    let all = stage.readeck.ids.compactMap { stage.readeck.bookmark($0) }
    return all.compactMap { from in
      made.first { $0.title == from.title }.map { (from, $0) }
    }
  }

  static func with(_ body: (RestoreStage) async throws -> Void) async throws {
    try await Stage.with(articles: 3) { stage in
      fill(stage.readeck)
      addCollections(stage.readeck)
      let run = try await stage.run()
      #expect(run.code == 0)
      let other = FakeReadeck()
      other.behaviour.token = token
      other.behaviour.allowsWriting = true
      other.behaviour.unzip = { unzipped($0, in: stage.home) }
      let server = try LoopbackServer(handler: { other.handle($0) })
      defer { server.stop() }
      try await body(
        RestoreStage(stage: stage, other: other, url: server.baseURL.absoluteString))
    }
  }

  /// Adds an article with everything that a bookmark can have, a photo, and a bookmark without a text.
  private static func fill(_ readeck: FakeReadeck) {
    var rich = FakeReadeck.Bookmark(
      url: "https://example.org/ways?a=1&b=%C3%BC", title: "Ways & means <of> “all”",
      html: """
        <section><h2 id="aB.cDeF.part">One &amp; two</h2>

        <p class="lead">A 👍 text of many words that someone marked here.</p><p></p>
        <p>Its second paragraph, many words too: <a href="#aB.cDeF.part">up</a>,
        <a href="https://example.org/other#x">out</a>, <a href="https://elsewhere.example/">on</a>.</p>
        <figure><img src="./_resources/one.gif" alt="one" /></figure></section>
        """)
    rich.created = "2025-03-04T05:06:07.123456789Z"
    rich.siteName = "The & Site"
    rich.description = "About “ways”."
    rich.authors = ["Ann", "Bo & Co"]
    rich.language = "de"
    rich.textDirection = "ltr"
    rich.published = "2024-12-24T12:00:00Z"
    rich.labels = ["long read", "ways"]
    rich.isMarked = true
    rich.isArchived = true
    rich.readProgress = 40
    rich.resources = [.init("one.gif", "image/gif", Stage.gif("rich"))]
    rich.image = .init("image.gif", "image/gif", Stage.gif("lead"), width: 1, height: 1)
    rich.highlights = [
      .init("text of many words", color: "blue", note: "why"),
      .init("second paragraph", color: "red"),
    ]
    readeck.add(rich)
    var photo = FakeReadeck.Bookmark(url: "https://example.org/photo", title: "A photo")
    (photo.type, photo.documentType) = ("photo", "photo")
    photo.image = .init("image.gif", "image/gif", Stage.gif("photo"), width: 1, height: 1)
    readeck.add(photo)
    var video = FakeReadeck.Bookmark(url: "https://example.org/film", title: "Bare")
    (video.type, video.documentType) = ("video", "video")
    video.embed = "<iframe src=\"https://player.example/1\"></iframe>"
    readeck.add(video)
  }

  /// Adds a collection with every kind of filter, and a pinned one.
  private static func addCollections(_ readeck: FakeReadeck) {
    var all = FakeReadeck.Collection("All & <more>", labels: "\"long read\" -ways")
    all.isMarked = false
    all.isArchived = true
    all.others = [
      "search": "“words”", "title": "t", "author": "a", "site": "example.org",
      "type": ["article", "video"], "read_status": ["unread"], "is_loaded": true,
      "has_errors": false, "has_labels": true, "range_start": "-30d", "range_end": "2026-01-01",
    ]
    readeck.add(all)
    var pinned = FakeReadeck.Collection("Pinned", labels: "ways")
    pinned.isPinned = true
    readeck.add(pinned)
  }

  /// Returns the entries of a ZIP file.
  private static func unzipped(_ file: [UInt8], in folder: String) -> [String: [UInt8]]? {
    let path = folder + "/received.zip"
    do {
      try Data(file).write(to: URL(filePath: path))
      let archive = try ZipArchive(path: path, limits: EPUBLimits())
      var entries: [String: [UInt8]] = [:]
      for name in archive.names { entries[name] = try archive.text(name) }
      return entries
    } catch {
      return nil
    }
  }

  /// What a collection says, without its id.
  static func facts(_ collection: FakeReadeck.Collection) -> String {
    let flags = [collection.isMarked, collection.isArchived].map { $0.map { "\($0)" } ?? "-" }
    let others = collection.others.filter {
      !["labels", "is_marked", "is_archived"].contains($0.key)
    }
    .map { "\($0.key)=\($0.value)" }.sorted()
    return "\(collection.name) \(collection.isPinned) \(collection.labels) \(flags) \(others)"
  }
}
