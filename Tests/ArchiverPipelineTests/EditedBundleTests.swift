import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// What happens to a bundle that was edited by hand when its item changes at the source.
struct EditedBundleTests {
  private static let words = "the words of a reader "

  /// Calls `body` with an archive whose only item was edited.
  private func withEdited(_ body: (Bench, ScriptedSource) async throws -> Void) async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      try bench.write("item0", "index.html", page.replacing("word0x1 ", with: Self.words))
      try await body(bench, source)
    }
  }

  private func verdict(
    _ bench: Bench, modified: Date? = nil, _ change: (inout RunOptions) -> Void
  ) throws -> Conflict.Verdict {
    var options = RunOptions()
    change(&options)
    let item = try bench.item("item0")
    var metadata = item.metadata
    metadata.modified = modified
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    return try Conflict(options: options, archive: bench.archive, now: now).verdict(item, metadata)
  }

  @Test(arguments: ConflictPolicy.allCases)
  func `a bundle as it was written, or none, is no conflict`(policy: ConflictPolicy) async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      let whole = try verdict(bench) { $0.onConflict = policy }
      #expect(whole == Conflict.Verdict.none)
      let folder = "\(bench.path)/\(try bench.item("item0").folder)"
      try FileManager.default.removeItem(atPath: folder)
      let missing = try verdict(bench) { $0.onConflict = policy }
      #expect(missing == Conflict.Verdict.none)
    }
  }

  @Test(arguments: ConflictPolicy.allCases)
  func `a repair discards what was edited`(policy: ConflictPolicy) async throws {
    try await withEdited { bench, _ in
      let found = try verdict(bench) {
        $0.onConflict = policy
        $0.repairs = true
      }
      #expect(found == .discard)
      #expect(try bench.bundles().count == 1, "no copy is made")
    }
  }

  @Test func `the policy decides which copy stays`() async throws {
    try await withEdited { bench, _ in
      let server = try verdict(bench) { $0.onConflict = .server }
      #expect(
        server == .keepVersion("it was edited here; the edited copy is an earlier version"))
      let local = try verdict(bench) { $0.onConflict = .local }
      #expect(local == .keepLocal)
    }
  }

  @Test(arguments: [(-1, true), (0, false), (1, false), (nil, false)] as [(Double?, Bool)])
  func `with the policy newer the copy here stays if it changed later`(
    change: Double?, staysHere: Bool
  ) async throws {
    try await withEdited { bench, _ in
      let edited = try #require(try bench.archive.lastChange(of: bench.item("item0").folder))
      let found = try verdict(bench, modified: change.map { edited.addingTimeInterval($0) }) {
        $0.onConflict = .newer
      }
      let earlier = "it was edited here earlier; the edited copy is an earlier version"
      #expect(found == (staysHere ? .keepLocal : .keepVersion(earlier)))
    }
  }

  @Test func `with the policy both the edited bundle is copied beside itself`() async throws {
    try await withEdited { bench, _ in
      guard case .keepVersion(let note) = try verdict(bench, { $0.onConflict = .both }) else {
        Issue.record("the edited copy is not kept")
        return
      }
      let copy = try #require(note.split(separator: " ").last)
      #expect(note == "it was edited here; the edited copy is in \(copy)")
      let page = FileManager.default.contents(atPath: "\(bench.path)/\(copy)/index.html")
      #expect(String(decoding: page ?? Data(), as: UTF8.self).contains(Self.words))
      #expect(try bench.bundles().count == 2)
    }
  }

  @Test func `a run keeps an edited copy as a version even if no versions are configured`()
    async throws
  {
    try await withEdited { bench, source in
      source.change("item0") {
        $0.revision = "2"
        $0.labels = ["new"]
      }
      let report = try await bench.run { $0.keepVersions = 0 }
      #expect(report.archived == 1 && report.kept.isEmpty)
      #expect(report.conflicts.map(\.id) == ["item0"])
      let versions = try bench.item("item0").versions
      #expect(versions.count == 1)
      #expect(
        try bench.text("item0", "versions/\(versions.first ?? "")/index.html").contains(Self.words))
      #expect(try !bench.page("item0").contains(Self.words))
    }
  }

  @Test func `a run leaves an edited copy alone if the local one is to stay`() async throws {
    try await withEdited { bench, source in
      let page = try bench.page("item0")
      source.change("item0") {
        $0.revision = "2"
        $0.labels = ["new"]
      }
      let report = try await bench.run { $0.onConflict = .local }
      #expect(report.archived == 0 && report.conflicts.isEmpty)
      #expect(report.kept.map(\.message) == ["it was edited here"])
      #expect(report.heldBack.isEmpty, "a person knows what they edited")
      #expect(try bench.page("item0") == page)
      #expect(try await bench.run { $0.onConflict = .local }.kept.isEmpty)
    }
  }
}

