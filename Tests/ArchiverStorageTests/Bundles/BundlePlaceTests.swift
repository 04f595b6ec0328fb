import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Which paths and names a bundle may have.
struct BundlePlaceTests {
  @Test(arguments: [
    "", "/", "/a", "a/", "a//b", ".", "..", "a/..", ".a", "a/.b", "versions", "versions/a",
    "SHA256SUMS",
  ])
  func `a path with an empty, hidden or reserved component is not allowed`(path: String) {
    #expect(!BundlePath.isAllowed(path))
  }

  @Test func `a path has letters, digits, dots, underscores and hyphens of ASCII`() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let allowed = Set((letters + "0123456789._-/").utf8)
    for byte: UInt8 in 0...0x7F {
      let path = "a" + String(UnicodeScalar(byte)) + "b"
      #expect(BundlePath.isAllowed(path) == allowed.contains(byte), "\(byte)")
    }
  }

  @Test func `a place is a directory and a name in it`() throws {
    let place = try BundlePlace("readeck/a/assets/b.png")
    #expect(place.parent == "readeck/a/assets")
    #expect(place.name == "b.png")
    let shortest = try BundlePlace("readeck/a")
    #expect(shortest.parent == "readeck")
    #expect(shortest.name == "a")
  }

  @Test(arguments: [
    "", "a", "/", "/a", "a/", "a//b", "a/..", "../a", "a/../b", "a/.", ".a/b", "a/.b",
  ])
  func `a path with fewer than two components, or an empty or hidden one, is not a place`(
    path: String
  ) {
    let error = #expect(throws: StorageError.self) { try BundlePlace(path) }
    #expect(error?.code == .io)
    #expect(error?.message.contains("\"\(path)\"") == true)
  }

  @Test func `components are between slashes, even before a combining mark`() {
    #expect("a/b".pathComponents == ["a", "b"])
    #expect("/a//b/".pathComponents == ["", "a", "", "b", ""])
    #expect("".pathComponents == [""])
    #expect("a/\u{301}b".pathComponents == ["a", "\u{301}b"])
  }

  @Test(arguments: ["a//b", "/a", ".a/b", "a/.b", "a/", "a/b/c", "a"])
  func `the folder of a draft is a source's and one of its own`(path: String) throws {
    var item = Sample.item("a")
    item.folder = path
    let draft = try Sample.draft(item)
    let error = #expect(throws: StorageError.self) { try BundlePath.check(draft) }
    #expect(error?.message == "\"\(path)\" is not allowed as a bundle's folder")
  }

  @Test func `a path occurs once in a draft`() throws {
    var draft = try Sample.draft(Sample.item("a"))
    #expect(throws: Never.self) { try BundlePath.check(draft) }
    draft.files.append(.init(path: "index.html", content: .bytes([])))
    let error = #expect(throws: StorageError.self) { try BundlePath.check(draft) }
    #expect(error?.message.hasPrefix("\"index.html\" occurs twice") == true)
  }

  @Test(arguments: [
    "com1", "com9", "lpt1", "lpt9", "prn", "aux", "nul", "con", "library", "index", "versions",
  ])
  func `the folder of a source is not a device of Windows or a folder of the archive`(
    name: String
  ) {
    #expect(FolderName.source(name) == "\(name)-source")
  }

  @Test(arguments: ["com0", "lpt0", "com10", "lpt10", "com", "readeck"])
  func `the folder of a source has its name unless it is reserved`(name: String) {
    #expect(FolderName.source(name) == name)
  }

  @Test func `the lines of a list of checksums are sorted by the bytes of their paths`() {
    let digest = String(repeating: "0", count: 64)
    var list = ChecksumList()
    for path in ["b", "é", "a/b", "a-b", "Z"] { list[path] = digest }
    let lines = ["Z", "a-b", "a/b", "b", "é"].map { "\(digest)  \($0)\n" }
    #expect(String(decoding: list.bytes, as: UTF8.self) == lines.joined())
  }
}
