import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

/// Archives that other readers open although they do not follow the format.
@Suite struct ZipRescueTests {
  /// A book of four pages; each text is in the archive as it is.
  private static let entries: [StoredZip.Entry] = {
    let pages = (1...4).map { ("\($0).xhtml", BookBuilder.page("<p>chapter \($0)</p>")) }
    return BookBuilder(pages: pages).entries.map { StoredZip.Entry($0.name, bytes: $0.bytes) }
  }()
  private static let whole = StoredZip.archive(entries)
  /// The places of the directory and of the end record.
  private static let directory = place(of: [0x50, 0x4B, 1, 2], in: whole)
  private static let end = whole.count - 22

  private static func place(of signature: [UInt8], in bytes: [UInt8]) -> Int {
    bytes.firstRange(of: signature)?.lowerBound ?? bytes.count
  }

  private func convert(_ bytes: [UInt8]) throws -> (ConvertedBook, MemorySink) {
    let path = FileManager.default.temporaryDirectory.path + "/zip-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(filePath: path))
    let sink = MemorySink()
    return (try EPUBConverter().convert(path: path, to: sink), sink)
  }

  /// The chapters that a book's pages have.
  private static func chapters(_ sink: MemorySink) -> [Int] {
    (1...4).filter { sink.text("text/000\($0).html").contains("<p>chapter \($0)</p>") }
  }

  private static func little(_ value: Int, _ width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(value, width)
    return bytes
  }

  private static func changed(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
    var all = whole
    all.replaceSubrange(place..<(place + bytes.count), with: bytes)
    return all
  }

  /// Returns an archive with an end as of ZIP64 (APPNOTE.TXT section 4.3.14).
  static func large(_ entries: [StoredZip.Entry]) -> [UInt8] {
    let whole = StoredZip.archive(entries)
    let directory = place(of: [0x50, 0x4B, 1, 2], in: whole)
    let end = whole.count - 22
    let count = entries.count
    let size = end - directory
    let record =
      [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
      + little(count, 8) + little(count, 8) + little(size, 8) + little(directory, 8)
    let locator = [0x50, 0x4B, 6, 7] + little(0, 4) + little(end, 8) + little(1, 4)
    let last =
      [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 12) + little(0, 2)
    return Array(whole[..<end]) + record + locator + last
  }

  @Test(arguments: [
    "\n", "\r\n\r\n", "\u{FEFF}", "HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n",
    "<br />\n<b>Warning</b>: no index in <b>x.php</b>\n",
    "MZ" + String(repeating: "stub", count: 50_000),
  ])
  func `a book with bytes before its archive is whole`(prefix: String) throws {
    for archive in [Self.whole, Self.large(Self.entries), Self.whole + [0x0A]] {
      let (book, sink) = try convert(Array(prefix.utf8) + archive)
      #expect(Self.chapters(sink) == [1, 2, 3, 4])
      #expect(book.damage == nil && book.notes.isEmpty, "\(book.notes)")
    }
  }

  @Test(arguments: [
    whole + [UInt8](repeating: 0, count: 100_000), whole + Array("<html>".utf8), whole + whole,
    // Numbers of the end record: entries, disk, size and place of the directory.
    changed(end + 8, [2, 0, 2, 0]), changed(end + 8, [30, 0, 30, 0]),
    changed(end + 4, [1, 0, 1, 0]),
    changed(end + 12, little(whole.count - directory, 4)),
    changed(end + 16, little(directory + 5, 4)),
    // Bytes between the entries and the directory that no number counts.
    Array(whole[..<directory]) + [1, 2, 3] + Array(whole[directory...]),
  ])
  func `a book whose end record is wrong or not at the end is whole`(bytes: [UInt8]) throws {
    let (book, sink) = try convert(bytes)
    #expect(Self.chapters(sink) == [1, 2, 3, 4])
    #expect(book.damage == nil && book.notes.isEmpty, "\(book.notes)")
  }

  @Test(arguments: [
    Array(whole[..<end]), Array(whole[..<(directory + 60)]), Array(whole[..<(end + 11)]),
    changed(directory, [0, 0]), changed(directory + 28, [0xFF]),
    Array(whole[..<(directory + 4)]),
  ])
  func `a book without its directory is read by its files, and that is told`(
    bytes: [UInt8]
  ) throws {
    let (book, sink) = try convert(bytes)
    #expect(Self.chapters(sink) == [1, 2, 3, 4])
    #expect(
      book.notes == [
        "The directory of the book's archive is damaged; its files were found without it."
      ])
    #expect(book.damage == nil)
  }

