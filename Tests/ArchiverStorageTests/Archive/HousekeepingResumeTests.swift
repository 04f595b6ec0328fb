import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Where housekeeping continues, and what it counts and measures.
struct HousekeepingResumeTests {
  private let folder: ScratchFolder
  private let archive: Archive
  /// Years after the files of a test were created.
  private let later = Date(timeIntervalSinceReferenceDate: 2_000_000_000)

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
  }

  private func state() -> HousekeepingState { HousekeepingState(ifReadableIn: archive.control) }

  @Test func `shards up to the last one processed are skipped until the next pass`() throws {
    let contents: [[UInt8]] = [[1], [2], [3]]
    for bytes in contents {
      archive.objects.vouched(for: [try archive.objects.store(bytes).sha256])
    }
    let shards = try archive.objects.shardNames()
    try #require(shards.count == 3)
    var state = state()
    state.shard = shards[1]
    try state.save(in: archive)
    let first = try archive.housekeeping(now: later, limit: .seconds(5))
    #expect(first.isComplete && first.garbage.objects == 1)
    let next = try archive.housekeeping(now: later + 86_400, limit: .seconds(5))
    #expect(next.isComplete && next.garbage.objects == 2)
  }

  @Test func `bundles up to the last one compared are skipped until all were compared`() throws {
    for id in ["a", "b", "c"] {
      try archive.publish([archive.bundles.stage(Sample.draft(Sample.item(id)))])
      var item = try #require(try archive.catalog.item(Sample.item(id).key))
      item.manifest = "of another bundle"
      try archive.catalog.record([.publish(Sample.publication(item))])
    }
    let places = try archive.catalog.folders(after: "", limit: 9)
    try #require(places.count == 3)
    var state = state()
    var report = HousekeepingReport()
    state.bundle = places[0].folder
    let isInTime = try archive.distrustStrangers(&state, until: .now, &report)
    #expect(!isInTime && report.distrusted == 0)
    #expect(state.bundle == places[0].folder)
    let isDone = try archive.distrustStrangers(&state, until: .now + .seconds(60), &report)
    #expect(isDone && report.distrusted == 2)
    #expect(state.bundle == nil)
    var isTrusted: [Bool] = []
    for place in places {
      isTrusted.append(try archive.catalog.item(place.key)?.revision == "r1")
    }
    #expect(isTrusted == [true, false, false])
  }

  @Test func `disk usage measured at the same time is not measured again for the library`() throws {
    #expect(try archive.housekeeping(now: later, limit: .seconds(5)).isComplete)
    try FileManager.default.createDirectory(
      atPath: folder.at("archive/library"), withIntermediateDirectories: false)
    try folder.write("12345", to: "archive/library/index.html")
    var state = state()
    state.completed = later - 86_400
    try state.save(in: archive)
    #expect(try archive.housekeeping(now: later, limit: .seconds(5)).isComplete)
    #expect(archive.lastUsage()?.library == 0)
  }

  @Test func `an image of one bundle counts for the pool alone`() throws {
    let image = try archive.objects.store([UInt8](repeating: 7, count: 5_000))
    let item = Sample.item("a")
    try archive.publish([archive.bundles.stage(Sample.draft(item, images: [image]))])
    let usage = try #require(try archive.measure(now: later, until: .now + .seconds(60)))
    #expect((usage.pool, usage.versions) == (5_000, 0))
    let sizes = ["index.html", "item.json", "SHA256SUMS"].map {
      folder.bytes(of: "archive/\(item.folder)/\($0)")?.count ?? 0
    }
    #expect(usage.items == sizes.reduce(0, +))
  }

  @Test func `links prove use by the first thousand objects, and the rest of their shard`() throws {
    let pool = "archive/.archiver/objects"
    for shard in ["00", "01"] {
      try FileManager.default.createDirectory(
        atPath: folder.at("\(pool)/\(shard)"), withIntermediateDirectories: false)
    }
    let linked = folder.at("\(pool)/00/linked")
    try folder.write("", to: "\(pool)/00/linked")
    for number in 1..<500 { try #require(link(linked, "\(linked)\(number)") == 0) }
    for number in 0..<500 { try folder.write("", to: "\(pool)/00/single\(number)") }
    for name in ["one", "other"] {
      try #require(link(linked, folder.at("\(pool)/01/\(name)")) == 0)
    }
    #expect(try !archive.linksTell(), "half of the first thousand have links")
    try FileManager.default.removeItem(atPath: folder.at("\(pool)/00/single0"))
    #expect(try archive.linksTell(), "the next shard is included")
  }
}
