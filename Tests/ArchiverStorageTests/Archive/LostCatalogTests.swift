import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Bundles without their catalog, which was on a lost disk or left out of a copy.
struct LostCatalogTests {
  enum Loss: CaseIterable {
    case catalog, catalogEmptied, control
  }

  private let item = Sample.item("a")

  /// Creates an archive with one bundle and removes the lost parts.
  private func lose(_ loss: Loss, in path: String) throws {
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      try archive.publish([archive.bundles.stage(Sample.draft(item))])
    }
    let control = "\(path)/.archiver"
    if loss == .control { return try FileManager.default.removeItem(atPath: control) }
    for name in try FileManager.default.contentsOfDirectory(atPath: control)
    where name.hasPrefix("catalog.sqlite") {
      try FileManager.default.removeItem(atPath: "\(control)/\(name)")
    }
    if loss == .catalogEmptied { try Data().write(to: URL(filePath: "\(control)/catalog.sqlite")) }
  }

  @Test(arguments: Loss.allCases)
  func `an archive without its catalog is not treated as empty, and is rebuilt`(
    loss: Loss
  ) throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try lose(loss, in: path)
    for mode in [ArchiveMode.readOnly, .readWrite(holder: "test")] {
      let error = #expect(throws: StorageError.self) { try Archive.open(path: path, mode: mode) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("archiver repair --catalog") == true)
      #expect(error?.message.contains(item.folder) == true)
    }
    let found = try Archive.rebuildCatalog(path: path)
    #expect(found.items == 1)
    #expect(found.unreadable == [])
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(try archive.catalog.item(item.key)?.folder == item.folder)
  }

  @Test(arguments: [Loss.catalog, .catalogEmptied])
  func `a catalog is created if there is no bundle`(loss: Loss) throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try lose(loss, in: path)
    try FileManager.default.removeItem(atPath: "\(path)/\(item.folder)/item.json")
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(try archive.catalog.itemCount(source: nil) == 0)
  }

  @Test(arguments: ["assets/photo.jpg", "../outside", "missing/photo.jpg"])
  func `the pool has a bundle's files again, and nothing of what is beside it`(
    path: String
  ) async throws {
    let scratch = try ScratchFolder()
    let root = scratch.at("archive")
    let bytes = Array("picture".utf8)
    let sum = Digest.sha256Hex(bytes)
    do {
      let archive = try Archive.open(path: root, mode: .readWrite(holder: "test"))
      let image = try archive.objects.store(bytes)
      let draft = try Sample.draft(item, page: "page", images: [image])
      try archive.publish([archive.bundles.stage(draft)])
    }
    try FileManager.default.removeItem(atPath: "\(root)/.archiver")
    let bundle = "\(root)/\(item.folder)"
    let record = try String(contentsOfFile: "\(bundle)/item.json", encoding: .utf8)
    let own = try #require(record.firstMatch(of: /"path" : "(assets\/[^"]*)"/)).output.1
    try Data(bytes).write(to: URL(filePath: "\(root)/\(item.folder)/../outside"))
    let isOwn = path.hasPrefix("assets")
    let edited = isOwn ? record : record.replacing("\"\(own)\"", with: "\"\(path)\"")
    try Data(edited.utf8).write(to: URL(filePath: "\(bundle)/item.json"))
    #expect(try Archive.rebuildCatalog(path: root).items == 1)
    let object = "\(root)/.archiver/objects/\(sum.prefix(2))/\(sum)"
    #expect(FileManager.default.fileExists(atPath: object) == isOwn)
    guard isOwn else { return }
    let archive = try Archive.open(path: root, mode: .readWrite(holder: "test"))
    #expect(try archive.objects.linkCount(of: sum) == 2)
    #expect(try await archive.verify().problems == [])
  }

  @Test(arguments: ["SHA256SUMS", "item.json", "assets", "versions"], [true, false])
  func `an unreadable bundle does not keep others out of the catalog`(
    name: String, isLink: Bool
  ) throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    let others = [Sample.item("b"), Sample.item("c")]
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      let image = try archive.objects.store(Array("picture".utf8))
      for item in [item] + others {
        try archive.publish([archive.bundles.stage(Sample.draft(item, images: [image]))])
      }
    }
    let place = "\(path)/\(item.folder)/\(name)"
    try? FileManager.default.removeItem(atPath: place)  // not every bundle has versions
    if isLink {
      try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "/etc")
    } else if name.contains(".") || name == "SHA256SUMS" {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    } else {
      try Data().write(to: URL(filePath: place))
    }
    let found = try Archive.rebuildCatalog(path: path)
    #expect(found.items + found.unreadable.count == 3)
    #expect(found.unreadable.allSatisfy { $0 == item.folder })
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    for item in others { #expect(try archive.catalog.item(item.key) != nil) }
  }

  @Test func `a folder that is not an archive cannot be rebuilt`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("other")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: URL(filePath: "\(path)/item.json"))
    let error = #expect(throws: StorageError.self) { try Archive.rebuildCatalog(path: path) }
    #expect(error?.code == .notFound)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["item.json"])
  }

  @Test func `a rebuilt catalog that was not renamed yet is no catalog for readers`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    try lose(.catalog, in: path)
    try Data().write(to: URL(filePath: "\(path)/.archiver/\(CatalogReplacement.ready)"))
    let error = #expect(throws: StorageError.self) { try Archive.requireCatalog(path: path) }
    #expect(error?.code == .damaged)
  }
}
