import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization

@testable import ArchiverPipeline

/// An archive in a temporary folder, a scripted source and a clock that tests advance.
final class Bench: Sendable {
  let archive: Archive
  let source: ScriptedSource
  let path: String
  private let client: HandlerHTTPClient
  private let stopped = Mutex<Date?>(nil)
  private let offset = Mutex(0.0)
  private let budget = Mutex<Int?>(nil)
  private let minFree = Mutex<Int?>(nil)
  private let retention = Mutex<RetentionPolicy?>(nil)
  private let credential = Mutex<String?>(nil)
  private let asleep = Mutex<(@Sendable (Int) -> Void)?>(nil)
  private let pauses = Mutex(0)

  static func with(
    _ source: ScriptedSource, faults: (any FaultInjector)? = nil,
    _ body: (Bench) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with("pipeline") { path in
      try await body(try Bench(source, path: path + "/archive", faults: faults))
    }
  }

  init(_ source: ScriptedSource, path: String, faults: (any FaultInjector)? = nil) throws {
    self.source = source
    self.path = path
    guard let base = WebURL(ScriptedSource.origin), let other = WebURL("http://elsewhere.example")
    else { throw ChildProcess.Failure("the origin is no address") }
    client = HandlerHTTPClient(handlers: [base.origin: source.serve, other.origin: source.serve])
    archive = try Archive.open(
      path: path, mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults, linkForms: [Bench.linkForm], titleClasses: ["title"]))
  }

  /// URLs of `number.example` differ by their last number only, as `/item7/again` does by 7; they
  /// lead to what an item calls `https://number.example/7`.
  @Sendable private static func linkForm(_ url: WebURL) -> WebURL? {
    guard url.host == "number.example" else { return nil }
    let digits = url.path.filter { $0.isASCII && $0.isNumber }
    return WebURL("https://number.example/\(digits)\(url.fragment.map { "#at-\($0)" } ?? "")")
  }

  private var clock: ArchiverClock {
    ArchiverClock(
      now: {
        (self.stopped.withLock { $0 } ?? Date()).addingTimeInterval(self.offset.withLock { $0 })
      },
      sleep: { duration in
        guard let hook = self.asleep.withLock({ $0 }) else {
          try await Task.sleep(for: duration)
          return
        }
        try Task.checkCancellation()
        self.offset.withLock { $0 += duration / .seconds(1) }
        hook(
          self.pauses.withLock {
            $0 += 1; return $0
          })
      })
  }

  /// Stops the clock: from now on only `advance` and skipped delays change it.
  func stopClock(at date: Date = Date()) { stopped.withLock { $0 = date } }

  /// Stops the clock and skips delays from now on; reports each with its number.
  func whenAsleep(_ hook: @escaping @Sendable (Int) -> Void) {
    stopClock()
    asleep.withLock { $0 = hook }
  }

  func advance(hours: Double) { offset.withLock { $0 += hours * 3_600 } }

  /// The storage budget of later runs.
  func limit(to bytes: Int?) { budget.withLock { $0 = bytes } }

  /// The minimum free space of later runs.
  func leaveFree(_ bytes: Int?) { minFree.withLock { $0 = bytes } }

  /// The login, or the server, of later runs.
  func use(credential: String?) { self.credential.withLock { $0 = credential } }

  /// The retention of later runs: a number of items, and none archived before a time.
  func keep(_ count: Int?, archivedSince bound: Date? = nil) {
    retention.withLock {
      $0 = RetentionPolicy(keep: count, archivedBefore: bound, sources: ["scripted"])
    }
  }

  private func sources() -> [RunSource] {
    var run = RunSource(
      name: "scripted", adapter: ScriptedAdapter(source: source), client: client,
      origin: WebURL(ScriptedSource.origin)?.origin)
    run.maxBytes = budget.withLock { $0 }
    run.minFree = minFree.withLock { $0 }
    run.retention = retention.withLock { $0 }
    run.credentialMark = credential.withLock { $0 }
    return [run]
  }

  /// Runs and returns the report of the whole run.
  func report(
    events: any EventSink = SilentEventSink(), _ change: (inout RunOptions) -> Void = { _ in }
  ) async throws -> RunReport {
    var options = RunOptions()
    change(&options)
    let run = ArchiveRun(
      archive: archive, sources: sources(), options: options, clock: clock, events: events)
    let report = await run.run()
    if let failure = report.failure { throw failure }
    return report
  }

  func run(_ change: (inout RunOptions) -> Void = { _ in }) async throws -> SourceReport {
    let report = try await report(change)
    guard let source = report.sources.first else {
      throw ChildProcess.Failure("the report has no source")
    }
    return source
  }

  /// Rebuilds pages from the delivered HTML.
  func render(
    _ only: [String]? = nil, _ change: (inout RunOptions) -> Void = { _ in }
  ) async throws -> PageRenderer.Report {
    var options = RunOptions()
    change(&options)
    return try await PageRenderer(
      archive: archive, sources: sources(), options: options, clock: clock
    ).run(only?.map { ItemKey(source: "scripted", id: $0) })
  }

  /// Gives an item the page that an earlier version of the program might have made.
  func makeOlder(_ id: String, _ change: (String) -> String) throws {
    let item = try item(id)
    guard let staged = try archive.bundles.stage(page: Array(change(try page(id)).utf8), of: item)
    else { throw ChildProcess.Failure("\(id) has no bundle") }
    try archive.mend([staged])
    try archive.catalog.notePages([item.key], revision: 0)
  }

  /// Lists the source again, as a run that queries at most this many unnamed ids.
  func plan(askedAtMost: Int = Planner.usuallyAsked) async throws {
    guard let source = sources().first else { return }
    _ = try await Planner(
      source: source, catalog: archive.catalog, options: RunOptions(fullListing: true),
      clock: clock, events: SilentEventSink(), askedAtMost: askedAtMost
    ).plan()
  }

  /// Records items in the catalog that have no bundles, for many that need no files.
  func record(_ ids: [String], links: LinkRecord? = nil) throws {
    let intents = ids.map { id in
      let key = ItemKey(source: "scripted", id: id)
      let item = CatalogItem(
        key: key, revision: "1", folder: "scripted/\(id)",
        metadata: ItemMetadata(kind: .article, title: id), firstArchived: .distantPast,
        lastArchived: .distantPast, contentHash: "")
      return Intent.publish(
        Publication(
          item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: "",
          links: links))
    }
    try archive.catalog.announce(intents)
    try archive.catalog.record(intents)
  }

  func dryRun(_ change: (inout RunOptions) -> Void) async -> RunReport {
    var options = RunOptions(dryRun: true)
    change(&options)
    return await DryRun(
      catalog: archive.catalog, sources: sources(), options: options, clock: clock
    ).run()
  }

  /// The number of requests for a path.
  func requests(_ path: String) -> Int { client.requests.filter { $0.path == path }.count }

  /// The validators of requests, `nil` where one was not sent.
  struct Fields {
    var etags: [String?] = []
    var dates: [String?] = []
    var referrers: [String?] = []
    var codings: [String?] = []
  }

  /// Returns the validators, referrers and codings of every request for a path, in order.
  func fields(_ path: String) -> Fields {
    let headers = client.requests.filter { $0.path == path }.map(\.headers)
    return Fields(
      etags: headers.map { $0["If-None-Match"] }, dates: headers.map { $0["If-Modified-Since"] },
      referrers: headers.map { $0["Referer"] }, codings: headers.map { $0["Accept-Encoding"] })
  }

  func item(_ id: String) throws -> CatalogItem {
    guard let item = try archive.catalog.item(ItemKey(source: "scripted", id: id)) else {
      throw ChildProcess.Failure("\(id) is not archived")
    }
    return item
  }

  func ids() throws -> Set<String> {
    var ids = Set<String>()
    try archive.catalog.forEachItem(source: "scripted") {
      ids.insert($0.key.id)
      return true
    }
    return ids
  }

  /// Sets when the files of an item's bundle were last read.
  func open(_ id: String, at date: Date) throws {
    let file = "\(path)/\(try item(id).folder)/index.html"
    var times = [timespec(), timespec()]
    times[0].tv_sec = Int(date.timeIntervalSince1970)
    times[1].tv_nsec = Bench.omit
    guard utimensat(AT_FDCWD, file, &times, 0) == 0 else {
      throw ChildProcess.Failure("the time of \(file) cannot be set")
    }
  }

  #if canImport(Glibc)
    /// UTIME_OMIT, a macro that Swift does not import.
    private static let omit = 0x3FFF_FFFE
  #else
    private static let omit = -2
  #endif

  func status(_ id: String) throws -> ItemStatus {
    let key = ItemKey(source: "scripted", id: id)
    return ItemStatus(try archive.catalog.item(key), try archive.catalog.queueState(key))
  }

  /// Bytes of the files in the pool.
  func poolSize() throws -> Int {
    let folder = path + "/.archiver/objects"
    return try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
      let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return facts[.type] as? FileAttributeType == .typeRegular
        ? sum + (facts[.size] as? Int ?? 0) : sum
    }
  }

  func text(_ id: String, _ file: String) throws -> String {
    let data = try Data(contentsOf: URL(filePath: "\(path)/\(try item(id).folder)/\(file)"))
    return String(decoding: data, as: UTF8.self)
  }

  func write(_ id: String, _ file: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(try item(id).folder)/\(file)"))
  }

  func library(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/library/\(file)")), as: UTF8.self)
  }

  /// The paths of an item's files as its record names them.
  func files(_ id: String) throws -> [String] {
    let bytes = Array(try text(id, ItemRecord.fileName).utf8)
    return try ItemRecord(json: bytes, path: id).assets.map(\.path).sorted()
  }

  func page(_ id: String) throws -> String { try text(id, "index.html") }

  func bundles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path + "/scripted").sorted()
  }

  func verify() async throws -> [String] {
    try await archive.verify().problems.filter(\.isDamage).map { "\($0)" }
  }

  /// Every public file but the one that each run writes, with its bytes' length and time.
  func snapshot() throws -> [String: String] {
    var files: [String: String] = [:]
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: path)
    where !name.hasPrefix(".archiver") && name != "library/status.js" {
      let facts = try manager.attributesOfItem(atPath: "\(path)/\(name)")
      guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = "\(facts[.size] ?? 0) \(facts[.modificationDate] ?? 0)"
    }
    return files
  }

  /// The files of the library that hold the items' words, in the order of their names.
  func libraryTexts() throws -> [String] {
    let folder = path + "/library/text"
    return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".js") }
      .map {
        String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\($0)")), as: UTF8.self)
      }
  }
}
