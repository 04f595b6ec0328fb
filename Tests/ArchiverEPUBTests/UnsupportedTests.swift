import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

/// Archives with entries that no library unpacks.
@Suite struct UnsupportedTests {
  private static let book: [StoredZip.Entry] = {
    let pages = (1...2).map { ("\($0).xhtml", BookBuilder.page("<p>chapter \($0)</p>")) }
    let files = [("a.png", "image/png", ArchiveSamples.png)]
    return BookBuilder(pages: pages, files: files).entries.map {
      StoredZip.Entry($0.name, bytes: $0.bytes)
    }
  }()
  private static let comic = (1...3).map {
    StoredZip.Entry("\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]))
  }

  /// A comic of two pictures in a 7z archive, compressed by Deflate64 as its header says.
  private static let sevenZip = """
    N3q8ryccAAR9X01GIwAAAAAAAAA6AAAAAAAAANEENeP/2P/gZmlyc3QgcGljdHVyZf/Y/+BzZWNvbmQgcGljdHVyZQ
    EEBgABCSMABwsBAAEDBAEJDCMACA0CCREAAAUCERkAMQAuAGoAcABnAAAAMgAuAGoAcABnAAAAAAA=
    """

  /// Returns a ZIP archive in which some entries are marked as compressed by Deflate64 (APPNOTE.TXT section
  /// 4.4.5).
  private static func archive(
    _ entries: [StoredZip.Entry], foreign names: [String]
  ) -> [UInt8] {
    var bytes = StoredZip.archive(entries)
    for name in names {
      let text = Array(name.utf8)
      for place in bytes.indices where bytes[place...].starts(with: text) {
        // The methods are in the local header and in the directory, at these places before the name.
        for (signature, size, method) in [(UInt8(3), 30, 22), (1, 46, 36)] where place >= size {
          let start: [UInt8] = [0x50, 0x4B, signature]
          if bytes[(place - size)...].starts(with: start) { bytes[place - method] = 9 }
        }
      }
    }
    return bytes
  }

  private static func withFile<T>(_ bytes: [UInt8], _ body: (String) throws -> T) throws -> T {
    let path = FileManager.default.temporaryDirectory.path + "/unsupported-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(filePath: path))
    return try body(path)
  }

  @Test func `a book compressed by an unsupported method is not damaged, and the method is named`()
    throws
  {
    let bytes = Self.archive(Self.book, foreign: Self.book.map(\.name))
    #expect {
      _ = try Self.withFile(bytes) { try EPUBConverter().convert(path: $0, to: MemorySink()) }
    } throws: {
      let error = $0 as? EPUBError
      return error?.code == .unsupported && error?.message.contains("method 9 of ZIP") == true
    }
  }

  @Test func `a part of a book compressed by an unsupported method costs only itself`() throws {
    let bytes = Self.archive(Self.book, foreign: ["OEBPS/2.xhtml"])
    let sink = MemorySink()
    let book = try Self.withFile(bytes) { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(sink.text("text/0001.html").contains("<p>chapter 1</p>"))
    #expect(sink.text("text/0002.html").contains("method 9 of ZIP is not supported"))
    #expect(book.notes.contains { $0.contains("OEBPS/2.xhtml") }, "\(book.notes)")
    #expect(book.damage == nil)
  }

  @Test func `a book is unpacked without the parts of which libarchive lacks the method`() throws {
    let bytes = Self.archive(Self.book, foreign: ["OEBPS/2.xhtml", "OEBPS/a.png"])
    let folder = FileManager.default.temporaryDirectory.path + "/unpacked-\(UUID().uuidString)"
    // A folder that is not removed costs the other tests nothing.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let packed = try Self.withFile(bytes) {
      try PackedBook(path: $0, folder: folder, limits: EPUBLimits())
    }
    let found = try #require(packed)
    #expect(found.notes.count == 2)
    #expect(found.notes.allSatisfy { $0.contains("Unsupported ZIP compression method") })
    let sink = MemorySink()
    _ = try EPUBConverter().convert(path: found.path, to: sink)
    #expect(sink.text("text/0001.html").contains("<p>chapter 1</p>"))
  }

  @Test func `a packed book compressed by an unsupported method is not damaged`() throws {
    let whole = StoredZip.archive(Self.book)
    let bytes = Self.archive([.init("a.epub", bytes: whole)], foreign: ["a.epub"])
    let folder = FileManager.default.temporaryDirectory.path + "/unpacked-\(UUID().uuidString)"
    // A folder that is not removed costs the other tests nothing.
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect {
      _ = try Self.withFile(bytes) {
        try PackedBook(path: $0, folder: folder, limits: EPUBLimits())
      }
    } throws: {
      let error = $0 as? EPUBError
      return error?.code == .unsupported && error?.message.contains("a.epub") == true
    }
  }

  @Test(arguments: [true, false])
  func `a comic compressed by an unsupported method is not damaged, and the method is named`(
    isZip: Bool
  ) throws {
    let sevenZip = try #require(
      Data(base64Encoded: Self.sevenZip, options: .ignoreUnknownCharacters))
    let bytes =
      isZip ? Self.archive(Self.comic, foreign: Self.comic.map(\.name)) : [UInt8](sevenZip)
    #expect {
      _ = try ComicTests.convert(bytes)
    } throws: {
      let error = $0 as? EPUBError
      let name = isZip ? "deflation-64-bit" : "40109"
      return error?.code == .unsupported && error?.message.contains(name) == true
    }
  }

  @Test func `a page of a comic compressed by an unsupported method costs only itself`() throws {
    let (book, sink) = try ComicTests.convert(Self.archive(Self.comic, foreign: ["2.jpg"]))
    #expect(book.pages.count == 3 && book.damage == nil)
    #expect(sink.files["assets/0001.jpg"] == Self.comic[0].bytes)
    #expect(sink.files["assets/0003.jpg"] == Self.comic[2].bytes)
    #expect(book.notes.count == 1)
    #expect(book.notes.first?.hasPrefix("the file 2.jpg cannot be unpacked") == true)
  }
}
