import ArchiverCore
import Testing

@testable import ArchiverStorage

/// What a bundle has as a version of another one.
struct TreeLinkerTests {
  private let scratch: ScratchFolder
  private let bundle: Folder
  private let target: Folder
  private let linker = TreeLinker(fileSystem: FileSystem(faults: nil))

  /// Makes a bundle whose image is damaged and whose chapter was edited, with files of the user.
  init() throws {
    scratch = try ScratchFolder()
    for name in ["bundle/assets", "bundle/text", "bundle/versions/old", "target"] {
      try FileManager.default.createDirectory(
        atPath: scratch.at(name), withIntermediateDirectories: true)
    }
    bundle = try Folder.open(path: scratch.at("bundle"))
    target = try Folder.open(path: scratch.at("target"))
    for (path, text) in [
      ("index.html", "page"), ("assets/a.png", "damaged"), ("assets/b.png", "unlisted"),
      ("text/1.html", "edited"), ("a b", "mine"),
    ] {
      try scratch.write(text, to: "bundle/\(path)")
    }
    var sums = ChecksumList()
    for (path, text) in [
      ("index.html", "page"), ("assets/a.png", "original"), ("text/1.html", "chapter"),
    ] {
      sums[path] = Digest.sha256Hex(text)
    }
    try Data(sums.bytes).write(to: URL(filePath: scratch.at("bundle/SHA256SUMS")))
    for name in ["bundle/a\nb", "bundle/text/a\\b"] {
      try #require(FileManager.default.createFile(atPath: scratch.at(name), contents: Data([1])))
    }
  }

  @Test func `a version lists images as they were stored, and other files as they are`() throws {
    try linker.linkBundle(bundle, into: target)
    let list = try #require(try ChecksumList(ifReadableIn: target))
    let expected = [
      "index.html": "page", "assets/a.png": "original", "assets/b.png": "unlisted",
      "text/1.html": "edited", "a b": "mine",
    ]
    #expect(list.digests == expected.mapValues { Digest.sha256Hex($0) })
    let names = try FileManager.default.subpathsOfDirectory(atPath: target.path)
    let files = Set(names).subtracting(["assets", "text", "SHA256SUMS"])
    #expect(files == Set(expected.keys))
    for path in expected.keys {
      #expect(scratch.text(of: "target/\(path)") == scratch.text(of: "bundle/\(path)"))
    }
  }

  @Test func `another page of a version is listed with its own digest`() throws {
    try linker.linkBundle(bundle, into: target, page: Array("elsewhere".utf8))
    let list = try #require(try ChecksumList(ifReadableIn: target))
    #expect(list["index.html"] == Digest.sha256Hex("elsewhere"))
    #expect(scratch.text(of: "target/index.html") == "elsewhere")
    #expect(scratch.text(of: "bundle/index.html") == "page")
  }

  @Test func `a tree is linked without names that a list of checksums cannot hold`() throws {
    try linker.linkTree(bundle, into: target, skipping: ["versions", "assets"])
    let names = try FileManager.default.subpathsOfDirectory(atPath: target.path).sorted()
    #expect(names == ["SHA256SUMS", "a b", "index.html", "text", "text/1.html"])
    #expect(try target.status("index.html")?.linkCount == 2)
    #expect(try target.status("index.html")?.inode == bundle.status("index.html")?.inode)
  }

  @Test func `a page without a record stays as it was edited`() throws {
    try scratch.write("my page", to: "bundle/index.html")
    try linker.linkBundle(bundle, into: target)
    let list = try #require(try ChecksumList(ifReadableIn: target))
    #expect(list["index.html"] == Digest.sha256Hex("my page"))
    #expect(list[ItemRecord.fileName] == nil)
  }
}
