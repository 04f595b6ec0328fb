import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Feeds a target with inputs made by a seeded generator and keeps what it breaks on.
package struct FuzzRun: Sendable {
  /// An input that broke a promise.
  package struct Finding: Sendable {
    package let input: [UInt8]
    /// What went wrong, as sentences.
    package let problems: [String]
  }

  package let target: FuzzTarget
  package let seed: UInt64
  /// The most processor time that one input may take; the clock would judge the machine's other work.
  package let slowest: Duration

  package init(_ target: FuzzTarget, seed: UInt64, slowest: Duration = .seconds(2)) {
    self.target = target
    self.seed = seed
    self.slowest = slowest
  }

  /// Reads the seeds and `corpus` as they are, then inputs made of them, until `goesOn` says no.
  ///
  /// `before` receives each input first, so that one that kills the process is not lost. Returns
  /// the number of inputs read, and the first findings, at most ten.
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

  /// Reads seeds that were blown up: of all that `inflation` makes at most `most`, spread evenly.
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

  /// The processor time that this process has taken.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
