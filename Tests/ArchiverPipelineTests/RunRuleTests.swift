import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// What the options of a run, and its report, mean.
struct RunRuleTests {
  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (256, 256), (257, 256)])
  func `downloads run at once are 1 to 256`(jobs: Int, expected: Int) {
    let options = RunOptions(jobs: jobs, jobsPerHost: 1_000)
    #expect(options.jobs == expected && options.jobsPerHost == expected)
  }

  private static func source(origin: Origin?) -> RunSource {
    RunSource(
      name: "scripted", kind: "scripted",
      properties: AdapterProperties(
        title: "", summary: "", settings: [], ownHosts: ["files.example", "other.example"]),
      adapter: ScriptedAdapter(source: ScriptedSource()),
      client: HandlerHTTPClient(handlers: [:]), origin: origin)
  }

  @Test func `a source's own settings replace those of the run`() {
    var source = Self.source(origin: nil)
    let options = RunOptions(maxItems: 5, keepVersions: 4)
    #expect(options.for(source).maxItems == 5 && options.for(source).keepVersions == 4)
    source.maxItems = 0
    source.keepVersions = 0
    #expect(options.for(source).maxItems == 0 && options.for(source).keepVersions == 0)
  }

  @Test(
    arguments: [
      ("http://source.example/a", true), ("https://source.example/a", false),
      ("http://source.example:81/a", false), ("https://files.example/a", true),
      ("http://other.example/b", true), ("https://third.example/a", false), ("data:", false),
      ("", false),
    ])
  func `files of a source's own server and hosts are its own`(address: String, isOwn: Bool) throws {
    let origin = try #require(WebURL(ScriptedSource.origin + "/")).origin
    #expect(Self.source(origin: origin).isOwn(address) == isOwn)
  }

  @Test func `the revision of a page tells its language and what its book lacks`() {
    let plain = PageRenderer.revision
    #expect(PageRenderer.revision(in: .english) == plain)
    for (place, words) in Words.all.enumerated() {
      #expect(PageRenderer.revision(in: words) == plain + place * 1_000)
    }
    for (number, need) in [PageNeed.bookProgram, .djvuPrograms, .comicLibrary].enumerated() {
      let expected = plain + (number + 1) * 1_000_000
      #expect(PageRenderer.revision(in: .english, lacking: need) == expected)
    }
  }

  @Test func `pages that lack what is not installed are settled`() {
    func needs(_ change: (inout RunOptions) -> Void) -> [PageNeed] {
      var options = RunOptions()
      change(&options)
      let settled = PageRenderer.settled(options)
      #expect(settled.contains(PageRenderer.revision))
      return [PageNeed.bookProgram, .djvuPrograms].filter {
        settled.contains(PageRenderer.revision(in: .english, lacking: $0))
      }
    }
    let (book, scans) = (
      BookProgram(path: "/x", searchPath: ""),
      DjVuPrograms(words: "/x", pictures: nil, searchPath: "")
    )
    #expect(needs { _ in } == [.bookProgram, .djvuPrograms])
    #expect(needs { $0.bookProgram = book } == [])
    #expect(needs { $0.djvuPrograms = scans } == [.bookProgram])
  }

  @Test(
    arguments: [
      ("image/vnd.djvu", .djvuPrograms), ("application/rtf", .bookProgram),
      ("application/pdf", nil),
    ] as [(String, PageNeed?)])
  func `a file needs the program that reads it`(type: String, need: PageNeed?) {
    #expect(PageNeed(mediaType: type) == need)
  }

  @Test func `ids are unknown only if every source was asked`() {
    func report(_ unknown: [String], _ failure: AdapterError? = nil) -> SourceReport {
      var report = SourceReport(name: "s", kind: "s")
      report.unknown = unknown
      report.failure = failure
      return report
    }
    let (one, other) = (report(["a", "b", "c"]), report(["c", "b"]))
    #expect(RunReport(sources: [one, other]).unknownIDs == ["b", "c"])
    #expect(RunReport().unknownIDs == [])
    let failed = report([], AdapterError(.unavailable, "503"))
    #expect(RunReport(sources: [one, failed]).unknownIDs == [])
    let damaged = RunReport(sources: [one], failure: StorageError(.damaged, "no"))
    #expect(damaged.unknownIDs == [])
  }

  @Test func `a run is whole if nothing at all failed`() {
    func isWhole(_ change: (inout SourceReport) -> Void) -> Bool {
      var report = SourceReport(name: "s", kind: "s")
      change(&report)
      return report.isWhole
    }
    #expect(isWhole { $0.archived = 3 })
    #expect(!isWhole { $0.failed = [.init(id: "a", title: "", message: "")] })
    #expect(!isWhole { $0.unreached = 1 })
    #expect(!isWhole { $0.gaps = [ListingGap("gap", isEssential: true)] })
    #expect(!isWhole { $0.failure = AdapterError(.unavailable, "503") })
  }

  @Test(arguments: [(0, nil), (1, "1 item;"), (2, "2 items;")])
  func `a record says for how many items the server was out of reach`(count: Int, words: String?) {
    var report = SourceReport(name: "s", kind: "s")
    report.unreached = count
    let sentence = words.map {
      "the server could not be reached for parts of \($0) the next run retries"
    }
    #expect(report.unreachedSentence == sentence)
  }

  @Test(
    arguments: [
      ("", "https://a.test/", "a.test"), ("", "https://a.test/b?c=1", "a.test/b"), ("", nil, "id"),
      ("Title", "https://a.test/b", "Title"), ("", "no address", "id"),
    ] as [(String, String?, String)])
  func `an item without a title goes by its address or id`(
    title: String, url: String?, shown: String
  ) {
    var metadata = ItemMetadata(kind: .article, title: title)
    metadata.url = url
    let item = SourceItem(
      reference: ItemReference(id: "id", revision: "1"), metadata: metadata, body: .none(reason: "")
    )
    #expect(item.title(ItemKey(source: "s", id: "id")) == shown)
  }

  /// Calls `body` with a catalog of items that are archived as they are listed, the newest last.
  private func withArchived(
    _ count: Int, sameDate: Bool = false, _ body: (Bench) async throws -> Void
  ) async throws {
    let source = ScriptedSource()
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    for number in 0..<count {
      var item = ScriptedSource.article(number, pictures: 0)
      if sameDate { item.date = date }
      source.set(item)
    }
    try await Bench.with(source) { bench in
      try bench.record((0..<count).map { "item\($0)" })
      try await body(bench)
    }
  }

  @Test(arguments: [(3, false, [2, 1]), (3, true, [0, 1]), (130, false, [129, 128])])
  func `a forced run of a few items takes the newest`(
    count: Int, sameDate: Bool, expected: [Int]
  ) async throws {
    try await withArchived(count, sameDate: sameDate) { bench in
      let trial = await bench.dryRun {
        $0.force = true
        $0.maxItems = 2
        $0.fullListing = true
      }
      let report = try #require(trial.sources.first)
      #expect(report.wouldFetch.map(\.id) == expected.map { "item\($0)" })
      #expect((report.plan.unchanged, report.plan.changed) == (count - 2, 2))
      #expect(report.plan.selected == 2 && report.waiting == 0)
    }
  }

  @Test func `a forced run of named items takes these alone`() async throws {
    try await withArchived(5) { bench in
      let trial = await bench.dryRun {
        $0.force = true
        $0.only = ["item3", "item1"]
      }
      let report = try #require(trial.sources.first)
      #expect(report.wouldFetch.map(\.id) == ["item3", "item1"])
      #expect((report.plan.unchanged, report.plan.changed) == (3, 2))
    }
  }
}
