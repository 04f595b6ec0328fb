import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverCLI
@testable import ArchiverSite

@Suite struct ReadingCommandTests {
  private static func item(_ id: String, _ title: String, source: String = "example") -> CatalogItem
  {
    var metadata = ItemMetadata(kind: .article, title: title)
    metadata.url = "https://a.example/\(id)"
    return CatalogItem(
      key: ItemKey(source: source, id: id), revision: "1", folder: "\(source)/\(id)",
      metadata: metadata, firstArchived: Desk.now, lastArchived: Desk.now, contentHash: "",
      byteCount: 12_345, imageCount: 3)
  }

  private static func catalog(healthy: Bool = false) -> ListedCatalog {
    var gone = item("c3", "Old", source: "notes")
    gone.state = .deleted
    var withheld = item("f6", "Private", source: "notes")
    withheld.state = .withheld
    let reference = ItemReference(id: "d4", revision: "1", title: "Bro\u{1B}ken")
    let later = WorkItem(
      reference: reference, reason: .new, attempts: 2,
      nextAttempt: Desk.now.addingTimeInterval(7800), failure: "status 500")
    let never = WorkItem(
      reference: ItemReference(id: "e5", revision: "1"), reason: .new, attempts: 10,
      failure: "gone", gaveUp: true)
    var status = SourceStatus(source: "example", kind: "example")
    status.itemCount = 1234
    status.byteCount = 5_000_000
    status.waiting = 5
    var run = RunRecord(
      source: "example", kind: "example", started: Desk.now.addingTimeInterval(-300))
    run.outcome = .ok
    status.lastRun = run
    status.lastSuccess = run.started
    var failing = SourceStatus(source: "notes", kind: "folder")
    failing.failing = 2
    failing.withheld = 1
    failing.failingSince = Desk.now.addingTimeInterval(-86400)
    run.outcome = .sourceFailed
    run.failure = "refused\u{1B} the token"
    failing.lastRun = run
    return ListedCatalog(
      items: [item("a1", "保存网页"), item("b2", "\u{1B}[31mSecond"), gone, withheld],
      failed: [
        (ItemKey(source: "example", id: "d4"), later), (ItemKey(source: "notes", id: "e5"), never),
      ],
      statuses: healthy ? [status] : [status, failing])
  }

  private func type(_ words: String...) async throws -> Desk.Result {
    let desk = try Desk()
    let output = MemoryOutput()
    let error = MemoryOutput()
    let code = await CommandLineTool(
      environment: desk.environment(words, output: output, error: error),
      services: desk.services(catalog: Self.catalog())
    ).run()
    return Desk.Result(code: code, output: output.text, error: error.text)
  }

