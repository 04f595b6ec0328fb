#if !LIBFUZZER
  import ArchiverCore
  import ArchiverFuzzing

  /// Runs targets with the seeded generator for a limited time.
  ///
  ///     archiver-fuzz CORPUS FINDINGS MINUTES SEED [TARGET…]
  @main
  struct Generated {
    static func main() async throws {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard arguments.count >= 4, let minutes = Double(arguments[2]),
        let seed = UInt64(arguments[3])
      else {
        print("archiver-fuzz CORPUS FINDINGS MINUTES SEED [TARGET…]; Scripts/fuzz calls it")
        return
      }
      let wanted = Set(arguments.dropFirst(4))
      let all = try await FuzzTarget.all()
      let targets = all.filter { wanted.isEmpty || wanted.contains($0.name) }
      guard !targets.isEmpty else {
        print("There is no such target; they are: \(all.map(\.name).joined(separator: ", "))")
        return
      }
      // Only inputs of one megabyte, each with the time limit that the parsers guarantee.
      let isCostly = ProcessInfo.processInfo.environment["ARCHIVER_FUZZ_COSTLY"] != nil
      let share = Duration.seconds(minutes * 60 / Double(targets.count))
      for target in targets {
        let folder = try FindingFolder(arguments[1], target: target.name)
        let corpus = FindingFolder.inputs(arguments[0] + "/" + target.name)
        let clock = ContinuousClock()
        let end = clock.now + share
        let run = FuzzRun(target, seed: seed)
        let result =
          isCostly
          ? await run.run(Inflation(size: 1_000_000), before: { folder.announce($0) })
          : await run.run(
            corpus: corpus, before: { folder.announce($0) }, while: { _ in clock.now < end })
        for finding in result.findings { folder.keep(finding) }
        folder.forget()
        print("\(target.name): \(result.inputs) inputs, \(result.findings.count) findings")
      }
    }
  }
#endif
