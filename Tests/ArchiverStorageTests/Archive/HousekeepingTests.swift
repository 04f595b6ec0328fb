import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverStorage

struct HousekeepingTests {
  private static let day = 86_400.0
  let folder: ScratchFolder
  /// Some days after the files of a test were created.
  private let later = Date() + 10 * day

  init() throws {
    folder = try ScratchFolder()
  }

  private func open(_ options: ArchiveOptions = ArchiveOptions()) throws -> Archive {
    try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"), options: options)
  }

  /// Publishes an item with an image that replaces the previous one; no version is kept.
  private func publish(_ picture: String, in archive: Archive) throws -> StoredObject {
    let object = try archive.objects.store(Array(picture.utf8))
    var draft = try Sample.draft(Sample.item("a"), images: [object], keepVersions: 0)
    draft.assets[0].url = "https://example.org/photo.jpg"
    try archive.publish([archive.bundles.stage(draft)])
    return object
  }

  @Test func `an image that was replaced leaves the pool after some days and not before`() throws {
    do {
      let archive = try open()
      _ = try publish("old", in: archive)
      _ = try publish("new", in: archive)
    }
    let archive = try open()
    #expect(try archive.garbage().objects == 1)
    let early = try archive.housekeeping(now: Date() + Self.day, limit: .seconds(5))
    #expect(early.garbage.objects == 0)
    let report = try archive.housekeeping(now: later, limit: .seconds(5))
    #expect(report.garbage.objects == 1)
    #expect(report.garbage.byteCount == 3)
    #expect(report.isComplete)
    #expect(try archive.garbage() == GarbageReport())
  }

  @Test func `an image that an address still names and no bundle has leaves the pool`() throws {
    do {
      let archive = try open()
      let old = try publish("kept", in: archive)
      try archive.catalog.record([
        .publish(
          Sample.publication(
            Sample.item("b"),
            assets: [
              CachedAsset(
                url: "https://old.example/photo.jpg", object: archive.objects.store([1, 2, 3]),
                mediaType: "image/png")
            ]))
      ])
      #expect(try archive.objects.linkCount(of: old.sha256) == 2)
      _ = try archive.objects.store([4])
    }
    let archive = try open()
    // If few objects have links, the link count proves nothing.
    #expect(try archive.garbage().objects == 1)
    for number in 0..<4 {
      let object = try archive.objects.store(Array("picture \(number)".utf8))
      try archive.publish([
        archive.bundles.stage(Sample.draft(Sample.item("p\(number)"), images: [object]))
      ])
    }
    let report = try archive.housekeeping(now: later, limit: .seconds(20))
    #expect(report.garbage.objects == 2)
    #expect(try archive.catalog.asset(url: "https://old.example/photo.jpg") == nil)
    #expect(try archive.catalog.asset(url: "https://example.org/photo.jpg") != nil)
  }

  @Test func `where links fail nothing that an address gave leaves the pool`() async throws {
    let linkless = FailingStep { operation, _ in operation == .link ? 18 : nil }
    let archive = try open(ArchiveOptions(faults: linkless))
    let object = try publish("picture", in: archive)
    let report = try archive.housekeeping(now: later, limit: .seconds(5))
    #expect(report.garbage.objects == 0)
    #expect(try archive.objects.contains(object))
    #expect(try await archive.verify().problems == [])
  }

  @Test func `an image of a version stays`() async throws {
    let archive = try open()
    for number in 0..<3 {
      let object = try archive.objects.store(Array("picture \(number)".utf8))
      let item = Sample.item("a", archived: Double(number))
      try archive.publish([archive.bundles.stage(Sample.draft(item, images: [object]))])
    }
    #expect(try archive.housekeeping(now: later, limit: .seconds(5)).garbage.objects == 0)
    #expect(try await archive.verify().problems == [])
  }

