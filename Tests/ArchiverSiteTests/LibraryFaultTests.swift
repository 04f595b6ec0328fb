import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Dispatch
import Testing

@testable import ArchiverSite

/// Full disks, folders that cannot be written and killed processes: the library of the last update stays
/// readable, and the next update gives what a build from nothing gives.
@Suite(.serialized) struct LibraryFaultTests {
  /// The items of an archive, before and after a run.
  enum Stand: String, Sendable {
    case before, after

    var other: Stand { self == .before ? .after : .before }
  }

  private static func items(_ stand: Stand) -> [CatalogItem] {
    var sample = SampleArchive(seed: 31)
    let all = (0..<50).map { number in
      var item = sample.item(number)
      item.metadata.added = SampleArchive.now.addingTimeInterval(-Double(number) * 300_000)
      if number % 9 == 0 { item.annotations = [Annotation(id: "a\(number)", text: "Marked.")] }
      guard stand == .after, number % 5 == 0 else { return item }
      item.metadata.title += " again"
      item.contentHash += "changed"
      return item
    }
    return stand == .before ? Array(all.prefix(45)) : Array(all.dropFirst(3))
  }

  private static func builder(_ root: String, _ stand: Stand) -> LibraryBuilder {
    let text = SearchText { row in
      var sample = SampleArchive(seed: Fingerprint.of(row.contentHash))
      return sample.text(150)
    }
    return LibraryBuilder(root: root, catalog: MemoryCatalog(items(stand)), text: text)
  }

  private static func files(_ root: String) throws -> [String: Data] {
    try LibraryFiles.of(root).filter { $0.key != StatusData.path }
  }

  private static func files(of stand: Stand) async throws -> [String: Data] {
    try await TemporaryFolder.with("nothing") { root in
      _ = try builder(root, stand).update(isChanged: true)
      return try files(root)
    }
  }

  /// The libraries that builds from nothing give.
  private struct Wanted {
    let files: [Stand: [String: Data]]

    init() async throws {
      files = [
        .before: try await LibraryFaultTests.files(of: .before),
        .after: try await LibraryFaultTests.files(of: .after),
      ]
    }

    /// Checks that the library of `stand` is still there: every file of it is whole, or is the new one.
    func expectReadable(_ root: String, _ stand: Stand, _ place: String) throws {
      let found = try LibraryFaultTests.files(root)
      let new = try #require(files[stand.other])
      for (path, bytes) in try #require(files[stand]) {
        let isWhole = found[path] == bytes || found[path].map { $0 == new[path] } == true
        #expect(isWhole, "\(place): \(path)")
      }
    }

    /// Checks that an update makes the library of `stand`, and that it then knows it.
    func expectMended(_ root: String, _ stand: Stand, _ place: String) throws {
      _ = try LibraryFaultTests.builder(root, stand).update(isChanged: true)
      let found = try LibraryFaultTests.files(root)
      let wanted = try #require(files[stand])
      #expect(Set(found.keys).symmetricDifference(wanted.keys) == [], "\(place)")
      for (path, bytes) in wanted { #expect(found[path] == bytes, "\(place): \(path)") }
      #expect(LibraryState(root: root) == LibraryState(), "\(place)")
      #expect(LibraryStamp(root: root, language: "en") != nil, "\(place)")
      let again = try LibraryFaultTests.builder(root, stand).update(isChanged: true)
      #expect(again.written.allSatisfy { $0 == StatusData.path }, "\(place): \(again.written)")
    }
  }

