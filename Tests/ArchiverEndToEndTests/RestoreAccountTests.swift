import ArchiverCore
import ArchiverTestKit
import Testing

/// `archiver restore readeck --zip FILE --replace-account`: an account becomes what the archive has.
@Suite struct RestoreAccountTests {
  /// What each bookmark says, without the ids that the server gives.
  private static func facts(_ readeck: FakeReadeck) -> [String] {
    readeck.ids.compactMap { id -> String? in
      guard var bookmark = readeck.bookmark(id) else { return nil }
      bookmark.id = ""
      bookmark.created = readeck.created(id) ?? ""
      // Labels have no order, a server makes thumbnails itself, and the size of an image is in its bytes.
      bookmark.labels.sort()
      bookmark.thumbnail = nil
      bookmark.image?.width = 0
      bookmark.image?.height = 0
      // Annotations are archived to the second.
      for index in bookmark.highlights.indices {
        bookmark.highlights[index].created = String(bookmark.highlights[index].created.prefix(19))
      }
      // White space between blocks, the way void elements end, and Readeck's prefix of ids.
      for (text, other) in [("\n", ""), ("<p></p>", ""), (" />", ">"), ("aB.cDeF.", "")] {
        bookmark.html = bookmark.html?.replacing(text, with: other)
      }
      return "\(bookmark) \(readeck.updated(id) ?? "")"
    }.sorted()
  }

  private static func with(_ body: (RestoreStage, [String]) async throws -> Void) async throws {
    try await RestoreStage.with { setting in
      setting.other.behaviour.allowsEverything = true
      setting.other.add(FakeReadeck.Bookmark(url: "https://example.org/old", title: "Old"))
      setting.other.add(FakeReadeck.Collection("Old"))
      setting.other.user.settings = ["lang": "de", "reader_settings": ["font": "serif"]]
      let words = [
        "--zip", setting.stage.home + "/readeck.zip", "--replace-account", "--account", "reader",
      ]
      try await body(setting, words)
    }
  }

  @Test func `an account becomes what the archive has, with its own settings`() async throws {
    try await Self.with { setting, words in
      let result = try await setting.run(words)
      #expect(result.code == 0, "\(result)")
      #expect(result.output.contains("Replaced the account reader at \(setting.url)"), "\(result)")
      #expect(setting.other.ids.count == 6 && setting.pairs.count == 6)
      let made = Self.facts(setting.other)
      for (made, wanted) in zip(made, Self.facts(setting.stage.readeck)) { #expect(made == wanted) }
      #expect(
        setting.other.collections.map(RestoreStage.facts).sorted()
          == setting.stage.readeck.collections.map(RestoreStage.facts).sorted())
      #expect(setting.other.user.settings["lang"] == "de")
      #expect(setting.other.behaviour.token != RestoreStage.token)
    }
  }

  @Test func `a dry run names the account and changes nothing`() async throws {
    try await Self.with { setting, words in
      let result = try await setting.run(["--dry-run", "--replace-account"])
      #expect(result.code == 0, "\(result)")
      #expect(
        result.output.contains("Would replace the 1 item of the account reader at \(setting.url)"),
        "\(result)")
      #expect(setting.other.ids.count == 1)
    }
  }

  @Test func `an account is replaced only by its name`() async throws {
    try await Self.with { setting, words in
      let unnamed = try await setting.run(Array(words.dropLast(2)))
      #expect(unnamed.code == 2 && unnamed.error.contains("--account NAME"), "\(unnamed)")
      let other = try await setting.run(words.dropLast() + ["anna"])
      #expect(other.code == 2 && other.error.contains("account reader, not for anna"), "\(other)")
      #expect(setting.other.ids.count == 1)
    }
  }

  @Test func `a token with roles cannot replace an account`() async throws {
    try await Self.with { setting, words in
      setting.other.behaviour.allowsEverything = false
      let result = try await setting.run(words)
      #expect(result.code == 3 && result.error.contains("without any role"), "\(result)")
      // It is refused before anything is written or asked.
      #expect(!FileManager.default.fileExists(atPath: words[1]))
      #expect(setting.other.ids.count == 1)
    }
  }

  @Test func `a server that cannot import leaves the account and the file`() async throws {
    try await Self.with { setting, words in
      setting.other.behaviour.unzip = { _ in nil }
      let failed = try await setting.run(words)
      #expect(failed.code == 3 && failed.error.contains("the account is as it was"), "\(failed)")
      #expect(failed.error.contains("readeck.zip is complete"), "\(failed)")
      setting.other.behaviour.proxyBodyLimit = 1_000
      let large = try await setting.run(words + ["--overwrite"])
      #expect(large.code == 3 && large.error.contains("client_max_body_size"), "\(large)")
      setting.other.behaviour.version = (0, 19, 2)
      let old = try await setting.run(words + ["--overwrite"])
      #expect(old.code == 2 && old.error.contains("older than 0.20"), "\(old)")
      #expect(setting.other.ids.count == 1)
    }
  }

  @Test func `an archive without collections says so`() async throws {
    try await Self.with { setting, words in
      try FileManager.default.removeItem(
        atPath: setting.stage.archive + "/.archiver/accounts/readeck.json")
      let result = try await setting.run(words)
      #expect(result.code == 0, "\(result)")
      #expect(result.error.contains("not restored: 1 account record"), "\(result)")
      #expect(setting.other.collections.isEmpty && setting.other.ids.count == 6)
      setting.other.behaviour.token = RestoreStage.token
      let added = try await setting.restore("--dry-run")
      #expect(added.error.contains("not restored: 1 account record"), "\(added)")
    }
  }
}
