import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct MendingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test func `a page is untouched until its bytes or its checksum change`() throws {
    let archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"), options: ArchiveOptions())
    let staged = try archive.bundles.stage(Sample.draft(Sample.item("a")))
    try archive.publish([staged])
    let bundle = staged.item.folder
    let page = "\(archive.path)/\(bundle)/\(BundlePath.page)"
    let sums = "\(archive.path)/\(bundle)/\(ChecksumList.fileName)"
    #expect(try archive.untouchedPage(of: bundle) == Array("<p>page</p>".utf8))

    let list = try Data(contentsOf: URL(filePath: sums))
    try Data("no list".utf8).write(to: URL(filePath: sums))
    #expect(try archive.untouchedPage(of: bundle) == nil)
    try list.write(to: URL(filePath: sums))
    #expect(try archive.untouchedPage(of: bundle) != nil)

    try Data("<p>edited</p>".utf8).write(to: URL(filePath: page))
    #expect(try archive.untouchedPage(of: bundle) == nil)
    try FileManager.default.removeItem(atPath: page)
    #expect(try archive.untouchedPage(of: bundle) == nil)
  }

  @Test func `another page of a bundle leaves the minimum free space unused`() throws {
    let path = folder.at("archive")
    let item = Sample.item("a")
    do {
      let archive = try Archive.open(
        path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions())
      try archive.publish([archive.bundles.stage(Sample.draft(item))])
    }
    let archive = try Archive.open(
      path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions(reserve: .max / 2))
    let archived = try #require(try archive.catalog.item(item.key))
    let error = #expect(throws: StorageError.self) {
      try archive.bundles.stage(page: [1], of: archived)
    }
    #expect(error?.code == .full)
    #expect(try archive.staging.folder.entries().isEmpty)
  }

  @Test func `a copy of a bundle that cannot be completed does not stay in staging`() throws {
    let failing = FailingStep()
    let archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: failing))
    let item = Sample.item("a")
    try archive.publish([archive.bundles.stage(Sample.draft(item))])
    let archived = try #require(try archive.catalog.item(item.key))
    failing.set { operation, path in
      operation == .create && path.hasSuffix("/\(ChecksumList.fileName)") ? 5 : nil
    }
    #expect(throws: StorageError.self) {
      try archive.bundles.stage(page: [1], of: archived)
    }
    #expect(try archive.staging.folder.entries().isEmpty)
  }
}
