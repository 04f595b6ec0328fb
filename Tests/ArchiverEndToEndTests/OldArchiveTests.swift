import ArchiverCore
import ArchiverTestKit
import Testing

/// Archives that earlier versions made, opened as they are, and nothing is asked of the network for it.
/// `Fixtures/README.md` says what is in them.
@Suite struct OldArchiveTests {
  /// The days of the versions that made them.
  private static let days = ["2026-11-25", "2026-11-29"]

  /// Unpacks the archive of one kind of source into a stage's place for it.
  private static func unpack(_ stage: SourceStage, of day: String) async throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let file = "\(folder)/Fixtures/archive-\(day)-\(stage.kind.rawValue).tar.gz"
    let tar = try await Program.tool("tar", ["-xzf", file, "-C", stage.home])
    #expect(tar.code == 0, "\(tar.output)")
  }

  private static func titles(_ stage: SourceStage, _ words: String...) async throws -> Set<String> {
    let list = try await Program.run(
      ["list", "--json"] + words, home: stage.home, environment: stage.environment)
    #expect(list.code == 0, "\(list.error)")
    return Set(
      list.output.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /"title":"([^"]*)"/).map { String($0.1) }
      })
  }

  @Test(arguments: BuiltInSource.allCases, days)
  func `an archive of an earlier version is opened as it is, without the network`(
    kind: BuiltInSource, day: String
  ) async throws {
    try await SourceStage.with(kind) { stage in
      try await Self.unpack(stage, of: day)
      let bundles = stage.bundles()
      #expect(bundles.count == SourceStage.count)
      #expect(try await Self.titles(stage).count == SourceStage.count)
      let verification = try await stage.verify()
      #expect(verification.code == 0, "\(verification)")
      let render = try await stage.archiver("render")
      #expect(render.code == 0, "\(render)")
      let site = try await stage.archiver("site")
      #expect(site.code == 0, "\(site)")
      #expect(stage.requests.isEmpty, "\(stage.requests.map(\.path))")
      #expect(stage.bundles() == bundles)
      #expect(try await stage.damage() == [])
      let search = try await stage.archiver("search", Self.word(kind))
      #expect(search.output.contains(Self.title(kind)), "\(search)")
    }
  }

  @Test(arguments: BuiltInSource.allCases, days)
  func `a run over an archive of an earlier version fetches nothing that is there`(
    kind: BuiltInSource, day: String
  ) async throws {
    try await SourceStage.with(kind) { stage in
      try await Self.unpack(stage, of: day)
      stage.changeOne()
      let before = try await Self.titles(stage)
      let run = try await stage.archiver("run", "--source", kind.rawValue)
      #expect(run.code == 0, "\(run)")
      let fetched = stage.requests.filter {
        $0.path.hasSuffix(".gif") || $0.path.hasPrefix("/files/") || $0.path.hasPrefix("/covers/")
      }
      // The test's servers have other addresses, which are part of a book's revision.
      if kind != .books { #expect(fetched.isEmpty, "\(fetched.map(\.path))") }
      #expect(try await Self.titles(stage) == before)
      #expect(try await stage.verify().code == 0)
      // The earlier version of the changed item exists.
      let kept = stage.bundles().count {
        FileManager.default.fileExists(atPath: $0 + "/versions")
      }
      #expect(kind == .books ? kept >= 1 : kept == 1)
    }
  }

  @Test(arguments: BuiltInSource.allCases, days)
  func `a catalog of an earlier version can be rebuilt from its bundles`(
    kind: BuiltInSource, day: String
  ) async throws {
    try await SourceStage.with(kind) { stage in
      try await Self.unpack(stage, of: day)
      let before = try await Self.titles(stage)
      for end in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(
          atPath: stage.archive + "/.archiver/catalog.sqlite\(end)")
      }
      let repair = try await stage.archiver("repair", "--catalog")
      #expect(repair.code == 0, "\(repair)")
      #expect(try await Self.titles(stage) == before)
      #expect(try await stage.damage() == [])
    }
  }

  private static func word(_ kind: BuiltInSource) -> String {
    kind == .notion ? "word1" : title(kind)
  }

  private static func title(_ kind: BuiltInSource) -> String {
    switch kind {
    case .readeck: "Article 1"
    case .notion: "Page 1"
    case .books: "Book 1"
    }
  }
}
