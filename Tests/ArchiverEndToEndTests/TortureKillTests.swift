import ArchiverCore
import ArchiverTestKit
import Testing

/// Kills the program at random moments.
@Suite(.serialized) struct TortureKillTests {
  private struct Figures {
    var killed = 0
    var finished = 0
    var lost = 0
    var half = 0
    var slowest = Duration.zero
  }

  @Test func `killed at random points, it loses nothing and leaves nothing half`() async throws {
    try await Stage.with(articles: 12) { stage in
      var figures = Figures()
      // How long an undisturbed run takes: less when the tests beside this one are done.
      var typical = try await recover(stage)
      var random = SystemRandomNumberGenerator()
      let points = Torture.isLong ? 200 : 20
      while figures.killed < points {
        change(stage, &random)
        let before = Set(try stage.bundles())
        let process = try Program.start(
          ["run", "--source", "readeck", "--quiet"], home: stage.home,
          environment: stage.environment)
        let delay = typical * Double.random(in: 0...1.2, using: &random)
        try await Task.sleep(for: delay)
        process.signal(SIGKILL)
        if try await process.wait() == 137 { figures.killed += 1 } else { figures.finished += 1 }
        try await judge(stage, before: before, &figures)
        if (figures.killed + figures.finished) % 10 == 0 {
          typical = try await recover(stage)
          figures.slowest = max(figures.slowest, typical)
        }
      }
      figures.slowest = max(figures.slowest, try await recover(stage))
      #expect(try stage.bundles().count == stage.readeck.ids.count)
      #expect(figures.lost == 0)
      #expect(figures.half == 0)
      Torture.table(
        "Kills",
        [
          ["points killed", "\(figures.killed)"],
          ["ended before the kill", "\(figures.finished)"],
          ["bundles lost", "\(figures.lost)"], ["bundles half-written", "\(figures.half)"],
          ["slowest recovery", Torture.seconds(figures.slowest)],
        ])
    }
  }

  /// Gives the next run something to replace, something to add and something to label.
  private func change(_ stage: Stage, _ random: inout SystemRandomNumberGenerator) {
    let ids = stage.readeck.ids
    for id in ids.shuffled(using: &random).prefix(5) {
      let number = Int.random(in: 0..<1_000_000, using: &random)
      stage.readeck.update(id) { $0.html = ($0.html ?? "") + "<p>changed \(number)</p>" }
    }
    if let id = ids.randomElement(using: &random) { stage.readeck.label(id, ["l\(ids.count)"]) }
    if ids.count < 40 { stage.readeck.add(Stage.article(ids.count)) }
  }

  private func judge(
    _ stage: Stage, before: Set<String>, _ figures: inout Figures
  ) async throws {
    let lost = before.subtracting(try stage.bundles())
    figures.lost += lost.count
    #expect(lost.isEmpty)
    let verify = try await stage.verify()
    if verify.code != 0 { figures.half += 1 }
    #expect(verify.code == 0, "\(verify.output)\(verify.error)")
  }

  /// Expects the next undisturbed run to bring everything up to date; returns how long it took.
  private func recover(_ stage: Stage) async throws -> Duration {
    let start = ContinuousClock.now
    let result = try await stage.run()
    let elapsed = ContinuousClock.now - start
    #expect(result.code == 0)
    let verify = try await stage.verify()
    #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    let staging = try FileManager.default.contentsOfDirectory(
      atPath: stage.archive + "/.archiver/staging")
    #expect(staging.isEmpty, "\(staging)")
    return elapsed
  }
}