  @Test func `housekeeping continues where its time was up, and is done once a day`() throws {
    let archive = try open()
    for number in 0..<20 { _ = try publish("picture \(number)", in: archive) }
    let first = try archive.housekeeping(now: later, limit: .zero)
    #expect(!first.isComplete)
    #expect(first.garbage.objects == 0)
    #expect(try archive.housekeeping(now: later, limit: .seconds(5)).isComplete)
    #expect(try !archive.housekeeping(now: later + 3600, limit: .seconds(5)).isComplete)
    #expect(try archive.housekeeping(now: later + Self.day, limit: .seconds(5)).isComplete)
    // A clock that went back.
    #expect(try archive.housekeeping(now: later - Self.day, limit: .seconds(5)).isComplete)
  }

  @Test func `housekeeping that is stopped at any step loses nothing`() async throws {
    var step = 0
    var isFinished = false
    while !isFinished {
      step += 1
      let folder = try ScratchFolder(inMemory: true)
      let path = folder.at("archive")
      do {
        let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
        _ = try publish("old", in: archive)
        _ = try publish("new", in: archive)
      }
      let steps = StepCounter()
      let failing = FailingStep { [step] operation, path in steps.next() >= step ? 5 : nil }
      do {
        let archive = try Archive.open(
          path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions(faults: failing))
        _ = try archive.housekeeping(now: later, limit: .seconds(5))
        isFinished = true
      } catch {
        isFinished = false
      }
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      #expect(try await archive.verify().isClean, "step \(step)")
      _ = try archive.housekeeping(now: later + 2 * Self.day, limit: .seconds(5))
      #expect(try archive.garbage().objects == 0, "step \(step)")
    }
    #expect(step > 3)
  }

  @Test func `old runs become one of each month and outcome, and the standing stays`() throws {
    let archive = try open()
    let catalog = archive.catalog
    let start = later - 400 * Self.day
    for day in 0..<400 {
      var run = RunRecord(
        source: "readeck", kind: "readeck", started: start + Double(day) * Self.day)
      let id = try catalog.beginRun(run)
      run.archived = 1
      run.byteCount = 10
      run.outcome = day >= 250 ? .sourceFailed : .ok
      try catalog.finishRun(id, run)
    }
    let before = try #require(try catalog.sources().first)
    let report = try archive.housekeeping(now: later, limit: .seconds(5))
    let runs = try catalog.runs(source: "readeck", limit: 1000)
    #expect(report.prunedRuns > 280)
    #expect(runs.count < 110)
    #expect(runs.reduce(0) { $0 + $1.archived } == 400)
    #expect(runs.reduce(0) { $0 + $1.byteCount } == 4000)
    let recent = runs.filter { later.timeIntervalSince($0.started) < 89 * Self.day }
    #expect(recent.count >= 88)
    let after = try #require(try catalog.sources().first)
    #expect(after == before)
    #expect(try archive.housekeeping(now: later + Self.day, limit: .seconds(5)).prunedRuns <= 2)
  }

  @Test func `old runs are summed in every figure, and each source and outcome alone`() throws {
    let archive = try open()
    let catalog = archive.catalog
    // Two days after the first of a month.
    let start = Date(timeIntervalSince1970: 1_735_862_400)
    func add(_ source: String, _ outcome: RunRecord.Outcome, _ day: Double, _ count: Int) throws {
      var run = RunRecord(source: source, kind: "readeck", started: start + day * Self.day)
      let id = try catalog.beginRun(run)
      run.finished = run.started + 60
      run.outcome = outcome
      (run.archived, run.unchanged, run.failed) = (count, count + 1, count + 2)
      (run.images, run.imagesMissing, run.byteCount) = (count + 3, count + 4, count + 5)
      try catalog.finishRun(id, run)
    }
    for day in [0.0, 1, 2] { try add("a", .ok, day, 10) }
    try add("a", .partial, 3, 1)
    try add("b", .ok, 4, 1)
    try add("a", .ok, 40, 20)
    try add("a", .ok, 41, .max / 2)
    try add("a", .ok, 42, .max / 2)
    for source in ["a", "b"] { try add(source, .ok, 80, 1) }
    let now = start + 150 * Self.day
    #expect(try archive.housekeeping(now: now, limit: .seconds(5)).prunedRuns == 4)
    let runs = try catalog.runs(source: nil, limit: 99).reversed() as [RunRecord]
    #expect(runs.map { ($0.started.timeIntervalSince(start) / Self.day) } == [2, 3, 4, 42, 80, 80])
    #expect(runs[0].outcome == .ok && runs[1].outcome == .partial)
    #expect((runs[0].archived, runs[0].unchanged, runs[0].failed) == (30, 33, 36))
    #expect((runs[0].images, runs[0].imagesMissing, runs[0].byteCount) == (39, 42, 45))
    #expect(runs[1].archived == 1 && runs[2].archived == 1)
    #expect(runs[3].archived == .max, "more than an integer holds")
  }

