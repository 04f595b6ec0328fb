import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

/// Fails all steps from the n-th on, or only that step.
private final class StopAt: FaultInjector {
  let step: Int
  let code: Int32
  let isOnce: Bool
  private let count = Mutex(0)

  init(_ step: Int, _ code: Int32, isOnce: Bool) {
    self.step = step
    self.code = code
    self.isOnce = isOnce
  }

  var wasReached: Bool { count.withLock { $0 >= step } }

  func fault(before operation: FileOperation, path: String) -> Int32? {
    count.withLock { count in
      count += 1
      return count == step || (count > step && !isOnce) ? code : nil
    }
  }
}

/// How a catalog is rebuilt while the disk fills or the process dies.
struct RebuildTests {
  enum Old: CaseIterable { case good, damaged, lost }

  private let items = ["a", "b", "c"].map { Sample.item($0) }

  /// An archive of three items whose catalog has a run, which only the old catalog contains.
  private func prepare(_ path: String, _ old: Old) throws {
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      let image = try archive.objects.store(Array("picture".utf8))
      for item in items {
        try archive.publish([archive.bundles.stage(Sample.draft(item, images: [image]))])
      }
      _ = try archive.catalog.beginRun(
        RunRecord(source: "readeck", kind: "readeck", started: Sample.now))
    }
    let catalog = "\(path)/.archiver/catalog.sqlite"
    switch old {
    case .good: break
    case .damaged: try Data("rubbish".utf8).write(to: URL(filePath: catalog))
    case .lost: try FileManager.default.removeItem(atPath: catalog)
    }
  }

  @Test(arguments: Old.allCases, [true, false])
  func `a catalog rebuilt and stopped at any step leaves the old one or the new`(
    _ old: Old, isOnce: Bool
  ) throws {
    var step = 0
    var isFinished = false
    while !isFinished {
      step += 1
      let scratch = try ScratchFolder(inMemory: true)
      let path = scratch.at("archive")
      try prepare(path, old)
      let page = "archive/\(items[0].folder)/index.html"
      try scratch.write("edited by hand", to: page)
      let stop = StopAt(step, isOnce ? 28 : 5, isOnce: isOnce)
      let found = try? Archive.rebuildCatalog(
        path: path, options: ArchiveOptions(faults: stop))
      isFinished = !stop.wasReached
      let comment: Comment = "step \(step)"
      #expect(found?.items == 3 || stop.wasReached, comment)
      #expect(scratch.text(of: page) == "edited by hand", comment)
      if old == .good {
        let reader = try Archive.open(path: path, mode: .readOnly)
        #expect(try reader.catalog.itemCount(source: nil) == 3, comment)
        let isOld = try !reader.catalog.runs(source: nil, limit: 5).isEmpty
        let hasSecondName = scratch.bytes(of: "archive/.archiver/catalog.sqlite.old") != nil
        #expect(isOld || hasSecondName, comment)
      }
      let isReady = scratch.bytes(of: "archive/.archiver/catalog.sqlite.ready") != nil
      do throws(StorageError) {
        let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
        #expect(try archive.catalog.itemCount(source: nil) == 3, comment)
      } catch {
        // Unchanged: no command treats it as an empty archive.
        #expect(old != .good && !isReady && error.code == .damaged, comment)
      }
      #expect(try Archive.rebuildCatalog(path: path).items == 3, comment)
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/.archiver")
      #expect(!names.contains { $0.contains(".new") || $0.contains(".ready") }, comment)
      #expect(names.contains("catalog.sqlite.old") || old == .lost, comment)
    }
    #expect(step > 10)
  }

  @Test func `the WAL of the old catalog is never used with the new one`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try prepare(path, .damaged)
    try scratch.write("journal", to: "archive/.archiver/catalog.sqlite-journal")
    try scratch.write("log", to: "archive/.archiver/catalog.sqlite-wal")
    _ = try Archive.rebuildCatalog(path: path)
    #expect(scratch.text(of: "archive/.archiver/catalog.sqlite.old-journal") == "journal")
    #expect(scratch.text(of: "archive/.archiver/catalog.sqlite.old-wal") == "log")
    #expect(scratch.text(of: "archive/.archiver/catalog.sqlite.old") == "rubbish")
    #expect(scratch.bytes(of: "archive/.archiver/catalog.sqlite-journal") == nil)
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(try archive.catalog.itemCount(source: nil) == 3)
  }

  @Test func `a log without its catalog is set aside, and never beside another catalog`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    let control = "archive/.archiver/catalog.sqlite"
    try prepare(path, .lost)
    for text in ["first", "second"] {
      try? FileManager.default.removeItem(atPath: scratch.at(control))
      try scratch.write(text, to: control + "-wal")
      try scratch.write(text, to: control + "-journal")
      _ = try Archive.rebuildCatalog(path: path)
    }
    for (name, text) in [(".old", "first"), (".old2", "second")] {
      for log in ["-wal", "-journal"] { #expect(scratch.text(of: control + name + log) == text) }
      #expect(scratch.bytes(of: control + name) == nil)
    }
    try scratch.write("rubbish", to: control)
    try scratch.write("third", to: control + "-wal")
    _ = try Archive.rebuildCatalog(path: path)
    #expect(scratch.text(of: control + ".old3") == "rubbish")
    #expect(scratch.text(of: control + ".old3-wal") == "third")
    #expect(scratch.text(of: control + ".old-wal") == "first")
    #expect(try Archive.open(path: path, mode: .readOnly).catalog.itemCount(source: nil) == 3)
  }

  @Test func `an item rebuilt without one of its parts is due`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    let parts: [String: MissingPart] = [
      "file": .init(.file, name: "paper.pdf", reason: "HTTP 500"),
      "picture": .init(
        .picture, name: "photo.jpg", reason: "HTTP 503", isEssential: false),
    ]
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      for id in ["file", "picture", "whole"] {
        let item = Sample.item(id)
        var draft = try Sample.draft(item)
        let record = ItemRecord(
          item, kind: "readeck", parts: parts[id].map { [$0] } ?? [], generator: "test")
        draft.files.removeAll { $0.path == ItemRecord.fileName }
        draft.files.append(
          .init(path: ItemRecord.fileName, content: .bytes(try record.json())))
        try archive.publish([archive.bundles.stage(draft)])
      }
    }
    let clock = ArchiverClock(now: { Sample.now }, sleep: { _ in })
    _ = try Archive.rebuildCatalog(path: path, clock: clock)
    let catalog = try Archive.open(path: path, mode: .readOnly).catalog
    let work = try catalog.work(source: "readeck", WorkSelection(now: Sample.now))
    #expect(work.map(\.reference.id) == ["file", "picture"])
    #expect(work.allSatisfy { $0.reason == .incomplete && !$0.gaveUp })
    #expect(try catalog.failures(source: nil).map(\.key.id) == ["file"])
  }

  @Test func `a bundle that was being replaced when the catalog was lost is restored`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try prepare(path, .damaged)
    try FileManager.default.moveItem(
      atPath: "\(path)/\(items[0].folder)", toPath: "\(path)/.archiver/staging/s1.replaced")
    #expect(try Archive.rebuildCatalog(path: path).items == 3)
    #expect(scratch.bytes(of: "archive/\(items[0].folder)/index.html") != nil)
  }

  @Test func `a bundle that was being replaced when a readable catalog is rebuilt is restored`()
    throws
  {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try prepare(path, .good)
    // An exchange in two steps, of which the second was not made.
    try SQLiteCatalog(path: "\(path)/.archiver/catalog.sqlite").announce([
      .publish(Sample.publication(items[0]))
    ])
    try FileManager.default.moveItem(
      atPath: "\(path)/\(items[0].folder)", toPath: "\(path)/.archiver/staging/s1.replaced")
    #expect(try Archive.rebuildCatalog(path: path).items == 3)
    #expect(scratch.bytes(of: "archive/\(items[0].folder)/index.html") != nil)
  }

  @Test func `pins of a catalog of before there was a list outlive it`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try prepare(path, .good)
    do {
      let catalog = try SQLiteCatalog(path: "\(path)/.archiver/catalog.sqlite")
      try catalog.setPinned(true, items[1].key)
      // What a killed process left unfinished is settled first.
      try catalog.announce([.publish(Sample.publication(items[0]))])
    }
    try? FileManager.default.removeItem(atPath: "\(path)/.archiver/pins.json")
    _ = try Archive.rebuildCatalog(path: path)
    #expect(
      try Archive.open(path: path, mode: .readOnly).catalog.pins(source: nil) == [items[1].key])
  }
}
