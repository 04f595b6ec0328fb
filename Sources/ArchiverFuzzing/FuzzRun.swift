import ArchiverCore

/// Runs a target with inputs of a seeded generator and keeps failing ones.
package struct FuzzRun: Sendable {
  /// An input that violated a property.
  package struct Finding: Sendable {
    package let input: [UInt8]
    /// The violations, as sentences.
    package let problems: [String]
  }

  package let target: FuzzTarget
  package let seed: UInt64
  /// The maximum processor time for one input; elapsed time would depend on other work of the
  /// machine.
  package let slowest: Duration

  package init(_ target: FuzzTarget, seed: UInt64, slowest: Duration = .seconds(2)) {
    self.target = target
    self.seed = seed
    self.slowest = slowest
  }

  /// Processes the seeds and `corpus` unchanged, then inputs derived from them, until `goesOn`
  /// returns false.
  ///
  /// `before` receives each input first, so that one that kills the process is not lost. Returns
  /// the number of inputs, and at most the first ten findings.
  package func run(
    corpus: [[UInt8]] = [], before: @Sendable ([UInt8]) -> Void = { _ in },
    while goesOn: @Sendable (Int) -> Bool
  ) async -> (inputs: Int, findings: [Finding]) {
    let known = target.seeds + corpus
    var mutator = Mutator(seed: seed, dictionary: target.dictionary)
    var findings: [Finding] = []
    var count = 0
    while findings.count < 10, count < known.count || goesOn(count) {
      let input = count < known.count ? known[count] : mutator.next(from: known)
      before(input)
      let problems = await problems(of: input)
      if !problems.isEmpty { findings.append(Finding(input: input, problems: problems)) }
      count += 1
    }
    return (count, findings)
  }

  /// Processes inflated seeds: at most `most` of those that `inflation` makes, evenly distributed.
  package func run(
    _ inflation: Inflation, most: Int = .max, before: @Sendable ([UInt8]) -> Void = { _ in }
  ) async -> (inputs: Int, findings: [Finding]) {
    let makes = inflation.inputs(of: target)
    let step = max(1, makes.count / most)
    var findings: [Finding] = []
    var count = 0
    for index in stride(from: Int(seed % UInt64(step)), to: makes.count, by: step) {
      let input = makes[index]()
      before(input)
      let problems = await problems(of: input)
      if !problems.isEmpty { findings.append(Finding(input: input, problems: problems)) }
      count += 1
      if findings.count == 10 { break }
    }
    return (count, findings)
  }

  private func problems(of input: [UInt8]) async -> [String] {
    let start = FuzzRun.processorTime
    var problems = await target.check(input)
    let time = FuzzRun.processorTime - start
    if time > slowest { problems.append("\(input.count) bytes took \(time)") }
    return problems
  }

  /// The processor time of this process.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
