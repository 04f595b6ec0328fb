import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// What a run does unless an option says otherwise, and what a report contains before anything happens.
struct RunDefaultsTests {
  @Test func `without options a run takes all that is due and replaces nothing by worse copies`() {
    let options = RunOptions()
    #expect(options.maxItems == nil && options.only.isEmpty)
    #expect(options.jobs == 16 && options.jobsPerHost == 6 && options.keepVersions == 3)
    #expect(options.fetchImages && !options.dryRun)
    #expect(!options.force && !options.fullListing)
    #expect(!options.repairs && !options.acceptsAccount && !options.acceptsWorse)
    #expect(options.patience == .zero && options.timeLimit == nil)
    #expect(options.onDeleted == .mark && options.onConflict == .server)
    #expect(options.generator == "archiver")
  }

  @Test(arguments: [(1, 0), (2, 1), (16, 15), (256, 255)])
  func `as many downloads as jobs but one are prepared ahead`(jobs: Int, ahead: Int) {
    #expect(RunOptions(jobs: jobs).downloadsAhead == ahead)
  }

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (3, 3), (4, 4), (5, 4)])
  func `downloads from one host are 1 to the number of jobs`(asked: Int, expected: Int) {
    #expect(RunOptions(jobs: 4, jobsPerHost: asked).jobsPerHost == expected)
  }

  @Test func `a report of a run that did nothing counts nothing`() {
    let report = RunReport()
    #expect(report.sources.isEmpty && report.duration == .zero && report.failure == nil)
    #expect(!report.wasCancelled && !report.isTimeUp)
    #expect(report.remade == 0 && report.notRemade.isEmpty && report.libraryTroubles.isEmpty)
  }

  @Test func `a report of a source that did nothing counts nothing`() {
    let report = SourceReport(name: "a", kind: "b")
    #expect((report.archived, report.unchanged, report.stillFailing) == (0, 0, 0))
    #expect((report.leftOut, report.unreached, report.waiting) == (0, 0, 0))
    #expect((report.images, report.imagesMissing, report.byteCount) == (0, 0, 0))
    #expect(!report.hasChanged && !report.needsDecision && report.isWhole)
    let note = SourceReport.ItemNote(id: "a", title: "b", message: "c")
    #expect(!note.isBookWithoutFile)
  }

  @Test(arguments: [(nil, false), (false, false), (true, true)] as [(Bool?, Bool)])
  func `deletions need a decision only if they were refused`(refused: Bool?, isNeeded: Bool) {
    var report = SourceReport(name: "a", kind: "b")
    report.vanished = refused.map {
      SourceReport.Vanished(count: 2, total: 3, wasRefused: $0)
    }
    #expect(report.needsDecision == isNeeded)
    report.heldBack = [SourceReport.ItemNote(id: "a", title: "b", message: "c")]
    #expect(report.needsDecision)
  }

  @Test func `a program that converts a book has five minutes`() {
    #expect(BookProgram.longest == .seconds(300))
  }

  @Test func `comics are opened if their library is among the versions`() {
    let isNamed = PipelineLibraries.versions.contains { $0.hasPrefix("libarchive/") }
    #expect(PipelineLibraries.opensComics == isNamed)
  }
}
