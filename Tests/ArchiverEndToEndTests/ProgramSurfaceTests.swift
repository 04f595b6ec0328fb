import ArchiverCore
import ArchiverTestKit
import Testing

/// All outputs report the missing parts of a program's items consistently.
@Suite struct ProgramSurfaceTests {
  typealias Fate = SurfaceTests.Fate

  private static func missing(_ fate: Fate) -> String {
    switch fate {
    case .failed:
      #"{"kind":"mainFile","name":"a.pdf","reason":"the store is shut","essential":true}"#
    case .incomplete:
      #"{"kind":"picture","name":"p.gif","reason":"the store is shut","essential":false}"#
    case .goneForGood:
      #"{"kind":"picture","name":"p.gif","reason":"the store is shut","essential":false,"permanent":true}"#
    case .complete: ""
    }
  }

  private static func program(_ fate: Fate) -> String {
    ProgramHome.program(
      "sample",
      item: "echo '{\"type\":\"item\",\"metadata\":{\"kind\":\"article\",\"title\":\"One\"},"
        + "\"html\":\"<p>Words of it</p>\",\"missing\":[\(missing(fate))]}'")
  }

  @Test(arguments: Fate.allCases)
  func `every surface says the same of a program's item`(fate: Fate) async throws {
    try await ProgramHome.with([]) { home in
      try home.install("sample", Self.program(fate))
      let (isFailed, isIncomplete) = (fate == .failed, fate == .incomplete)
      let run = try await home.archiver(
        "run", "--source", "sample", "--metrics", home.folder + "/metrics")
      #expect(run.code == (isFailed ? 1 : 0), "\(run)")
      let last = run.error.split(separator: "\n").last ?? ""
      #expect(last.contains("see 'archiver list --failed'") == isFailed, "\(last)")
      #expect(last.contains("missing for now; it will be retried") == isIncomplete, "\(last)")
      let isLost = last.contains("1 image without a URL is missing")
      #expect(isLost == (fate == .goneForGood), "\(last)")

      let failed = try await home.archiver("list", "--failed").output
      #expect((failed == "Nothing failed.\n") == !isFailed, "\(failed)")
      let all = try await home.archiver("list", "--failed", "--all").output
      #expect(all.contains("the store is shut") == (isFailed || isIncomplete), "\(all)")
      for status in ["failed", "incomplete"] {
        let list = try await home.archiver("list", "--status", status, "--json").output
        #expect(list.contains("\"One\"") == (status == fate.rawValue), "\(status): \(list)")
      }
      let status = try await home.archiver("status")
      #expect(status.output.contains("some items fail") == isFailed, "\(status.output)")
      #expect(status.output.contains("ok, 1 incomplete") == isIncomplete, "\(status.output)")
      #expect(try await home.archiver("status", "--check").code == (isFailed ? 1 : 0))
      #expect(try await home.archiver("verify").code == (isFailed ? 1 : 0))
      let retry = try await home.archiver("retry", "--all").output
      #expect(retry.contains("1 item will be retried") == (isFailed || isIncomplete))

      #expect(
        try home.text("library/problems.html").contains("the store is shut") == (fate != .complete))
      let page = try home.page(of: "sample", containing: "One")
      #expect(page.contains("the store is shut") == (fate != .complete))
      let metrics = String(
        decoding: try Data(contentsOf: URL(filePath: home.folder + "/metrics")), as: UTF8.self)
      let labels = "{source=\"sample\",kind=\"sample\"}"
      #expect(metrics.contains("archiver_source_failing_items\(labels) \(isFailed ? 1 : 0)\n"))
      #expect(
        metrics.contains("archiver_source_incomplete_items\(labels) \(isIncomplete ? 1 : 0)\n"))

      let second = try await home.archiver("run", "--source", "sample", "--quiet")
      #expect(second.code == (isFailed ? 1 : 0))
      #expect(second.error.isEmpty == !isFailed, "\(second.error)")
    }
  }
}
