import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Which versions a new bundle has, by what the directory of the previous one contains.
struct VersionPlanTests {
  private let scratch: ScratchFolder
  private let old = "20250101T000000Z"
  private let held = "20250201T000000Z-held"
  /// The name of a version of `Sample.now`.
  private let now = "20250615T150640Z"

  init() throws {
    scratch = try ScratchFolder()
    for name in [old, held] {
      try FileManager.default.createDirectory(
        atPath: scratch.at("versions/\(name)"), withIntermediateDirectories: true)
    }
    try scratch.write("mine", to: "versions/note")
    try scratch.write("page", to: BundlePath.page)
  }

  private func plan(
    archived: Date? = Sample.now, keepVersions: Int = 3, makesVersion: Bool = true
  ) throws -> VersionPlan {
    try VersionPlan(
      previous: Folder.open(path: scratch.path), archived: archived, keepVersions: keepVersions,
      makesVersion: makesVersion)
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: scratch.at(name))
  }

  /// Sets the modification time of a file or directory, in seconds since 1970.
  private func touch(_ name: String, _ seconds: Int) throws {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, scratch.at(name), times, 0) == 0)
  }

  @Test func `the directories of versions are listed, newest first`() throws {
    let folder = try Folder.open(path: scratch.path)
    #expect(try VersionPlan.versions(of: folder) == [held, old])
    try remove("versions")
    #expect(try VersionPlan.versions(of: folder) == [])
  }

  @Test func `the replaced bundle is the newest version, and a copy held back is dropped`() throws {
    let found = try plan()
    #expect(found.names == [now, old])
    #expect(found.added == now)
    #expect(found.previous != nil)
  }

  @Test func `a copy that stays held back comes first`() throws {
    let found = try VersionPlan(
      previous: Folder.open(path: scratch.path), archived: Sample.now, keepVersions: 3,
      makesVersion: true, keepsHeldBack: true)
    #expect(found.names == [held, now, old])
    #expect(found.added == now)
  }

  @Test func `a bundle that makes no version leaves the earlier ones`() throws {
    let found = try plan(makesVersion: false)
    #expect(found.names == [old])
    #expect(found.added == nil)
  }

  @Test func `nothing is kept of zero versions, and of no bundle`() throws {
    let none = try plan(keepVersions: 0)
    #expect(none.names == [] && none.added == nil)
    let first = try VersionPlan(
      previous: nil, archived: Sample.now, keepVersions: 3, makesVersion: true)
    #expect(first.names == [] && first.added == nil && first.previous == nil)
  }

  @Test(arguments: [1, 2])
  func `the oldest and the newest version always stay`(keepVersions: Int) throws {
    let found = try plan(keepVersions: keepVersions)
    #expect(found.names == [now, old])
    #expect(found.added == now)
  }

  @Test func `a directory with versions alone is not a version`() throws {
    try remove(BundlePath.page)
    let found = try plan()
    #expect(found.names == [old])
    #expect(found.added == nil)
  }

  @Test func `a second version of the same time has a number and is newer`() throws {
    let found = try plan(archived: Date(timeIntervalSince1970: 1_735_689_600))
    #expect(found.names == [old + "-2", old])
    #expect(found.added == old + "-2")
  }

  @Test func `an unknown bundle is of the time of its checksums, its page or its directory`() throws
  {
    try remove("versions")
    try scratch.write("", to: ChecksumList.fileName)
    try touch(ChecksumList.fileName, 1_735_689_600)
    try touch(BundlePath.page, 1_738_368_000)
    #expect(try plan(archived: nil).names == ["20250101T000000Z"])
    try remove(ChecksumList.fileName)
    #expect(try plan(archived: nil).names == ["20250201T000000Z"])
    try remove(BundlePath.page)
    try scratch.write("mine", to: "note.txt")
    try touch(".", 1_740_787_200)
    #expect(try plan(archived: nil).names == ["20250301T000000Z"])
  }
}
