import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Messages of commands in other languages than English.
@Suite struct LanguageTests {
  static let locales = ["de_DE.UTF-8", "es_ES.UTF-8", "zh_CN.UTF-8"]

  /// A command line and its environment.
  struct Scene: Sendable, CustomTestStringConvertible {
    let words: [String]
    var catalog: ListedCatalog?
    var findings = Services.Findings()
    var crontab = ""
    var run: @Sendable (any EventSink) async throws -> RunReport = { _ in RunReport() }
    var hasSource = true
    var has: [String: String] = [:]

    var testDescription: String { words.joined(separator: " ") }

    /// Returns the lines that are printed.
    func lines(_ locale: String) async throws -> [String] {
      let desk = try Desk()
      var services = desk.services(catalog: catalog, findings: findings, run: run)
      let machine = ScheduleTests.Machine(hasSystemd: false)
      machine.table.withLock { $0 = crontab }
      services.runCommand = { try machine.run($0, $1) }
      services.shadowed = { _ in has }
      services.client = { _ in Down() }
      let output = MemoryOutput()
      let variables = (hasSource ? Desk.configured : [:]).merging(["LANG": locale]) { $1 }
      var environment = desk.environment(words, variables, output: output, error: output)
      environment.home = desk.home
      _ = await CommandLineTool(environment: environment, services: services).run()
      return output.text.split(separator: "\n").map(String.init)
    }
  }

