import ArchiverCore
import ArchiverTestKit
import Testing

/// `archiver restore readeck --into-existing`: from one server's archive to the account of another.
@Suite struct RestoreIntoTests {
  @Test(arguments: [22, 21])
  func `an account gets every bookmark with all that the server takes, once`(minor: Int)
    async throws
  {
    try await RestoreStage.with { setting in
      setting.other.behaviour.version = (0, minor, 0)
      let dry = try await setting.restore("--dry-run")
      #expect(
        dry.code == 0
          && dry.output.contains("Would add 6 items and 2 collections to \(setting.url)"), "\(dry)")
      #expect(setting.other.ids.isEmpty)
      let result = try await setting.restore()
      #expect(result.code == 0, "\(result)")
      #expect(
        result.output.contains("Added 6 items and 2 collections to \(setting.url)"), "\(result)")
      #expect(setting.other.fetched == [])
      #expect(setting.pairs.count == 6)
      for (from, to) in setting.pairs {
        #expect(to.type == from.type && to.embed == from.embed, "\(from.title)")
        #expect(to.url == from.url && to.labels == from.labels.sorted(), "\(from.title)")
        #expect(to.authors == from.authors && to.siteName == from.siteName, "\(from.title)")
        #expect(to.description == from.description && to.published == from.published)
        #expect(to.language == from.language && to.isMarked == from.isMarked)
        #expect(to.isArchived == from.isArchived && to.readProgress == from.readProgress)
        #expect(to.resources.map(\.bytes) == from.resources.map(\.bytes), "\(from.title)")
        #expect(to.image?.bytes == from.image?.bytes, "\(from.title)")
        #expect((to.html == nil) == (from.html == nil), "\(from.title)")
        #expect(to.highlights.map(\.text) == from.highlights.map(\.text))
        #expect(to.highlights.map(\.color) == from.highlights.map(\.color))
        #expect(to.highlights.map(\.note) == from.highlights.map { minor < 22 ? "" : $0.note })
      }
      let rich = try #require(setting.pairs.first { $0.from.isMarked })
      let html = try #require(rich.to.html)
      #expect(html.contains("<h2 id=\"aB.cDeF.part\">One &amp; two</h2>"), "\(html)")
      #expect(!html.contains("aB.cDeF.aB") && !html.contains("rd-annotation"), "\(html)")
      #expect(result.error.contains("1 note of a highlight") == (minor < 22), "\(result.error)")
      let again = try await setting.restore()
      #expect(again.output.contains("Added 0 items") && again.output.contains("6 were there"))
      #expect(setting.other.ids.count == 6)
    }
  }

  @Test func `a restore that was cut off is completed by the next`() async throws {
    try await RestoreStage.with { setting in
      for _ in 0..<2 {
        setting.other.failNext(ServerResponse(500)) { $0.method == "PATCH" }
        setting.other.failNext(ServerResponse(500)) { $0.target.hasSuffix("/annotations") }
      }
      for _ in 0..<4 where try await setting.restore().code != 0 {}
      let last = try await setting.restore()
      #expect(last.code == 0 && last.output.contains("Added 0 items"), "\(last)")
      #expect(setting.other.ids.count == 6 && setting.pairs.count == 6)
      for (from, to) in setting.pairs {
        #expect(to.labels == from.labels.sorted() && to.isMarked == from.isMarked)
        #expect(to.highlights.map(\.text) == from.highlights.map(\.text))
      }
    }
  }

  @Test func `a highlight that the server puts elsewhere is removed and told`() async throws {
    try await RestoreStage.with { setting in
      setting.other.behaviour.shiftsHighlights = true
      let result = try await setting.restore()
      #expect(result.code == 0 && result.error.contains("not restored: 2 highlights"), "\(result)")
      let made = setting.other.ids.compactMap { setting.other.bookmark($0) }
      #expect(made.count == 6)
      #expect(made.flatMap(\.highlights).isEmpty)
    }
  }

  @Test func `a bookmark that is there is left as its owner has it`() async throws {
    try await RestoreStage.with { setting in
      #expect(try await setting.restore().code == 0)
      let id = try #require(setting.other.ids.first)
      setting.other.update(id) { $0.labels = ["mine"] }
      #expect(try await setting.restore().code == 0)
      #expect(setting.other.bookmark(id)?.labels == ["mine"])
    }
  }

  @Test func `one bookmark that the server refuses costs one`() async throws {
    try await RestoreStage.with { setting in
      let long = FakeReadeck.Bookmark(
        url: "https://example.org/" + String(repeating: "x", count: 1_100), title: "Long",
        html: "<section><p>Words.</p></section>")
      setting.stage.readeck.add(long)
      #expect(try await setting.stage.run().code == 0)
      let result = try await setting.restore()
      #expect(result.code == 1 && result.error.contains("longer than Readeck takes"), "\(result)")
      #expect(setting.other.ids.count == 6)
    }
  }

  @Test func `errors for single bookmarks do not stop the others`() async throws {
    try await RestoreStage.with { setting in
      for _ in 0..<3 {
        setting.other.failNext(ServerResponse(500)) { $0.method == "POST" }
      }
      setting.other.failNext(ServerResponse(413)) { $0.method == "POST" }
      let result = try await setting.restore()
      #expect(result.code == 1 && result.output.contains("Added 2 items"), "\(result)")
      #expect(result.error.contains("client_max_body_size"), "\(result)")
      var busy = ServerResponse(429)
      busy.headers["Retry-After"] = "1"
      setting.other.failNext(busy) { $0.method == "POST" }
      let again = try await setting.restore()
      #expect(again.code == 0 && again.output.contains("Added 4 items"), "\(again)")
      #expect(setting.pairs.count == 6 && setting.other.ids.count == 6)
    }
  }

  @Test func `a server that is away stops the restore`() async throws {
    try await RestoreStage.with { setting in
      for _ in 0..<9 { setting.other.failNext(ServerResponse(502)) { $0.method == "POST" } }
      let result = try await setting.restore()
      #expect(result.code == 3 && setting.other.ids.isEmpty, "\(result)")
      #expect(result.error.contains("failed with status 502"), "\(result)")
    }
  }

  @Test func `a token is needed, and one with the right to write`() async throws {
    try await RestoreStage.with { setting in
      let none = try await setting.restore(token: nil)
      #expect(none.code == 2 && none.error.contains("needs a token of its own"), "\(none)")
      setting.other.behaviour.allowsWriting = false
      let reading = try await setting.restore()
      #expect(reading.code == 3 && reading.error.contains("Write Only"), "\(reading)")
      #expect(setting.other.ids.isEmpty)
    }
  }

  @Test func `collections are added once, and none for selected items`() async throws {
    try await RestoreStage.with { setting in
      let some = try await setting.restore("--since", "2025-01-01")
      #expect(some.code == 0 && setting.other.collections.isEmpty, "\(some)")
      let dry = try await setting.restore("--dry-run")
      #expect(dry.output.contains("0 items and 2 collections"), "\(dry)")
      #expect(setting.other.collections.isEmpty)
      let all = try await setting.restore()
      #expect(all.code == 0 && all.output.contains("Added 0 items and 2 collections"), "\(all)")
      let wanted = setting.stage.readeck.collections.map(RestoreStage.facts).sorted()
      #expect(setting.other.collections.map(RestoreStage.facts).sorted() == wanted)
      let again = try await setting.restore()
      #expect(again.code == 0 && setting.other.collections.count == 2, "\(again)")
      #expect(!again.output.contains("collection"), "\(again)")
    }
  }

  @Test func `a collection that the server refuses is told`() async throws {
    try await RestoreStage.with { setting in
      setting.other.failNext(ServerResponse(422)) {
        $0.method == "POST" && $0.target.hasSuffix("/collections")
      }
      let result = try await setting.restore()
      #expect(result.code == 0 && result.error.contains("not restored: 1 collection"), "\(result)")
      #expect(setting.other.collections.count == 1)
    }
  }
}
