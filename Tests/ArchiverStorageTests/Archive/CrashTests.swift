import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

/// The kind of crash at a step.
enum Crash: String, CaseIterable, CustomTestStringConvertible {
  /// `kill -9`: written data is kept.
  case killed
  /// Power cut: files that were not flushed are full of zeros.
  case powerCut
  /// Power cut, and the catalog's WAL since the last flush is lost too.
  case powerCutWithLog

  var testDescription: String { rawValue }
}

/// Fails every operation from the n-th on, as if the process had died.
private final class CrashingDisk: FaultInjector {
  private struct State {
    var steps = 0
    /// Durable inodes, and the durable state of the catalog.
    var durable: Set<UInt64> = []
    var catalog: [String: Data] = [:]
  }

  private let limit: Int
  private let archive: String
  private let canExchange: Bool
  private let state = Mutex(State())

  init(at limit: Int, archive: String, canExchange: Bool) throws {
    self.limit = limit
    self.archive = archive
    self.canExchange = canExchange
    try state.withLock { try flush(&$0) }
  }

  var hasCrashed: Bool { state.withLock { $0.steps >= limit } }

  func fault(before operation: FileOperation, path: String) -> Int32? {
    state.withLock { state in
      if operation == .exchange && !canExchange { return 38 }  // ENOSYS
      state.steps += 1
      if state.steps >= limit { return 5 }  // EIO
      let flushesAll = operation == .synchronise && path.hasSuffix("/.archiver/staging")
      guard flushesAll else { return nil }
      do { try flush(&state) } catch { return 5 }
      return nil
    }
  }

  private func flush(_ state: inout State) throws {
    state.durable = []
    try forEachFile(Folder.open(path: archive)) { name, folder in
      if let status = try folder.status(name) { state.durable.insert(status.inode) }
      if name.hasPrefix("catalog.sqlite") {
        state.catalog[name] = FileManager.default.contents(atPath: folder.at(name))
      }
    }
  }

  /// Leaves the disk in the state after the crash.
  func strike(_ crash: Crash) throws {
    guard crash != .killed else { return }
    let state = state.withLock { $0 }
    try forEachFile(Folder.open(path: archive)) { name, folder in
      guard let status = try folder.status(name), !name.hasPrefix("catalog.sqlite"),
        !state.durable.contains(status.inode)
      else { return }
      let zeros = Data(repeating: 0, count: status.byteCount)
      try zeros.write(to: URL(filePath: folder.at(name)))
    }
    if crash == .powerCutWithLog {
      for name in ["catalog.sqlite-shm", "catalog.sqlite-wal", "catalog.sqlite"] {
        let path = "\(archive)/.archiver/\(name)"
        if FileManager.default.fileExists(atPath: path) {
          try FileManager.default.removeItem(atPath: path)
        }
        if let data = state.catalog[name], !name.hasSuffix("shm") {
          try data.write(to: URL(filePath: path))
        }
      }
    }
  }

  private func forEachFile(_ folder: Folder, _ body: (String, Folder) throws -> Void) throws {
    for entry in try folder.entries() {
      switch entry.kind {
      case .folder: try forEachFile(try folder.folder(entry.name), body)
      case .file: try body(entry.name, folder)
      case .link, .other: continue
      }
    }
  }
}

struct CrashTests {
  private static let old = Sample.item("a", revision: "r1")
  private static let new = Sample.item("a", revision: "r2", archived: 60)
  private static let other = Sample.item("b", revision: "r1", archived: 60)

  /// An archive with one bundle and two items queued.
  private func prepare(_ path: String) throws {
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    let image = try archive.objects.store(Array("old picture".utf8))
    try archive.publish([
      try archive.bundles.stage(Sample.draft(Self.old, page: "old", images: [image]))
    ])
    let listing = try archive.catalog.beginListing(source: "readeck")
    _ = try archive.catalog.enqueue(
      Sample.page(Sample.reference("a", revision: "r2"), Sample.reference("b")),
      source: "readeck", listing: listing, force: false)
  }