/// What a repair fetches again.
struct RepairTests {
  @Test(arguments: VerificationProblem.Kind.allCases)
  func `damage of a bundle makes its item wanted, damage of a version does not`(
    kind: VerificationProblem.Kind
  ) async throws {
    let counts: Set<VerificationProblem.Kind> = [
      .missing, .hashMismatch, .noChecksums, .noRecord, .bundleMissing, .catalogMismatch,
    ]
    try await Bench.with(ScriptedSource()) { bench in
      try bench.record(["a", "b", "c"])
      let folders = [
        "scripted/unknown", "scripted/a/versions/2026-01-01", "scripted/b", "scripted/c",
      ]
      let repair = try Repair(
        folders.map { VerificationProblem(kind, folder: $0) }, links: [], in: bench.archive)
      let expected: [String: Set<String>] =
        counts.contains(kind) ? ["scripted": ["b", "c"]] : [:]
      #expect(repair.wanted == expected)
    }
  }

  @Test func `a broken link makes the item of its page wanted`() async throws {
    try await Bench.with(ScriptedSource()) { bench in
      try bench.record(["a", "b", "c"])
      let pages = ["scripted/gone/index.html", "scripted/a/index.html", "scripted/c/book/1.html"]
      let repair = try Repair(
        [], links: pages.map { LinkVerification.Finding(page: $0, address: "x") },
        in: bench.archive)
      #expect(repair.wanted == ["scripted": ["a", "c"]])
    }
  }

  @Test func `a run for a repair takes the damaged items alone, all of them`() async throws {
    try await Bench.with(ScriptedSource()) { bench in
      try bench.record(["a", "b", "c"])
      let repair = try Repair(
        ["c", "a"].map { VerificationProblem(.missing, folder: "scripted/\($0)") }, links: [],
        in: bench.archive)
      #expect(repair.options(for: "other", RunOptions()) == nil)
      let options = try #require(repair.options(for: "scripted", RunOptions(maxItems: 1)))
      #expect(options.only == ["a", "c"] && options.maxItems == nil)
      #expect(options.force && options.repairs)
    }
  }

  @Test func `a bundle that lost a file is whole after a repair, without a version`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      _ = try await bench.run()
      let file = try #require(try bench.files("item1").first)
      try FileManager.default.removeItem(
        atPath: "\(bench.path)/\(try bench.item("item1").folder)/\(file)")
      let problems = try await bench.archive.verify().problems
      let repair = try Repair(problems, links: [], in: bench.archive)
      let options = try #require(repair.options(for: "scripted", RunOptions(maxItems: 0)))
      let before = bench.source.itemRequests.count
      let report = try await bench.run { $0 = options }
      #expect(report.archived == 1 && report.conflicts.isEmpty)
      #expect(Array(bench.source.itemRequests.dropFirst(before)) == ["item1"])
      #expect(try bench.item("item1").versions.isEmpty)
      #expect(try await bench.verify().isEmpty)
    }
  }
}
