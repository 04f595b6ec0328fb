import ArchiverCore
import ArchiverPipeline
import ArchiverTestKit
import Testing

/// Tests that use so much of the machine that they would disturb other measurements: serialised.
@Suite(.serialized) enum HeavyTests {}

extension HeavyTests {
  /// Content made to exhaust resources fails quickly, with an error that names the limit.
  @Suite(.serialized) struct LimitTests {
    /// Seconds on an idle machine; hours if the time were quadratic in the size.
    private static let patience = Duration.seconds(120)

    private func failure(of html: String) async throws -> String {
      let source = ScriptedSource(count: 2)
      source.set(ScriptedSource.Item(id: "big", title: "Big", html: html))
      var message = ""
      try await Bench.with(source) { bench in
        let start = ContinuousClock.now
        let report = try await bench.run()
        #expect(ContinuousClock.now - start < LimitTests.patience)
        #expect(report.archived == 2, "the others are not held up")
        message = report.failed.first?.message ?? ""
        #expect(try await bench.verify().isEmpty)
      }
      return message
    }

    @Test func `a body beyond 20 MB fails by itself and names its setting`() async throws {
      let message = try await failure(of: String(repeating: "<p>words ", count: 2_300_000))
      #expect(message.contains("(limits.htmlSize is 20M)"), "\(message)")
    }

    @Test func `too many images fail by themselves and name the setting`() async throws {
      let message = try await failure(
        of: (0..<10_001).map { "<img src=\"/p/\($0).gif\">" }.joined())
      #expect(message.contains("(limits.images is 10000)"), "\(message)")
    }

    @Test func `an image that is too large is missing and says which limit`() async throws {
      let source = ScriptedSource()
      source.set(ScriptedSource.article(0))
      source.picture(
        "/pic/0-0.gif",
        .data(ScriptedSource.gif("x") + [UInt8](repeating: 0, count: 5_000), type: "image/gif"))
      try await Bench.with(source) { bench in
        let report = try await bench.run { $0.limits[.imageSize] = 4_000 }
        #expect(report.archived == 1)
        #expect(report.imagesMissing == 1)
        let record = try bench.text("item0", "item.json")
        #expect(record.contains("(limits.imageSize is 4K)"), "\(record)")
      }
    }
  }
}
