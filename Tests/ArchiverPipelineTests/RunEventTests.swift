import ArchiverCore
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What others can see of a run while it works.
@Suite struct RunEventTests {
  /// Records when the work on each item begins and ends.
  private final class Diary: EventSink {
    private let lines = Mutex<[String: [String]]>([:])

    var byItem: [String: [String]] { lines.withLock { $0 } }

    func send(_ event: Event) {
      switch event {
      case .itemStarted(_, let id, let title): add("begin \(title)", id)
      case .itemFinished(_, let id, let title, _): add("end \(title)", id)
      default: break
      }
    }

    private func add(_ line: String, _ id: String) {
      lines.withLock { $0[id, default: []].append(line) }
    }
  }

  /// Reads an item's status whenever a file was fetched.
  private final class StatusReader: EventSink {
    private let bench: Bench
    private let found = Mutex<[ItemStatus?]>([])

    var statuses: [ItemStatus?] { found.withLock { $0 } }

    init(_ bench: Bench) { self.bench = bench }

    func send(_ event: Event) {
      guard case .assetFinished = event else { return }
      let status = try? bench.status("item0")
      found.withLock { $0.append(status) }
    }
  }

  @Test func `the work on each item is told when it begins and when it ends`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      let diary = Diary()
      _ = try await bench.report(events: diary)
      #expect(
        diary.byItem == [
          "item0": ["begin Article 0", "end Article 0"],
          "item1": ["begin Article 1", "end Article 1"],
        ])
    }
  }

  @Test func `an item is downloading while its files are fetched`() async throws {
    let source = ScriptedSource(count: 1)
    let url = try #require(WebURL(ScriptedSource.origin + "/file.pdf"))
    source.change("item0") {
      $0.attachments = [
        Attachment(.file, .remote(url), name: "file.pdf", mediaType: "application/pdf")
      ]
    }
    try await Bench.with(source) { bench in
      let reader = StatusReader(bench)
      _ = try await bench.report(events: reader)
      #expect(!reader.statuses.isEmpty)
      #expect(reader.statuses.allSatisfy { $0 == .downloading })
      #expect(try bench.status("item0") != .downloading)
    }
  }
}
