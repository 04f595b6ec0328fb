import ArchiverCore
import Testing

@testable import ArchiverStorage

/// What the times of a bundle's files say, and its copies by hand.
struct BundleTimesTests {
  private let folder: ScratchFolder
  private let archive: Archive
  private let item: CatalogItem
  private let bundle: String
  /// The item was archived at `Sample.now`.
  private let archived = Int(Sample.now.timeIntervalSince1970)

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    item = Sample.item("a")
    let image = try archive.objects.store(Array("picture".utf8))
    var draft = try Sample.draft(item, images: [image])
    draft.files.append(
      .init(path: "book/text/1.html", content: .bytes(Array("<p>chapter</p>".utf8))))
    try archive.publish([archive.bundles.stage(draft)])
    bundle = "archive/\(item.folder)"
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.at(bundle)) {
      touch(path, accessed: archived, modified: archived)
    }
  }

  private func touch(_ path: String, accessed: Int, modified: Int) {
    let times = [
      timespec(tv_sec: accessed, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0),
    ]
    #expect(utimensat(AT_FDCWD, folder.at("\(bundle)/\(path)"), times, 0) == 0)
  }

  @Test(arguments: ["index.html", "book/text/1.html", "assets"])
  func `an item was opened when one of its pages or images was`(_ path: String) throws {
    var path = path
    if path == "assets" {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.at("\(bundle)/assets"))
      path += "/" + (try #require(names.first))
    }
    #expect(try archive.lastOpened(item) == nil)
    touch(path, accessed: archived + 86_400, modified: archived)
    #expect(try archive.lastOpened(item) == nil, "the archive itself read it that day")
    touch(path, accessed: archived + 86_401, modified: archived)
    #expect(try archive.lastOpened(item) == Sample.now + 86_401)
  }

  @Test func `a file that only programs read says nothing of when an item was opened`() throws {
    for name in ["item.json", "SHA256SUMS"] {
      touch(name, accessed: archived + 999_999, modified: archived)
    }
    #expect(try archive.lastOpened(item) == nil)
    #expect(try archive.lastOpened(Sample.item("none")) == nil)
  }

  @Test func `a bundle changed when the latest of its files did, versions aside`() throws {
    #expect(try archive.lastChange(of: item.folder) == Sample.now)
    touch("index.html", accessed: archived, modified: archived + 7)
    try FileManager.default.createDirectory(
      atPath: folder.at("\(bundle)/versions"), withIntermediateDirectories: false)
    touch("versions", accessed: archived, modified: archived + 99)
    #expect(try archive.lastChange(of: item.folder) == Sample.now + 7)
    #expect(try archive.lastChange(of: "readeck/none") == nil)
  }

  @Test func `a bundle is copied beside itself, with nothing that the archive manages`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.at("\(bundle)/versions/old"), withIntermediateDirectories: true)
    try folder.write("edited", to: "\(bundle)/index.html")
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("\(bundle)/link"), withDestinationPath: "/etc")
    let first = try archive.copyAside(item.folder, now: Sample.now)
    let second = try archive.copyAside(item.folder, now: Sample.now)
    #expect(first == "\(item.folder)-edited-20250615T150640Z")
    #expect(second == first + "-2")
    for copy in [first, second] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.at("archive/\(copy)"))
      #expect(names.sorted() == ["assets", "book", "index.html"])
      #expect(folder.text(of: "archive/\(copy)/index.html") == "edited")
      #expect(folder.text(of: "archive/\(copy)/book/text/1.html") == "<p>chapter</p>")
    }
    // The copy is the user's own: an edit of it changes no other file.
    let page = try Folder.open(path: folder.at("archive/\(first)")).status("index.html")
    #expect(page?.linkCount == 1)
    for path in ["readeck/none", "none/none"] {
      let error = #expect(throws: StorageError.self) {
        try archive.copyAside(path, now: Sample.now)
      }
      #expect(error?.code == .notFound)
    }
    #expect(try archive.staging.folder.entries().isEmpty)
  }

  @Test(arguments: [FileOperation.makeFolder, .create, .rename])
  func `a copy that fails leaves nothing`(operation: FileOperation) throws {
    let faults = FailingStep()
    let archive = try Archive.open(
      path: folder.at("other"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults))
    try archive.publish([archive.bundles.stage(Sample.draft(item))])
    faults.set { found, _ in found == operation ? EIO : nil }
    #expect(throws: StorageError.self) { try archive.copyAside(item.folder, now: Sample.now) }
    #expect(try archive.staging.folder.entries().isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.at("other/readeck"))
    #expect("readeck/\(names.joined())" == item.folder)
  }
}
