import ArchiverCore
import Testing

@testable import ArchiverStorage

/// A catalog rebuilt from odd bundles, and beside what other attempts left.
struct RebuildRemainsTests {
  private let scratch: ScratchFolder
  private let item = Sample.item("a")
  private let control = "archive/.archiver/"

  init() throws {
    scratch = try ScratchFolder()
    let archive = try Archive.open(path: scratch.at("archive"), mode: .readWrite(holder: "test"))
    let image = try archive.objects.store(Array("picture".utf8))
    for item in [item, Sample.item("b")] {
      try archive.publish([archive.bundles.stage(Sample.draft(item, images: [image]))])
    }
  }

  private var path: String { scratch.at("archive") }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: scratch.at(name))
  }

  @Test func `a hidden folder that is lost is made anew with its format`() throws {
    try remove("archive/.archiver")
    #expect(try Archive.rebuildCatalog(path: path).items == 2)
    #expect(scratch.text(of: control + "format") == "1\n")
  }

  @Test func `what an interrupted attempt and an earlier process left does no harm`() throws {
    try scratch.write("rubbish", to: control + "catalog.sqlite.new")
    try scratch.write("left", to: control + "staging/s1")
    #expect(try Archive.rebuildCatalog(path: path).items == 2)
    #expect(scratch.bytes(of: control + "catalog.sqlite.new") == nil)
    #expect(scratch.bytes(of: control + "staging/s1") == nil)
  }

  @Test func `a catalog that was ready takes its name before another is made`() throws {
    try scratch.write("rubbish", to: control + "catalog.sqlite.ready")
    #expect(try Archive.rebuildCatalog(path: path).items == 2)
    #expect(scratch.text(of: control + "catalog.sqlite.old") == "rubbish")
    #expect(try Archive.open(path: path, mode: .readOnly).catalog.itemCount(source: nil) == 2)
  }

  /// Moves the bundle of `a` to staging, where the catalog is lost.
  private func stage(as name: String) throws {
    try scratch.write("rubbish", to: control + "catalog.sqlite")
    for ending in ["-wal", "-shm"] {
      try? remove(control + "catalog.sqlite" + ending)  // a closed catalog has none
    }
    try FileManager.default.moveItem(
      atPath: "\(path)/\(item.folder)", toPath: scratch.at(control + "staging/\(name)"))
  }

  @Test func `a bundle that was never published is not restored`() throws {
    try stage(as: "s1")
    #expect(try Archive.rebuildCatalog(path: path).items == 1)
    #expect(scratch.bytes(of: "archive/\(item.folder)/index.html") == nil)
  }

  @Test func `a restoration that a power cut could undo is reported as failed`() throws {
    try stage(as: "s1.replaced")
    let faults = FailingStep { operation, path in
      operation == .synchronise && path.hasSuffix("/readeck") ? EIO : nil
    }
    #expect(throws: StorageError.self) {
      try Archive.rebuildCatalog(path: path, options: ArchiveOptions(faults: faults))
    }
  }

  @Test(arguments: [
    (#""path" : "assets/[^"]*""#, #""path" : "photo.png""#),
    (#""sha256" : "[^"]*""#, #""sha256" : "none""#),
  ])
  func `an asset of an odd place or digest is left out of the pool, its bundle is recorded`(
    member: String, odd: String
  ) throws {
    try remove("archive/.archiver")
    for item in [item, Sample.item("b")] {
      let name = "archive/\(item.folder)/item.json"
      let record = try #require(scratch.text(of: name))
      let pattern = try Regex(member)
      try #require(record.contains(pattern))
      try scratch.write(record.replacing(pattern, with: odd, maxReplacements: 1), to: name)
    }
    let found = try Archive.rebuildCatalog(path: path)
    #expect(found.items == 2 && found.unreadable == [])
    let objects = try Folder.open(path: scratch.at(control + "objects"))
    #expect(try objects.entries().isEmpty)
  }
}