  @Test func `a book whose archive ends within its pages has those before, and is damaged`() throws
  {
    // The package document follows the pages, so it is put before them.
    let files =
      Self.entries.filter { $0.name.hasSuffix(".opf") }
      + Self.entries.filter { !$0.name.hasSuffix(".opf") }
    let bytes = StoredZip.archive(files)
    let last = try #require(bytes.firstRange(of: Array("<p>chapter 4".utf8)))
    for cut in [
      last.lowerBound, last.lowerBound + 12, Self.place(of: [0x50, 0x4B, 1, 2], in: bytes),
    ] {
      let (book, sink) = try convert(Array(bytes[..<cut]))
      #expect(Self.chapters(sink).starts(with: [1, 2, 3]))
      #expect(book.pages.count == 4)
      #expect(book.damage != nil)
      #expect(
        book.notes.first?.hasPrefix("The book's archive is truncated or damaged:") == true,
        "\(book.notes)")
    }
  }

  @Test func `a truncated book without its package document is said to be truncated`() throws {
    let page = try #require(Self.whole.firstRange(of: Array("<p>chapter 2".utf8)))
    #expect {
      _ = try convert(Array(Self.whole[..<page.lowerBound]))
    } throws: {
      let error = $0 as? EPUBError
      return error?.code == .notAnArchive && error?.message.contains("truncated") == true
    }
  }

  @Test(arguments: [4, 8], [true, false])
  func `files whose sizes follow them are found without a directory`(
    width: Int, hasSignature: Bool
  ) throws {
    var bytes: [UInt8] = []
    for entry in Self.entries {
      let one = StoredZip.archive([entry])
      let data = 30 + entry.name.utf8.count
      let facts = Array(one[14..<18])
      bytes += one[..<6] + [8, 8] + one[8..<14] + [UInt8](repeating: 0, count: 12)
      bytes += one[26..<data] + entry.bytes
      if hasSignature { bytes += [0x50, 0x4B, 7, 8] }
      bytes += facts + Self.little(entry.bytes.count, width)
      bytes += Self.little(entry.bytes.count, width)
    }
    guard hasSignature || width == 4 else { return }
    let (book, sink) = try convert(bytes + Self.whole[Self.directory..<(Self.directory + 50)])
    #expect(Self.chapters(sink) == [1, 2, 3, 4], "\(book.notes)")
    #expect(book.damage == nil)
  }

  @Test(arguments: [[0, 0], [0x55, 0x54, 9, 0, 1], [1, 0, 4, 0, 1, 2, 3, 4]] as [[UInt8]])
  func `a book whose entries have invalid extra fields is read`(extra: [UInt8]) throws {
    var files: [UInt8] = []
    var directory: [UInt8] = []
    for entry in Self.entries {
      let one = StoredZip.archive([entry])
      let name = entry.name.utf8.count
      let start = 30 + name + entry.bytes.count
      directory += one[start..<(start + 30)] + Self.little(extra.count, 2)
      directory += one[(start + 32)..<(start + 42)] + Self.little(files.count, 4)
      directory += Array(entry.name.utf8) + extra
      files +=
        one[..<28] + Self.little(extra.count, 2) + Array(entry.name.utf8) + extra + entry.bytes
    }
    var end = Array(Self.whole[Self.end...])
    end.replaceSubrange(
      12..<20, with: Self.little(directory.count, 4) + Self.little(files.count, 4))
    let (book, sink) = try convert(files + directory + end)
    #expect(Self.chapters(sink) == [1, 2, 3, 4], "\(book.notes)")
    #expect(book.damage == nil)
  }

  @Test func `an entry that says to be larger than any file ends with the file`() throws {
    let entry = try #require(Self.entries.first)
    let one = StoredZip.archive([entry])
    let extra = [1, 0, 16, 0] + [UInt8](repeating: 0xFF, count: 15) + [0x7F]
    let name = Array(entry.name.utf8)
    let header =
      one[..<18] + [UInt8](repeating: 0xFF, count: 8) + one[26..<28] + Self.little(extra.count, 2)
    #expect(throws: EPUBError.self) { _ = try convert(header + name + extra + entry.bytes) }
    let bytes = Array(Self.whole[..<Self.directory]) + header + name + extra + entry.bytes
    let (book, sink) = try convert(bytes)
    #expect(Self.chapters(sink) == [1, 2, 3, 4])
    #expect(book.damage == "the file ends within an entry")
  }

  @Test func `of files with the same name the last is read, and the others are counted`() throws {
    let new = StoredZip.Entry("OEBPS/2.xhtml", BookBuilder.page("<p>new</p>"))
    let (book, sink) = try convert(StoredZip.archive(Self.entries + [new]))
    #expect(sink.text("text/0002.html").contains("<p>new</p>"))
    let told = "1 file of the book has the name of another one in its archive; it was left out."
    #expect(book.notes == [told])
    let same = try convert(StoredZip.archive(Self.entries + [Self.entries[1]]))
    #expect(Self.chapters(same.1) == [1, 2, 3, 4] && same.0.notes.isEmpty)
  }

  @Test func `a lost part of an archive does not hide the files behind it`() throws {
    let second = try #require(Self.whole.firstRange(of: Array("OEBPS/2.xhtml".utf8)))
    var bytes = Array(Self.whole[..<Self.directory])
    bytes.replaceSubrange((second.lowerBound - 30)..<(second.lowerBound - 26), with: [0, 0, 0, 0])
    let (book, sink) = try convert(bytes)
    #expect(Self.chapters(sink) == [1, 3, 4])
    #expect(book.damage?.contains("bytes are no entry") == true)
  }

  @Test(arguments: [
    ("第一章", [0x91, 0xE6, 0x88, 0xEA, 0x8F, 0xCD] as [UInt8]),
    // The second byte of the first two characters is a backslash.
    ("ソ表", [0x83, 0x5C, 0x95, 0x5C]), ("第一章", [0xB5, 0xDA, 0xD2, 0xBB, 0xD5, 0xC2]),
    ("한글", [0xC7, 0xD1, 0xB1, 0xDB]), ("глава", [0xA3, 0xAB, 0xA0, 0xA2, 0xA0]),
    ("Größe", [0x47, 0x72, 0xF6, 0xDF, 0x65]), ("Größe", [0x47, 0x72, 0x94, 0xE1, 0x65]),
  ])
  func `a file is found by its name in the encoding of the system that packed it`(
    name: String, raw: [UInt8]
  ) throws {
    let placeholder = String(repeating: "Z", count: raw.count)
    let builder = BookBuilder(pages: [("\(name).xhtml", BookBuilder.page("<p>chapter 1</p>"))])
    var bytes = StoredZip.archive(
      builder.entries.map {
        StoredZip.Entry($0.name.replacing(name, with: placeholder), bytes: $0.bytes)
      })
    while let found = bytes.firstRange(of: Array(placeholder.utf8)) {
      bytes.replaceSubrange(found, with: raw)
    }
    for (signature, flags) in [([0x50, 0x4B, 3, 4] as [UInt8], 7), ([0x50, 0x4B, 1, 2], 9)] {
      var place = 0
      while let found = bytes[place...].firstRange(of: signature) {
        bytes[found.lowerBound + flags] = 0
        place = found.upperBound
      }
    }
    let (book, sink) = try convert(bytes)
    #expect(Self.chapters(sink) == [1], "\(book.notes)")
    #expect(book.notes.isEmpty)
  }
}