  /// Errors are the same in every language; this one has a single word.
  private struct Down: HTTPClient {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      throw HTTPError(.connect, "down")
    }
  }

  private static func everyEvent(_ events: any EventSink) {
    var plan = PlanSummary()
    plan.new = 5
    plan.retries = 1
    plan.deleted = 1
    plan.selected = 5
    events.send(.planned(source: "example", plan: plan))
    let outcomes: [ItemOutcome] = [
      .archived(imagesMissing: 0), .archived(imagesMissing: 2), .unchanged, .kept(reason: "empty"),
      .deferred(reason: "503"), .failed(reason: "404"),
    ]
    for outcome in outcomes {
      events.send(.itemFinished(source: "example", id: "1", title: "Title", outcome: outcome))
    }
    events.send(.assetFinished(source: "example", url: "u", bytes: 0, failure: "404"))
    events.send(.retrying(url: "u", attempt: 2, delay: .seconds(3), reason: "503"))
    events.send(.log(.warning, source: "example", message: "slow"))
    events.send(.log(.error, source: "example", message: "broken"))
    events.send(.sourceFinished(source: "example", failure: nil))
  }

  private static func fullReport() -> RunReport {
    let note = SourceReport.ItemNote(id: "1", title: "Title", message: "gone")
    var source = SourceReport(name: "example", kind: "example")
    source.archived = 2
    source.unchanged = 3
    source.images = 4
    source.imagesMissing = 2
    source.byteCount = 1000
    source.waiting = 7
    source.failed = [note]
    source.deferred = [note]
    source.expired = [note]
    source.left = [note]
    source.held = [note]
    source.wouldFetch = [note]
    source.unknown = ["x"]
    return RunReport(sources: [source])
  }

  private static func catalog() -> ListedCatalog {
    func run(_ outcome: RunRecord.Outcome?, hoursAgo: Double) -> RunRecord {
      var run = RunRecord(
        source: "example", kind: "example",
        started: Desk.now.addingTimeInterval(-hoursAgo * 3600))
      run.outcome = outcome
      return run
    }
    func status(_ name: String, _ outcome: RunRecord.Outcome?) -> SourceStatus {
      var status = SourceStatus(source: name, kind: "example")
      status.lastRun = run(outcome, hoursAgo: 3)
      status.lastSuccess = Desk.now.addingTimeInterval(-3600)
      status.failing = outcome == .partial ? 1 : 2
      status.failingSince = outcome == .sourceFailed ? Desk.now : nil
      return status
    }
    var unreached = status("g", .partial)
    unreached.failing = 0
    unreached.lastRun?.failure = "x"
    var metadata = ItemMetadata(kind: .article, title: "Title")
    metadata.url = "https://a.example/"
    let key = ItemKey(source: "example", id: "1")
    var item = CatalogItem(
      key: key, revision: "1", folder: "example/1", metadata: metadata,
      firstArchived: Desk.now, lastArchived: Desk.now, contentHash: "", byteCount: 1,
      imageCount: 1)
    item.state = .deleted
    let reference = ItemReference(id: "1", revision: "1", title: "Title")
    let failed = [
      WorkItem(
        reference: reference, reason: .new, attempts: 2,
        nextAttempt: Desk.now.addingTimeInterval(7800), failure: "404"),
      WorkItem(reference: reference, reason: .new, attempts: 10, failure: "404", gaveUp: true),
      WorkItem(reference: reference, reason: .new, attempts: 1, failure: "404"),
    ]
    return ListedCatalog(
      items: [item], failed: (failed + failed).map { (key: key, work: $0) },
      statuses: [
        status("example", .sourceFailed), status("b", .partial), status("c", .died),
        status("d", .interrupted), status("e", nil), status("f", .ok),
        unreached,
      ], pinned: [key],
      records: [nil, .ok, .partial, .died, .interrupted].map { run($0, hoursAgo: 3) })
  }

  private static func findings() -> Services.Findings {
    let kinds = VerificationProblem.Kind.allCases.map {
      Services.Findings.Problem(path: "p", kind: $0.rawValue, phrase: $0.phrase)
    }
    let link = Services.Findings.Problem(
      path: "p", kind: "link", phrase: .brokenLink, address: "q")
    return Services.Findings(bundles: 2, files: 3, bytes: 4, problems: kinds + [link])
  }

  static let scenes: [Scene] = [
    Scene(
      words: ["run", "-v"],
      run: {
        everyEvent($0)
        return fullReport()
      }),
    Scene(
      words: ["run"],
      run: { _ in
        var report = RunReport()
        report.wasCancelled = true
        return report
      }),
    Scene(words: ["run"]), Scene(words: ["run", "--if-older-than", "4h"], catalog: catalog()),
    Scene(words: ["run", "--dry-run"], run: { _ in fullReport() }),
    Scene(
      words: ["status", "-v"], catalog: catalog(),
      crontab: Crontab.line(.every(minutes: 240), command: "archiver run") + "\n"),
    Scene(words: ["status"]), Scene(words: ["status", "-v"], catalog: catalog()),
    Scene(words: ["list"], catalog: catalog()),
    Scene(words: ["list", "--failed"], catalog: catalog()),
    Scene(words: ["list", "--failed"], catalog: ListedCatalog()),
    Scene(words: ["list", "--status", "queued"], catalog: ListedCatalog()),
    Scene(words: ["list", "--status", "all"], catalog: ListedCatalog()),
    Scene(words: ["verify", "--read-data", "5"], catalog: catalog(), findings: findings()),
    Scene(words: ["verify"], catalog: catalog()),
    Scene(words: ["doctor"], catalog: catalog(), has: ["example": "/x/archiver-source-example"]),
    Scene(words: ["schedule", "show"]), Scene(words: ["schedule", "remove"]),
    Scene(
      words: ["schedule", "remove"],
      crontab: Crontab.line(.every(minutes: 240), command: "archiver run") + "\n"),
    Scene(words: ["schedule", "install", "--cron", "--at", "04:00"], hasSource: false),
    Scene(words: ["config", "init"]), Scene(words: ["config", "check"]),
    Scene(words: ["config", "show"]),
  ]

  @Test(arguments: scenes, locales)
  func `no sentence is left in English`(scene: Scene, locale: String) async throws {
    let english = Set(try await scene.lines("C.UTF-8").filter(Self.isSentence))
    let foreign = try await scene.lines(locale)
    #expect(!foreign.isEmpty)
    for line in foreign { #expect(!english.contains(line)) }
    // Nor any part of a sentence.
    let wording = Wording.chosen(by: ["LANG": locale])
    for phrase in Phrase.allCases {
      for part in Self.parts(Wording.english.phrases[phrase] ?? "")
      where !(wording.phrases[phrase] ?? "").contains(part) {
        let line = foreign.first { $0.contains(part) }
        #expect(line == nil, "\(phrase): \(part)")
      }
    }
  }

  /// Three consecutive words; the columns of a table have fewer.
  private static func isSentence(_ line: String) -> Bool {
    var words = 0
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      words = word.count > 1 && word.allSatisfy({ $0.isASCII && $0.isLetter }) ? words + 1 : 0
      if words == 3 { return true }
    }
    return false
  }

  /// Returns the texts between the placeholders, if they are long enough to be recognised.
  private static func parts(_ template: String) -> [String] {
    template.split(separator: "%").map { $0.drop(while: \.isNumber) }
      .filter { $0.count >= 9 && $0.contains(" ") }.map(String.init)
  }

  @Test(arguments: locales)
  func `what machines read is the same in every language`(locale: String) async throws {
    for words in [["doctor", "--json"], ["status", "--json"], ["verify", "--json"]] {
      let scene = Scene(words: words, catalog: Self.catalog(), findings: Self.findings())
      let foreign = try await scene.lines(locale)
      let english = try await scene.lines("C.UTF-8")
      // Free space and the home folder differ between calls.
      let changing = { (line: String) in line.contains(" free\"") || line.contains("config.json5") }
      #expect(foreign.filter { !changing($0) } == english.filter { !changing($0) })
    }
  }

  @Test func `lines in a script without spaces end where they may`() {
    let text = Wording.chinese.text(.pictureLacking, "1")
    let lines = TextWidth.wrap(text, width: 20).split(separator: "\n")
    #expect(
      lines == ["缺少 1 张图片；页面", "附有原图链接。"])
    #expect(TextWidth.wrap("一二三，四", width: 6) == "一二\n三，四\n")
    #expect(TextWidth.wrap("plain words stay", width: 6) == "plain\nwords\nstay\n")
  }

  @Test func `times have the units of the language`() {
    #expect(Wording.chinese.time(.seconds(7800)) == "2 小时 10 分钟")
    #expect(Wording.chinese.rough(7800, past: true) == "2 小时前")
    #expect(Wording.german.time(.seconds(0.4)) == "0,4 s")
  }
}