  /// Mounts a small disk at a folder while `body` runs.
  private static func withDisk(
    _ kilobytes: Int, at path: String, _ body: () async throws -> Void
  ) async throws {
    guard getuid() == 0, let mount = ChildProcess.find("mount"),
      let unmount = ChildProcess.find("umount")
    else { return print("skipped: only root can mount a small disk") }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    func run(_ tool: String, _ words: [String]) async throws -> Bool {
      try await ChildProcess(tool, words, environment: [:]).wait() == 0
    }
    guard
      try await run(mount, ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
    else { return print("skipped: no disk can be mounted here") }
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    #expect(try await run(unmount, ["-l", path]))
    try result.get()
  }

  /// Fills the disk of a folder up to a rest.
  private static func fill(_ path: String, leaving rest: Int) throws {
    let file = try #require(PieceFile(path, .new))
    var size = 0
    while (try? file.write([UInt8](repeating: 7, count: 4_096), at: size)) != nil { size += 4_096 }
    try file.cut(to: max(0, size - rest))
  }

  @Test func `a full disk leaves the last library readable, however late it is full`()
    async throws
  {
    let wanted = try await Wanted()
    try await TemporaryFolder.with("full") { folder in
      let root = "\(folder)/disk"
      try await Self.withDisk(12_000, at: root) {
        var stand = Stand.before
        try wanted.expectMended(root, stand, "empty")
        var failures = 0
        for rest in [0, 8, 64, 256, 4_096] {
          try Self.fill("\(root)/filler", leaving: rest * 1_024)
          do {
            _ = try Self.builder(root, stand.other).update(isChanged: true)
          } catch let error as StorageError {
            failures += 1
            #expect(error.code == .full, "\(rest): \(error)")
            #expect(LibraryState(root: root) != LibraryState(), "\(rest)")
            try wanted.expectReadable(root, stand, "\(rest)")
          }
          #expect(unlink("\(root)/filler") == 0)
          stand = stand.other
          try wanted.expectMended(root, stand, "\(rest)")
        }
        #expect((3..<5).contains(failures))
      }
    }
  }

  @Test(arguments: [8, 64, 400])
  func `a store that does not fit its disk fails the update or only slows the next`(
    kilobytes: Int
  ) async throws {
    let wanted = try await Wanted()
    try await TemporaryFolder.with("store") { root in
      try wanted.expectMended(root, .before, "empty")
      let store = "\(root)/\(LibraryStore.path)"
      try await Self.withDisk(kilobytes, at: "\(root)/.archiver/library") {
        do {
          _ = try Self.builder(root, .after).update(isChanged: true)
          #expect(try Self.files(root) == wanted.files[.after])
          // What is not whole is not taken for it.
          #expect((LibraryStamp(root: root, language: "en") == nil) == (kilobytes < 400))
        } catch let error as StorageError {
          #expect(error.code == .full, "\(error)")
          try wanted.expectReadable(root, .before, "\(kilobytes)")
        }
        _ = try? Self.builder(root, .before).update(isChanged: true)
      }
      #expect(FileManager.default.fileExists(atPath: store))
      try wanted.expectMended(root, .after, "\(kilobytes)")
    }
  }

  @Test(arguments: ["", "library", "library/data", ".archiver/library", ".archiver/staging"])
  func `a folder that cannot be written fails the update and changes nothing`(
    name: String
  ) async throws {
    guard getuid() == 0 else { return print("skipped: only root can act as someone else") }
    let wanted = try await Wanted()
    try await TemporaryFolder.with("denied") { root in
      try wanted.expectMended(root, .before, "empty")
      let other = uid_t(65_534)
      #expect(chmod(root, 0o755) == 0)
      for path in try FileManager.default.subpathsOfDirectory(atPath: root) + [""] {
        #expect(lchown("\(root)/\(path)", other, other) == 0)
      }
      let denied = "\(root)/\(name)"
      #expect(lchown(denied, 0, 0) == 0 && chmod(denied, 0o755) == 0)
      await #expect(processExitsWith: .exitCode(7)) { [root = root as String] in
        guard seteuid(65_534) == 0 else { exit(8) }
        do {
          _ = try LibraryFaultTests.builder(root, .after).update(isChanged: true)
        } catch let error as StorageError where error.code == .notWritable {
          exit(7)
        } catch {
          print(error)
        }
        exit(9)
      }
      try wanted.expectReadable(root, .before, name)
      try wanted.expectMended(root, .after, name)
    }
  }

  @Test func `a killed process leaves the last library readable, whenever it is killed`()
    async throws
  {
    let wanted = try await Wanted()
    try await TemporaryFolder.with("killed") { root in
      var stand = Stand.before
      try wanted.expectMended(root, stand, "empty")
      let start = ContinuousClock.now
      try wanted.expectMended(root, stand.other, "timed")
      let time = (ContinuousClock.now - start) / 2
      stand = stand.other
      for step in [1, 3, 5, 7] {
        let delay = Int((time * step / 8) / .microseconds(1))
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [root = root as String, delay = delay as Int, next = stand.other.rawValue as String] in
          DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) {
            kill(getpid(), SIGKILL)
          }
          _ = try LibraryFaultTests.builder(root, try #require(Stand(rawValue: next)))
            .update(isChanged: true)
          while true { sleep(60) }
        }
        let next = stand.other
        // It may have been killed before its first change, or after its last.
        let isOld =
          try LibraryState(root: root).isInterrupted || Self.files(root) == wanted.files[stand]
        try wanted.expectReadable(root, isOld ? stand : next, "\(step)")
        try wanted.expectMended(root, next, "\(step)")
        stand = next
      }
    }
  }
}