  @Test func `list aligns items in columns`() async throws {
    let result = try await type("list")
    #expect(result.code == .success)
    #expect(
      result.output == """
        archived    source   status    id  images     size  title
        2026-11-21  example  complete  a1       3  12.3 kB  保存网页
        2026-11-21  example  complete  b2       3  12.3 kB  [31mSecond
        2026-11-21  notes    complete  c3       3  12.3 kB  Old (deleted at the source)
        2026-11-21  notes    complete  f6       3  12.3 kB  Private (no longer shared by the source)

        """)
  }

  @Test func `list takes a source and a limit`() async throws {
    #expect(try await type("list", "-s", "notes").output.split(separator: "\n").count == 3)
    #expect(try await type("list", "--limit", "1").output.split(separator: "\n").count == 2)
  }

  @Test func `list of failures says when they are retried`() async throws {
    #expect(
      try await type("list", "--failed").output == """
        source   id  attempts  next attempt   title and reason
        example  d4         2  in 2 h 10 min  Broken: status 500
        notes    e5        10  given up       e5: gone

        """)
  }

  @Test func `list prints JSON with all keys`() async throws {
    let lines = try await type("list", "--json").output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[0]
        == #"{"source":"example","id":"a1","title":"保存网页","kind":"article","url":"https://a.example/a1","folder":"example/a1","state":"archived","status":"complete","pinned":false,"labels":[],"added":null,"firstArchived":"2026-11-21T00:00:00Z","lastArchived":"2026-11-21T00:00:00Z","images":3,"imagesMissing":0,"bytes":12345,"versions":0,"heldBack":null}"#
    )
    let failed = try await type("list", "--failed", "--json").output.split(separator: "\n")
    #expect(
      failed[1]
        == #"{"source":"notes","id":"e5","title":"","attempts":10,"nextAttempt":null,"gaveUp":true,"failure":"gone"}"#
    )
  }

  @Test func `a reader that went away ends the list`() async throws {
    let desk = try Desk()
    let output = MemoryOutput(isClosed: true)
    let code = await CommandLineTool(
      environment: desk.environment(["list", "--json"], output: output),
      services: desk.services(catalog: Self.catalog())
    ).run()
    #expect(code == .success)
    #expect(output.text == "")
  }

  @Test func `output that cannot be written is an error`() async throws {
    let desk = try Desk()
    let error = MemoryOutput()
    let output = MemoryOutput(failure: "No space left on device")
    let code = await CommandLineTool(
      environment: desk.environment(["--version"], output: output, error: error),
      services: desk.services()
    ).run()
    #expect(code == .someFailed)
    #expect(error.text == "archiver: standard output cannot be written: No space left on device\n")
  }

  @Test func `status prints the state of each source, also in words`() async throws {
    #expect(
      try await type("status").output == """
        Archive: ~/archived

          source   state                         size  per month  last run   next run
        ● example  ok             1,234 items  5.0 MB          -  5 min ago  -
        ● notes    source failed  0 items         0 B          -  5 min ago  -

        example: 5 items waiting for the next run
        notes: source failed since 2026-11-20: refused the token
        notes: 2 items fail; 'archiver list --failed' says why
        notes: 1 item no longer shared by the source, kept as last archived; see 'archiver list'

        No runs are scheduled. Try: archiver schedule install --at 03:30

        """)
  }

  @Test func `a health check prints problems and exits with 1`() async throws {
    let result = try await type("status", "--check")
    #expect(result.code == .someFailed)
    #expect(
      result.output == """
        notes: source failed since 2026-11-20: refused the token
        notes: 2 items fail; 'archiver list --failed' says why

        """)
    let old = try await type("status", "--check", "--max-age", "1m")
    #expect(old.output.contains("example: last successful run: 5 min ago\n"))
  }

  @Test func `a health check is silent when all is well`() async throws {
    let desk = try Desk()
    let output = MemoryOutput()
    let code = await CommandLineTool(
      environment: desk.environment(
        ["status", "--check", "--max-age", "26h"], output: output, error: output),
      services: desk.services(catalog: Self.catalog(healthy: true))
    ).run()
    #expect(code == .success)
    #expect(output.text == "")
  }

  @Test func `status prints JSON with all keys`() async throws {
    let lines = try await type("status", "--json").output.split(separator: "\n")
    let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(lines[1].utf8))
    #expect(
      Set(object.keys) == [
        "source", "kind", "enabled", "items", "bytes", "bytesPerMonth", "waiting", "failing",
        "withheld", "lastSuccess", "failingSince", "nextRun", "lastRun", "wholeListed",
        "wholeFound", "incomplete", "deleted", "heldBack", "deletionsHeld",
      ])
    #expect(object["lastRun"]?["outcome"]?.string == "sourceFailed")
  }

  @Test(arguments: [["list"], ["status"]])
  func `an empty archive says what to do`(words: [String]) async throws {
    let desk = try Desk()
    for catalog in [nil, ListedCatalog()] as [ListedCatalog?] {
      let output = MemoryOutput()
      let code = await CommandLineTool(
        environment: desk.environment(words, output: output),
        services: desk.services(catalog: catalog)
      ).run()
      #expect(code == .success)
      #expect(
        output.text
          == "Nothing archived yet in ~/archived. Try: archiver run --source example --max 20\n")
    }
    #expect(await desk.type("list", "--json").output == "")
    #expect(await desk.type("list", "--failed").output == "Nothing failed.\n")
  }

  @Test func `verify reports problems and ends with 1`() async throws {
    let desk = try Desk()
    let problem = Services.Findings.Problem(
      path: "example/a\u{1B}1/index.html", kind: "hashMismatch", phrase: .changedFile)
    let findings = Services.Findings(
      bundles: 20, files: 300, bytes: 12_300_000, problems: [problem])
    let services = desk.services(catalog: Self.catalog(), findings: findings)
    let result = await desk.type("verify", "--read-data", "5", services: services)
    #expect(result.code == .someFailed)
    #expect(
      result.output == """
        example/a1/index.html: the content differs from what was archived
        1 problem found in ~/archived (20 bundles, 300 files, 12.3 MB, 5 % of the files read).
        'archiver verify --repair' fetches damaged items again.

        """)
    let json = await desk.type("verify", "--json", services: services)
    #expect(
      json.output.hasSuffix(
        #"{"event":"verified","bundles":20,"files":300,"bytes":12300000,"problems":1,"lacking":0,"failed":0,"unusedFiles":0,"unusedBytes":0}"#
          + "\n"))
  }

  @Test func `verify counts items that lack an essential part and exits with 1`() async throws {
    let desk = try Desk()
    var findings = Services.Findings(bundles: 20, files: 300, bytes: 12_300_000)
    findings.lacking = 2
    let services = desk.services(catalog: Self.catalog(), findings: findings)
    let result = await desk.type("verify", services: services)
    #expect(result.code == .someFailed)
    #expect(
      result.output == """
        2 problems found in ~/archived (20 bundles, 300 files, 12.3 MB).
        2 items lack an essential part; see 'archiver list --failed'.

        """)
    let json = await desk.type("verify", "--json", services: services)
    #expect(json.code == .someFailed)
    #expect(json.output.contains(#""problems":0,"lacking":2,"#))
  }

  @Test func `verify counts items that could not be archived and exits with 1`() async throws {
    let desk = try Desk()
    var findings = Services.Findings(bundles: 20, files: 300, bytes: 12_300_000)
    findings.failed = 1
    let services = desk.services(catalog: Self.catalog(), findings: findings)
    let result = await desk.type("verify", services: services)
    #expect(result.code == .someFailed)
    #expect(
      result.output == """
        1 problem found in ~/archived (20 bundles, 300 files, 12.3 MB).
        1 item could not be archived, or not in the newest state; see 'archiver list --failed'.

        """)
  }

  @Test func `status and verify report a library that could not be updated`() async throws {
    let desk = try Desk()
    let trouble = LibraryTrouble(
      key: ItemKey(source: "example", id: "a1"), reason: "it is unreadable", isListed: true)
    var state = LibraryState()
    state.failure = "no space is left"
    state.troubles = [trouble]
    var findings = Services.Findings(bundles: 20, files: 300, bytes: 12_300_000)
    findings.library = state
    var services = desk.services(catalog: Self.catalog(healthy: true), findings: findings)
    services.library = { [state] _ in state }
    let told = """
      The library is not up to date: no space is left; 'archiver site' updates it.
      The library leaves out a1: it is unreadable

      """
    let verified = await desk.type("verify", services: services)
    #expect(verified.code == .someFailed)
    #expect(
      verified.output
        == "2 problems found in ~/archived (20 bundles, 300 files, 12.3 MB).\n" + told)
    #expect(await desk.type("status", services: services).output.contains("\n" + told))
    let check = await desk.type("status", "--check", services: services)
    #expect(check.code == .someFailed && check.output == told)
    let json = await desk.type("status", "--json", services: services).output
    #expect(
      json.hasSuffix(
        #"{"event":"library","failure":"no space is left","interrupted":false,"leftOut":1}"# + "\n")
    )
    var interrupted = LibraryState()
    interrupted.isInterrupted = true
    services.library = { [interrupted] _ in interrupted }
    #expect(await desk.type("status", services: services).output.contains("was interrupted"))
    #expect(await desk.type("status", "--check", services: services).code == .success)
  }

  @Test func `list --held lists what accept may be given`() async throws {
    let desk = try Desk()
    var held = Self.item("b2", "Second")
    held.versions = ["20260131T023000Z-held", "20260101T023000Z"]
    let services = desk.services(
      catalog: ListedCatalog(items: [Self.item("a1", "First"), held]))
    let lines = await desk.type("list", "--held", services: services).output
    #expect(lines.contains("Second (\(held.folder)/versions/20260131T023000Z-held/index.html)"))
    #expect(!lines.contains("First"))
    let json = await desk.type("list", "--held", "--json", services: services).output
    #expect(json.contains(#""heldBack":"versions/20260131T023000Z-held""#))
    let none = desk.services(catalog: ListedCatalog(items: [Self.item("a1", "First")]))
    #expect(await desk.type("list", "--held", services: none).output == "Nothing is held back.\n")
    #expect(await desk.type("list", "--held", "--failed", services: none).code == .usage)
  }

  @Test func `list --deleted lists what was deleted at its source`() async throws {
    let desk = try Desk()
    let services = desk.services(catalog: Self.catalog())
    let lines = await desk.type("list", "--deleted", services: services).output
    #expect(lines.contains("Old") && !lines.contains("Private"))
    #expect(lines.split(separator: "\n").count == 2, "\(lines)")
    let none = desk.services(catalog: ListedCatalog(items: [Self.item("a1", "First")]))
    let empty = await desk.type("list", "--deleted", services: none).output
    #expect(empty == "No item was deleted at its source.\n")
    #expect(await desk.type("list", "--deleted", "--failed", services: none).code == .usage)
  }

  @Test func `verify counts unused files of the pool, but not as problems`() async throws {
    let desk = try Desk()
    var findings = Services.Findings(bundles: 1, files: 3, bytes: 1000)
    findings.unused.objects = 12
    findings.unused.byteCount = 3_400_000
    let services = desk.services(catalog: Self.catalog(), findings: findings)
    let result = await desk.type("verify", services: services)
    #expect(result.code == .success)
    #expect(
      result.output.hasSuffix(
        "Unused in the object pool: 12 files (3.4 MB); 'archiver cleanup' removes them.\n"))
    let json = await desk.type("verify", "--json", services: services)
    #expect(json.output.contains(#""unusedFiles":12,"unusedBytes":3400000}"#))
  }

  @Test func `status prints the disk usage after it was measured`() async throws {
    let desk = try Desk()
    var services = desk.services(catalog: Self.catalog())
    #expect(await !desk.type("status", services: services).output.contains("On disk"))
    services.usage = { _ in
      var usage = DiskUsage(measured: Desk.now)
      (usage.items, usage.versions, usage.pool, usage.library) = (1000, 20_000, 300_000, 4_000_000)
      return usage
    }
    let result = await desk.type("status", services: services)
    #expect(
      result.output.contains(
        "On disk: items 1.0 kB, earlier versions 20.0 kB, object pool 300.0 kB, library 4.0 MB, "
          + "catalog 0 B; 4.3 MB in all ("), "\(result.output)")
    let json = await desk.type("status", "--json", services: services)
    #expect(
      json.output.contains(
        #""event":"disk","items":1000,"versions":20000,"pool":300000,"library":4000000,"catalog":0"#
      ))
  }

  @Test func `verify without an archive is an error`() async throws {
    let result = await (try Desk()).type("verify", "--archive", "/nowhere")
    #expect(result.code == .archive)
    #expect(result.error == "archiver: there is no archive in /nowhere\n")
  }

  @Test func `sources show what is set and how, never secrets`() async throws {
    let desk = try Desk()
    let result = await desk.type("sources", variables: Desk.configured)
    #expect(result.output.contains("example  ● configured\n"))
    #expect(result.output.contains("folder  ● not configured\n"))
    #expect(result.output.contains("set (environment)"))
    #expect(result.output.contains("EXAMPLE_STATE --state"))
    #expect(await desk.type("sources", "--names").output == "example\nfolder\n")
    let line = await desk.type("sources", "--json").output.split(separator: "\n")[0]
    let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
    #expect(object["configured"]?.bool == false && object["canLogIn"]?.bool == true)
  }

  @Test func `colours come with words and only on a terminal`() async throws {
    let desk = try Desk()
    let services = desk.services(catalog: Self.catalog())
    let text = await desk.type("status", services: services, outputTerminal: 120).output
    #expect(text.contains("\u{1B}[32mok"))
    let plain = await desk.type(
      "status", variables: ["NO_COLOR": "1"], services: services, outputTerminal: 120)
    #expect(!plain.output.contains("\u{1B}"))
  }

  @Test func `the tool alone prints where to begin`() async throws {
    let result = await (try Desk()).type()
    #expect(result.code == .success)
    #expect(result.output.contains("archiver run --source readeck --max 20"))
    #expect(await (try Desk()).type("--version").output == "archiver 1.2.3\n")
    #expect(await (try Desk()).type("help", "run").output.hasPrefix("archiver run: archive what"))
    let typo = await (try Desk()).type("help", "rnu")
    #expect(typo.code == .usage && typo.error.contains("did you mean 'run'?"))
  }
}
