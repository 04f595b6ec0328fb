import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Defaults and reports of an archive, and the small files in its hidden directory.
struct ArchiveValueTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func open() throws -> Archive {
    try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.at(name), withIntermediateDirectories: true)
  }

  @Test func `by default 100 MB stay free, and nothing is injected`() {
    let options = ArchiveOptions()
    #expect(options.reserve == 100_000_000)
    #expect(options.faults == nil)
    #expect(options.linkForms.isEmpty && options.titleClasses.isEmpty)
  }

  @Test(arguments: VerificationProblem.Kind.allCases)
  func `every problem is damage, except an unused object`(kind: VerificationProblem.Kind) {
    let problem = VerificationProblem(kind, folder: "readeck/a")
    let isDamage = kind != .objectUnused
    #expect(problem.file == nil && problem.isDamage == isDamage)
    var report = VerificationReport()
    #expect(report.isClean)
    report.problems = [VerificationProblem(.objectUnused, folder: ""), problem]
    #expect(report.isClean != isDamage)
  }

  @Test(arguments: [false, true], [false, true])
  func `merged reports add up, and are complete if both are`(one: Bool, other: Bool) {
    var (sum, added) = (VerificationReport(), VerificationReport())
    (sum.isComplete, added.isComplete) = (one, other)
    sum.problems = [VerificationProblem(.missing, folder: "a")]
    added.problems = [VerificationProblem(.extra, folder: "b")]
    (sum.bundles, sum.files, sum.filesRead) = (1, 2, 3)
    (sum.bytesRead, sum.objects) = (4, 5)
    (added.bundles, added.files, added.filesRead) = (10, 20, 30)
    (added.bytesRead, added.objects) = (40, 50)
    sum.merge(added)
    #expect(sum.isComplete == (one && other))
    #expect(sum.problems.map(\.kind) == [.missing, .extra])
    #expect((sum.bundles, sum.files, sum.filesRead) == (11, 22, 33))
    #expect((sum.bytesRead, sum.objects) == (44, 55))
  }

  @Test func `a run needs writing, locking and renaming of a file system`() {
    let essential = FileSystemTrial.Step.allCases.filter(\.isEssential)
    #expect(essential == [.write, .lock, .rename])
  }

  @Test(
    arguments: [
      ("", nil, false), ("", "", false), ("", "x", true), ("x", nil, true), (nil, "x", false),
    ] as [(String?, String?, Bool)])
  func `an empty catalog counts only with bytes in its WAL`(
    catalog: String?, log: String?, counts: Bool
  ) throws {
    try makeFolder("archive/readeck/a")
    for name in [ItemRecord.fileName, ChecksumList.fileName] {
      try folder.write("", to: "archive/readeck/a/\(name)")
    }
    try makeFolder("archive/.archiver")
    if let catalog { try folder.write(catalog, to: "archive/.archiver/catalog.sqlite") }
    if let log { try folder.write(log, to: "archive/.archiver/catalog.sqlite-wal") }
    var code: StorageError.Code?
    do throws(StorageError) {
      try Archive.requireCatalog(path: folder.at("archive"))
    } catch {
      code = error.code
    }
    let expected: StorageError.Code? = counts ? nil : .damaged
    #expect(code == expected)
  }

  @Test func `only the owner may enter the directory of accounts`() throws {
    let archive = try open()
    try archive.store(Archive.AccountData(kind: "readeck", account: .object([:])), of: "a")
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.at("archive/.archiver/accounts"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `pins are listed by source, then by id`() throws {
    let archive = try open()
    for (source, id) in [("b", "2"), ("a", "9"), ("b", "1"), ("c", "0")] {
      try archive.setPinned(true, ItemKey(source: source, id: id))
    }
    try archive.setPinned(false, ItemKey(source: "c", id: "0"))
    let bytes = try #require(folder.bytes(of: "archive/.archiver/pins.json"))
    let pins = try JSONDecoder().decode([ItemKey].self, from: Data(bytes))
    #expect(pins.map(\.source) == ["a", "b", "b"])
    #expect(pins.map(\.id) == ["9", "1", "2"])
  }

  @Test func `an empty bundle was neither opened nor changed`() throws {
    let archive = try open()
    var item = Sample.item("a")
    item.lastArchived = Date(timeIntervalSince1970: -86_400)
    try makeFolder("archive/\(item.folder)")
    #expect(try archive.lastOpened(item) == nil)
    #expect(try archive.lastChange(of: item.folder) == Date(timeIntervalSince1970: 0))
  }

  @Test func `a record of the source that programs read does not say that an item was opened`()
    throws
  {
    let archive = try open()
    // Files that are created now were accessed long after this item was archived.
    let item = Sample.item("a")
    try makeFolder("archive/\(item.folder)")
    for name in ["item.json", "SHA256SUMS", "source.json"] {
      try folder.write("{}", to: "archive/\(item.folder)/\(name)")
    }
    #expect(try archive.lastOpened(item) == nil)
    try folder.write("text", to: "archive/\(item.folder)/book.txt")
    #expect(try archive.lastOpened(item) != nil)
  }
}