  /// Publishes a changed and a new item. Returns whether it got to the end.
  private func publish(_ path: String, _ disk: CrashingDisk) -> Bool {
    do {
      let archive = try Archive.open(
        path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions(faults: disk))
      let oldImage = try archive.objects.store(Array("old picture".utf8))
      let image = try archive.objects.store(Array("new picture".utf8))
      let first = try archive.bundles.stage(
        Sample.draft(Self.new, page: "new", images: [oldImage, image]))
      let second = try archive.bundles.stage(
        Sample.draft(Self.other, page: "other", images: [image]))
      try archive.publish([first, second])
      return !disk.hasCrashed
    } catch {
      return false
    }
  }

  @Test(arguments: Crash.allCases, [true, false])
  func `a crash at any step leaves the old bundle or the new`(
    _ crash: Crash, canExchange: Bool
  ) async throws {
    var step = 0
    var isFinished = false
    while !isFinished {
      step += 1
      let folder = try ScratchFolder(inMemory: true)
      try prepare(folder.at("archive"))
      let disk = try CrashingDisk(
        at: step, archive: folder.at("archive"), canExchange: canExchange)
      isFinished = publish(folder.at("archive"), disk)
      try disk.strike(crash)

      let comment: Comment = "after step \(step)"
      let archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
      #expect(try archive.catalog.intents().isEmpty, comment)
      #expect(try archive.staging.folder.entries().isEmpty, comment)
      let report = try await archive.verify()
      #expect(report.problems.filter(\.isDamage) == [], comment)
      try expectEitherOr(Self.new, "new", else: "old", archive, comment)
      try expectEitherOr(Self.other, "other", else: nil, archive, comment)
      if isFinished {
        #expect(try archive.catalog.item(Self.new.key)?.revision == "r2")
      }
      // In every state, a repeated run succeeds.
      let again = try CrashingDisk(
        at: .max, archive: folder.at("archive"), canExchange: canExchange)
      withExtendedLifetime(archive) {}
      _ = consume archive
      #expect(publish(folder.at("archive"), again), comment)
      let last = try Archive.open(path: folder.at("archive"), mode: .readOnly)
      #expect(try await last.verify().isClean, comment)
    }
    #expect(step > 20)
  }

  /// Expects either the item with its new page and no queue entry, or the old page and a queue
  /// entry.
  private func expectEitherOr(
    _ item: CatalogItem, _ page: String, else before: String?, _ archive: Archive,
    _ comment: Comment
  ) throws {
    let found = try archive.catalog.item(item.key)
    let work = try archive.catalog.workCount(
      source: "readeck", WorkSelection(only: [item.key.id], now: Sample.now))
    let text = try archive.bundles.read("index.html", of: item.folder)
      .map { String(decoding: $0, as: UTF8.self) }
    if found?.revision == item.revision {
      #expect(text == page, comment)
      #expect(work == 0, comment)
    } else {
      #expect(text == before, comment)
      #expect(work == 1, comment)
      #expect((found == nil) == (before == nil), comment)
    }
  }

  @Test(arguments: Crash.allCases)
  func `a crash while removing leaves the bundle or nothing`(_ crash: Crash) async throws {
    var step = 0
    var isFinished = false
    while !isFinished {
      step += 1
      let folder = try ScratchFolder(inMemory: true)
      let path = folder.at("archive")
      try prepare(path)
      let disk = try CrashingDisk(at: step, archive: path, canExchange: true)
      do {
        let archive = try Archive.open(
          path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions(faults: disk))
        try archive.remove(Self.old.key)
        isFinished = !disk.hasCrashed
      } catch {
        isFinished = false
      }
      try disk.strike(crash)
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      #expect(try await archive.verify().problems.filter(\.isDamage) == [], "after step \(step)")
      #expect(try archive.catalog.intents().isEmpty)
      if isFinished {
        #expect(try archive.catalog.item(Self.old.key) == nil)
        #expect(try archive.bundles.read("index.html", of: Self.old.folder) == nil)
      }
    }
    #expect(step > 5)
  }
}
