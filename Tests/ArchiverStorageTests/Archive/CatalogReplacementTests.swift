import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

/// The steps by which a new catalog takes the place of the old one.
struct CatalogReplacementTests {
  private static let name = ArchiveLayout.catalog

  private let scratch: ScratchFolder
  private let faults = FailingStep()
  private let replacement: CatalogReplacement

  init() throws {
    scratch = try ScratchFolder()
    replacement = CatalogReplacement(
      control: try Folder.open(path: scratch.path), fileSystem: FileSystem(faults: faults))
    try scratch.write("new", to: CatalogReplacement.new)
  }

  private func text(_ suffix: String = "") -> String? { scratch.text(of: Self.name + suffix) }

  @Test func `each step is durable before the next`() throws {
    let steps = Mutex<[FileOperation]>([])
    faults.set { operation, _ in
      steps.withLock { $0.append(operation) }
      return nil
    }
    try scratch.write("old", to: Self.name)
    try scratch.write("log", to: Self.name + "-wal")
    try replacement.carryOut()
    #expect(
      steps.withLock { $0 } == [
        .synchronise, .link, .rename, .synchronise, .rename, .remove, .synchronise, .rename,
        .synchronise,
      ])
    #expect(text() == "new" && text(".old") == "old" && text(".old-wal") == "log")
    #expect(text(".ready") == nil && text(".new") == nil)
  }

  @Test(arguments: ["", "-shm", "-wal", "-journal"])
  func `what an interrupted attempt left is removed`(suffix: String) throws {
    try scratch.write("left", to: CatalogReplacement.new + suffix)
    try scratch.write("old", to: Self.name)
    try replacement.discard()
    #expect(text(".new" + suffix) == nil && text(".new") == nil)
    #expect(text() == "old")
  }

  @Test(arguments: ["-wal", "-journal"])
  func `a new catalog that is not whole in its file does not replace the old one`(
    suffix: String
  ) throws {
    try scratch.write("old", to: Self.name)
    try scratch.write("x", to: CatalogReplacement.new + suffix)
    let error = #expect(throws: StorageError.self) { try replacement.carryOut() }
    #expect(error?.code == .full)
    #expect(text() == "old")
    try scratch.write("", to: CatalogReplacement.new + suffix)
    try replacement.carryOut()
    #expect(text() == "new")
  }

  @Test func `an old catalog that an interrupted attempt has named already gets no other name`()
    throws
  {
    try scratch.write("old", to: Self.name)
    try #require(link(scratch.at(Self.name), scratch.at(Self.name + ".old")) == 0)
    try replacement.carryOut()
    #expect(text() == "new" && text(".old") == "old")
    #expect(text(".old2") == nil)
  }

  @Test func `what is no file in the place of a catalog is moved away`() throws {
    for suffix in ["", ".old"] {
      try FileManager.default.createDirectory(
        atPath: scratch.at(Self.name + suffix), withIntermediateDirectories: false)
    }
    try scratch.write("mine", to: Self.name + "/note")
    try replacement.carryOut()
    #expect(text() == "new" && text(".old2/note") == "mine")
  }

  @Test func `an old catalog that can be neither linked nor copied leaves no part of a copy`()
    throws
  {
    try scratch.write("old", to: Self.name)
    faults.set { operation, _ in
      switch operation {
      case .link: EXDEV
      case .write: ENOSPC
      default: nil
      }
    }
    #expect(throws: StorageError.self) { try replacement.carryOut() }
    #expect(text() == "old" && text(".old") == nil)
    #expect(text(".new") == "new" && text(".ready") == nil)
  }

  @Test func `a catalog that is not ready is left as it is`() throws {
    try scratch.write("old", to: Self.name)
    try scratch.write("log", to: Self.name + "-wal")
    try replacement.finish()
    #expect(text() == "old" && text("-wal") == "log")
  }
}
