import ArchiverCore
import Testing

@testable import ArchiverStorage

/// When housekeeping is due, and how it spends its time.
struct HousekeepingScheduleTests {
  private let folder: ScratchFolder
  private let archive: Archive
  private let now = Date(timeIntervalSinceReferenceDate: 900_000_000)

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
  }

  private var hasState: Bool { folder.bytes(of: "archive/.archiver/housekeeping.json") != nil }

  @Test(
    arguments: [(0, false), (20 * 3600 - 1, false), (20 * 3600, true), (-1, true)]
      as [(Double, Bool)])
  func `housekeeping is due 20 hours after it was completed, or if the clock went back`(
    seconds: Double, isDue: Bool
  ) throws {
    #expect(try archive.housekeeping(now: now, limit: .seconds(5)).isComplete)
    let report = try archive.housekeeping(now: now + seconds, limit: .seconds(5))
    #expect(report.isComplete == isDue)
    #expect((report.prunedRuns, report.distrusted) == (0, 0))
    #expect((report.garbage.objects, report.garbage.byteCount) == (0, 0))
  }

  @Test(arguments: [(28 * 86_400 - 1, false), (28 * 86_400, true)] as [(Double, Bool)])
  func `the disk's use is measured again after four weeks`(
    seconds: Double, isMeasured: Bool
  ) throws {
    for time in [now, now + seconds] {
      #expect(try archive.housekeeping(now: time, limit: .seconds(5)).isComplete)
    }
    #expect(archive.lastUsage()?.measured == (isMeasured ? now + seconds : now))
  }

  @Test(
    arguments: [
      (nil, true), (0, false), (1, true), (-6.5 * 86_400, true), (-6.5 * 86_400 + 1, false),
    ] as [(Double?, Bool)])
  func `bundles are compared six days and a half after the last time`(
    seconds: Double?, isDue: Bool
  ) {
    var state = HousekeepingState(ifReadableIn: archive.control)
    state.compared = seconds.map { now + $0 }
    #expect(archive.isComparisonDue(state, now: now) == isDue)
  }

  @Test func `an archive with nothing to go through is measured although no time is left`() throws {
    #expect(try archive.housekeeping(now: now, limit: .zero).isComplete)
    #expect(archive.lastUsage()?.measured == now)
  }

  @Test func `objects that no time is left for are gone through by the next call`() throws {
    archive.objects.vouched(for: [try archive.objects.store([1]).sha256])
    let first = try archive.housekeeping(now: now, limit: .zero)
    #expect(!first.isComplete && first.garbage.objects == 0)
    #expect(hasState && archive.lastUsage() == nil)
    let second = try archive.housekeeping(now: now, limit: .seconds(5))
    #expect(second.isComplete && second.garbage.objects == 1)
  }

  @Test func `bundles that no time is left for are compared by the next call`() throws {
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    var item = try #require(try archive.catalog.item(Sample.item("a").key))
    item.manifest = "of another bundle"
    try archive.catalog.record([.publish(Sample.publication(item))])
    let first = try archive.housekeeping(now: now, limit: .zero)
    #expect(!first.isComplete && first.distrusted == 0)
    #expect(hasState && archive.lastUsage() == nil)
    let second = try archive.housekeeping(now: now, limit: .seconds(5))
    #expect(second.isComplete && second.distrusted == 1)
  }

  @Test func `measuring ends when its time is up`() throws {
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    #expect(try archive.measure(now: now, until: .now) == nil)
    #expect(try archive.measure(now: now, until: .now + .seconds(60))?.measured == now)
  }

  /// Returns the bytes of the files below a directory.
  private func byteCount(_ folder: Folder, without name: String = "") throws -> Int {
    var sum = 0
    for entry in try folder.entries() where entry.name != name {
      switch entry.kind {
      case .folder: sum += try byteCount(folder.folder(entry.name))
      case .file: sum += try folder.status(entry.name)?.byteCount ?? 0
      case .link, .other: continue
      }
    }
    return sum
  }

  @Test func `the disk's use is the sum of the files of each kind`() throws {
    let image = try archive.objects.store([UInt8](repeating: 7, count: 5_000))
    for number in 0..<2 {
      let item = Sample.item("a", archived: Double(number))
      try archive.publish([
        archive.bundles.stage(Sample.draft(item, page: "page \(number)", images: [image]))
      ])
    }
    try archive.setPinned(true, Sample.item("a").key)
    try archive.store(Archive.AccountData(kind: "readeck", account: .object([:])), of: "readeck")
    let usage = try #require(try archive.measure(now: now, until: .now + .seconds(60)))
    let bundle = try #require(try archive.root.descend(Sample.item("a").folder))
    // The image is the pool's.
    #expect(usage.items == (try byteCount(bundle, without: BundlePath.versions)) - 5_000)
    #expect(usage.versions == (try byteCount(bundle.folder(BundlePath.versions))) - 5_000)
    #expect((usage.pool, usage.library) == (5_000, 0))
    #expect(usage.catalog == (try byteCount(archive.control, without: ArchiveLayout.objects)))
  }
}
