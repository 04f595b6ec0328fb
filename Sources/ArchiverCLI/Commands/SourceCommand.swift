import ArchiverConformance
import ArchiverCore
import ArchiverPipeline
import Synchronization

/// `archiver source test`.
enum SourceCommand {
  static let command = Command(
    "source", summary: "test a source against the adapter contract",
    discussion: [
      "Lists the source several times and fetches up to five of its items, to test whether it "
        + "keeps the contract that archiving relies on: the same ids each time, items in any "
        + "order, no content for a deleted item. Keys and values of a program that have no "
        + "effect are named. For authors of adapters and of programs that "
        + "act as sources. Nothing is archived; the source should have two items or more, and "
        + "should not change during the test."
    ],
    operands: [
      Command.Operand("ACTION", .choice(["test"]), help: "test"),
      Command.Operand("NAME", .source, help: "The source's name"),
    ],
    options: [.config, .json],
    examples: [
      Command.Example(
        "archiver source test feed", "Tests the program archiver-source-feed as configured.")
    ],
    exitCodes: [.success, .someFailed, .source, .interrupted],
    meaningOfOne: "The source breaks the contract.",
    confinement: .asking(
      { _ in .leave },
      { settings, arguments in [try settings.source(named: arguments.operands[1])] }),
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let name = invocation.arguments.operands[1]
    let settings = try RunSettings(invocation)
    let source = try settings.source(named: name)
    if let problem = source.kind.problem { throw AdapterError(.unavailable, problem) }
    let environment = invocation.environment
    let remarks = RemarkPrinter(output: environment.error)
    let opened = try SourceOpener(invocation, settings, jobs: 4, events: remarks).open(source)
    let settled = try source.open(in: environment)
    let secrets = AddressSecrets(settled.secrets.filter(\.isNoWord))
    return try await test(opened.adapter, source, opened, invocation) { client in
      try settled.opening.make(
        AdapterContext(
          name: source.name, http: client, clock: environment.clock,
          events: RedactingEventSink(remarks, secrets: secrets))
      ).hiding(secrets)
    }
  }

  private static func test<Adapter: Source>(
    _ sample: Adapter, _ source: SourceConfiguration, _ opened: RunSource,
    _ invocation: Invocation, make: @escaping @Sendable (any HTTPClient) throws -> any Source
  ) async throws -> ExitCode {
    try await ensureAnswer(of: sample)
    var subject = AdapterConformance<Adapter>.Subject(
      client: opened.client, refusedClient: nil, secret: nil,
      gone: ItemReference(id: "archiver-test-no-such-item", revision: "0"))
    subject.asksOnlyClient = source.kind.program == nil
    // A feed of a single entry is a source like others.
    subject.leastItems = 0
    let conformance = AdapterConformance<Adapter>(
      subject, kind: source.kind.name, properties: source.kind.properties
    ) { client in
      guard let adapter = try make(client) as? Adapter else {
        throw AdapterError(.configuration, "the source is of another type each time")
      }
      return adapter
    }
    var broken = 0
    for check in conformance.checks {
      try Task.checkCancellation()
      let findings = await conformance.findings(of: check)
      if !findings.isEmpty { broken += 1 }
      tell(check.title, check.sentence, findings, invocation)
    }
    if !invocation.arguments.has(.json), let extent = await conformance.extent() {
      invocation.environment.output.write(extent + "\n")
    }
    end(source.name, checks: conformance.checks.count, broken: broken, invocation)
    return broken == 0 ? .success : .someFailed
  }

  /// Fails if the source refuses the login or is unreachable, which violates no rule for adapters.
  private static func ensureAnswer(of source: some Source) async throws {
    do {
      // The first pages may be empty or made without a request.
      for try await page in source.listing(since: nil) where !page.references.isEmpty { return }
    } catch {
      // The checks report all other errors.
      if error.code == .unauthorized || error.code == .unavailable { throw error }
    }
  }

  private static func tell(
    _ title: String, _ sentence: String, _ findings: [String], _ invocation: Invocation
  ) {
    let styles = invocation.environment.outputStyles
    let verdict = findings.isEmpty ? styles.apply(.green, "ok    ") : styles.apply(.red, "broken")
    let details = findings.map { "        \(DisplayText.line($0))\n" }.joined()
    invocation.report(
      [
        "event": "check", "sentence": .string(sentence), "title": .string(title),
        "findings": .array(findings.map { .string($0) }),
      ], "\(verdict)  \(title)\n\(details)")
  }

  private static func end(_ name: String, checks: Int, broken: Int, _ invocation: Invocation) {
    invocation.report(
      [
        "event": "tested", "source": .string(name), "checks": .integer(checks),
        "broken": .integer(broken),
      ],
      broken == 0
        ? "\(name) keeps the contract (\(checks) checks).\n"
        : "\(name) breaks the contract in \(broken) of \(checks) checks.\n")
  }
}

/// Prints the log of a source, each line once: the checks repeat the same requests.
private final class RemarkPrinter: EventSink {
  private let output: any TextOutput
  private let printed = Mutex<Set<String>>([])

  init(output: any TextOutput) { self.output = output }

  func send(_ event: Event) {
    let detail = EventText.Detail(isQuiet: true, verbosity: 1, listsItems: false)
    guard case .log = event, let line = EventText.line(event, detail),
      printed.withLock({ $0.insert(line).inserted })
    else { return }
    output.write(line + "\n")
  }
}