  @Test func `a run of less than 90 days ago keeps its record`() throws {
    let archive = try open()
    for days in [90.001, 90.001, 90, 90, 80] {
      var run = RunRecord(source: "a", kind: "readeck", started: later - days * Self.day)
      let id = try archive.catalog.beginRun(run)
      run.outcome = .ok
      try archive.catalog.finishRun(id, run)
    }
    let report = try archive.housekeeping(now: later, limit: .seconds(5))
    #expect(report.prunedRuns == 1)
    #expect(try archive.catalog.runs(source: nil, limit: 9).count == 4)
  }

  @Test func `the disk's use is measured when something changed, or after four weeks`() throws {
    let archive = try open()
    #expect(Archive.lastUsage(path: folder.at("none")) == nil)
    func measured(_ days: Double) throws -> Double? {
      let now = later + days * Self.day
      #expect(try archive.housekeeping(now: now, limit: .seconds(5)).isComplete)
      let usage = archive.lastUsage()
      #expect(Archive.lastUsage(path: archive.path) == usage)
      return usage.map { ($0.measured.timeIntervalSince(later) / Self.day * 100).rounded() / 100 }
    }
    #expect(try measured(0) == 0)
    #expect(try measured(1) == 0)
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    #expect(try measured(2) == 2)
    #expect(try measured(3) == 2)
    #expect(try measured(29.9) == 2)
    #expect(try measured(30.75) == 30.75)
    // The clock was wrong.
    #expect(try measured(-5) == -5)
    #expect(try measured(-4) == -5)
  }

  @Test
  func `what a link points to and what a source's folder holds beside bundles is not counted`()
    throws
  {
    let archive = try open()
    try FileManager.default.createDirectory(
      atPath: folder.at("archive/readeck"), withIntermediateDirectories: true)
    for place in ["readeck/linked", ".archiver/linked", "readeck-link"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.at("archive/\(place)"), withDestinationPath: "/etc")
    }
    try folder.write("12345", to: "archive/readeck/beside")
    try folder.write("12345", to: "archive/beside")
    _ = try archive.housekeeping(now: later, limit: .seconds(5))
    let usage = try #require(archive.lastUsage())
    #expect((usage.items, usage.versions, usage.pool, usage.library) == (0, 0, 0, 0))
  }

  @Test func `the disk's use counts each file once`() throws {
    let archive = try open()
    let picture = String(repeating: "p", count: 5000)
    for number in 0..<2 {
      let object = try archive.objects.store(Array(picture.utf8))
      let item = Sample.item("a", archived: Double(number))
      try archive.publish([
        archive.bundles.stage(Sample.draft(item, page: "page \(number)", images: [object]))
      ])
    }
    try FileManager.default.createDirectory(
      atPath: folder.at("archive/library"), withIntermediateDirectories: true)
    try folder.write("12345", to: "archive/library/index.html")
    #expect(archive.lastUsage() == nil)
    _ = try archive.housekeeping(now: later, limit: .seconds(5))
    let usage = try #require(archive.lastUsage())
    #expect(usage.pool == 5000)
    #expect(usage.library == 5)
    #expect(usage.items > 6 && usage.items < 2500)
    #expect(usage.versions > 6 && usage.versions < 2500)
    #expect(usage.catalog > 4096)
    #expect(usage.total == usage.items + usage.versions + 5005 + usage.catalog)
  }
}
