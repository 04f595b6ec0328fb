import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

@Suite struct ComicTests {
  private static let jpeg = ArchiveSamples.jpeg
  private static let png = ArchiveSamples.png

  static func convert(
    _ bytes: [UInt8], title: String = "C", limits: EPUBLimits = EPUBLimits()
  ) throws -> (ConvertedBook, MemorySink) {
    let path = FileManager.default.temporaryDirectory.path + "/comic-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let sink = MemorySink()
    return (
      try ComicConverter(limits: limits).convert(path: path, title: title, to: sink), sink
    )
  }

  /// The bytes of the picture on each page, in reading order.
  private static func shown(_ book: ConvertedBook, _ sink: MemorySink) -> [[UInt8]?] {
    book.pages.map { page in
      let html = sink.text(page.path)
      guard let start = html.firstRange(of: "class=\"page\" src=\"../") else { return nil }
      return sink.files[String(html[start.upperBound...].prefix { $0 != "\"" })]
    }
  }

  private static func made(_ kind: String, _ files: [ArchiveSamples.File]) throws -> [UInt8] {
    switch kind {
    case "rar4": ArchiveSamples.rar4(files)
    case "rar5": ArchiveSamples.rar5(files)
    default: try ArchiveSamples.archive(files, format: kind)
    }
  }

  @Test(arguments: ["zip", "7zip", "ustar", "v7tar", "pax", "rar4", "rar5"])
  func `a comic is read from every kind of archive, in the order people count`(
    kind: String
  ) throws {
    let pictures = (0..<3).map { ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]) }
    let bytes = try Self.made(
      kind,
      [("a/p10.jpg", pictures[2]), ("a/p2.jpg", pictures[1]), ("a/p1.jpg", pictures[0])])
    let (book, sink) = try Self.convert(bytes)
    #expect(Self.shown(book, sink) == pictures)
    #expect(book.pages.map(\.title) == ["Page 1", "Page 2", "Page 3"])
    #expect(book.notes == [] && book.damage == nil)
    #expect(book.coverPath.map { sink.files[$0] } == pictures[0])
    #expect(sink.files.count == 3 + 3 + 2)
  }

  @Test(arguments: ["gzip", "bzip2", "xz", "zstd"])
  func `a comic is read from a compressed TAR archive`(filter: String) throws {
    let bytes = try ArchiveSamples.archive(
      [("1.jpg", Self.jpeg), ("2.png", ArchiveSamples.png)], format: "ustar", filter: filter)
    let (book, sink) = try Self.convert(bytes)
    #expect(Self.shown(book, sink) == [Self.jpeg, ArchiveSamples.png])
    #expect(book.notes.isEmpty && book.damage == nil)
  }

  @Test func `each page has its number as its heading`() throws {
    let pictures = (0..<2).map { ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]) }
    let (book, sink) = try Self.convert(
      try Self.made("zip", [("1.jpg", pictures[0]), ("2.jpg", pictures[1])]))
    let headings = book.pages.map { page in
      sink.text(page.path).split(separator: "<h1").dropFirst().map { $0.prefix { $0 != "/" } }
    }
    #expect(headings == [[" dir=\"auto\">Page 1<"], [" dir=\"auto\">Page 2<"]])
  }

  @Test func `names count folder by folder, and digits of any script by their value`() {
    let names = ["b/1", "a b/1", "a/10", "a/２", "a/1", "A/3"]
    #expect(
      NaturalOrder.order(names).map { names[$0] } == ["a/1", "a/２", "A/3", "a/10", "a b/1", "b/1"])
  }

  @Test func `metadata files of systems are not pages`() throws {
    let files: [ArchiveSamples.File] = [
      ("a\\1.jpg", Self.jpeg), ("./a/2.png", Self.png), ("a/._1.jpg", [0, 5, 22, 7]),
      ("__MACOSX/a/1.jpg", Self.jpeg), ("Thumbs.db", [1]), ("a/.DS_Store", [1]),
    ]
    let (book, sink) = try Self.convert(ArchiveSamples.rar5(files))
    #expect(Self.shown(book, sink) == [Self.jpeg, Self.png])
    #expect(book.notes == [])
  }

  @Test func `smaller copies of images that a NAS makes are not pages`() throws {
    let files: [ArchiveSamples.File] = [
      ("a/1.jpg", Self.jpeg), ("a/@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg", Self.png),
    ]
    let (book, sink) = try Self.convert(ArchiveSamples.rar5(files))
    #expect(Self.shown(book, sink) == [Self.jpeg])
    #expect(book.notes == [])
  }

  @Test func `a page that is an image only by its name says so`() throws {
    let page = Array("<html>not found</html>".utf8)
    let (book, sink) = try Self.convert(
      ArchiveSamples.rar5([("1.jpg", page), ("2.jpg", Self.jpeg), ("3.jpg", Self.jpeg)]))
    #expect(Self.shown(book, sink) == [page, Self.jpeg, Self.jpeg])
    #expect(book.notes == ["The image 1.jpg does not begin as an image does."])
    #expect(sink.text("text/0001.html").contains("does not begin as an image does"))
    #expect(book.coverPath == "assets/0002.jpg")
  }

  @Test func `an image that not every browser shows is a page with a link to its file`() throws {
    let kinds: [(String, [UInt8])] = [
      ("jxl", [0xFF, 0x0A]), ("tiff", [0x49, 0x49, 0x2A, 0]),
      ("heic", [0, 0, 0, 24] + Array("ftypheic".utf8)),
      ("jp2", [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]),
    ]
    let files = kinds.enumerated().map { index, kind in
      (name: "\(index).\(kind.0)", bytes: ArchiveSamples.picture(kind.1))
    }
    let (book, sink) = try Self.convert(ArchiveSamples.rar5(files + [("9.jpg", Self.jpeg)]))
    #expect(book.pages.count == 5)
    for (index, kind) in kinds.enumerated() {
      let page = sink.text("text/000\(index + 1).html")
      #expect(page.contains("href=\"../assets/000\(index + 1).\(kind.0)\""))
      #expect(sink.files["assets/000\(index + 1).\(kind.0)"] == files[index].bytes)
    }
    #expect(book.coverPath == "assets/0005.jpg")
    #expect(
      book.notes == [
        "Not every browser shows all pages of the comic: 1 as HEIC, 1 as JPEG 2000, 1 as JPEG XL, "
          + "1 as TIFF. They are kept as files that the pages link to."
      ])
  }

  @Test func `the bytes say what a page is, and what only claims to be an image keeps no ending`()
    throws
  {
    let (book, sink) = try Self.convert(
      ArchiveSamples.rar5([
        ("1.png", Self.jpeg), ("2", Self.png), ("3.jxl", Array("<script>x</script>".utf8)),
        ("4.txt", Array("words".utf8)),
      ]))
    #expect(book.pages.count == 2)
    #expect(sink.files["assets/0001.jpg"] == Self.jpeg)
    #expect(sink.files["assets/0002.png"] == Self.png)
    #expect(!sink.files.keys.contains { $0.hasSuffix(".jxl") })
    #expect(
      book.notes == [
        "2 files of the comic are not images; they are only in its file: 3.jxl, 4.txt."
      ])
  }

  @Test(arguments: ["zip", "ustar", "rar4", "rar5"])
  func `an archive that is truncated is read as far as it goes`(kind: String) throws {
    let files = (1...4).map {
      (name: "\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF], more: 3_000))
    }
    let bytes = try Self.made(kind, files)
    let (book, sink) = try Self.convert(Array(bytes.prefix(bytes.count * 5 / 8)))
    #expect(Self.shown(book, sink).prefix(2) == [files[0].bytes, files[1].bytes])
    #expect(book.pages.count < 4)
    #expect(book.damage != nil)
    #expect(book.notes.contains { $0.hasPrefix("The comic ends before its last page") })
  }

  @Test func `after a damaged image the rest of the comic is read`() throws {
    let files = (1...4).map {
      (name: "\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]))
    }
    var bytes = try ArchiveSamples.archive(files, format: "zip")
    let second = try #require(bytes.firstRange(of: Array("2.jpg".utf8)))
    bytes[second.upperBound + 100] ^= 0xFF
    let (book, sink) = try Self.convert(bytes)
    #expect(book.pages.count == 4)
    let shown = Self.shown(book, sink)
    #expect([shown[0], shown[2], shown[3]] == [files[0].bytes, files[2].bytes, files[3].bytes])
    #expect(sink.text("text/0002.html").contains("is damaged"))
    #expect(book.notes.count == 1 && book.damage == nil, "\(book.notes)")
  }

  @Test func `pages whose names are in no declared encoding remain different pages`() throws {
    // In Shift JIS: 一, 二 and 三, in the order of the archive.
    let names: [[UInt8]] = [[0x88, 0xEA], [0x93, 0xF1], [0x8E, 0x4F]]
    let files = names.indices.map {
      (name: "Q\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]))
    }
    var bytes = try ArchiveSamples.archive(files, format: "ustar")
    for (index, name) in names.enumerated() {
      let place = try #require(bytes.firstRange(of: Array("Q\(index).jpg".utf8)))
      bytes.replaceSubrange(place.lowerBound..<(place.lowerBound + 2), with: name)
      let header = place.lowerBound
      // The checksum counts its own field as spaces.
      bytes.replaceSubrange((header + 148)..<(header + 156), with: Array(repeating: 0x20, count: 8))
      let sum = bytes[header..<(header + 512)].reduce(0) { $0 + Int($1) }
      let digits = String(sum, radix: 8)
      let field = String(repeating: "0", count: 6 - digits.count) + digits
      bytes.replaceSubrange((header + 148)..<(header + 155), with: Array(field.utf8) + [0])
    }
    let (book, sink) = try Self.convert(bytes)
    #expect(Set(Self.shown(book, sink)) == Set(files.map(\.bytes)))
    #expect(book.notes.isEmpty, "\(book.notes)")
  }

  @Test func `a comic whose directory is damaged is read without it`() throws {
    let files = (1...3).map {
      (name: "\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]))
    }
    var bytes = try ArchiveSamples.archive(files, format: "zip")
    let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
    bytes.replaceSubrange(directory, with: [0, 0, 0, 0])
    let (book, sink) = try Self.convert(bytes)
    #expect(Self.shown(book, sink) == files.map(\.bytes))
    #expect(
      book.notes == [
        "The directory of the comic's archive is damaged; its files were found without it."
      ])
    #expect(book.damage == nil)
  }

  @Test func `files behind a damaged header are found by the directory`() throws {
    let files = (1...4).map {
      (name: "\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]))
    }
    let whole = try ArchiveSamples.archive(files, format: "zip")
    let second = try #require(whole.firstRange(of: Array("2.jpg".utf8))).lowerBound - 30
    var bytes = whole
    bytes.replaceSubrange(second..<(second + 4), with: [0, 0, 0, 0])
    let (book, sink) = try Self.convert(bytes)
    #expect(Self.shown(book, sink) == files.map(\.bytes))
    #expect(book.damage == nil, "\(book.notes)")
  }

  @Test func `a comic in a large archive with bytes before it is read`() throws {
    let files = (1...2).map {
      StoredZip.Entry("\($0).jpg", bytes: ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)]))
    }
    let (book, sink) = try Self.convert(Array("\n\n".utf8) + ZipRescueTests.large(files))
    #expect(Self.shown(book, sink) == files.map(\.bytes))
    #expect(book.damage == nil && book.notes.isEmpty, "\(book.notes)")
  }

  @Test func `a comic that needs a password is said to be locked`() throws {
    for bytes in [
      ArchiveSamples.rar4([("1.jpg", Self.jpeg)], locked: true),
      try ArchiveSamples.archive([("1.jpg", Self.jpeg)], format: "zip", passphrase: "x"),
    ] {
      #expect {
        _ = try Self.convert(bytes)
      } throws: {
        ($0 as? EPUBError)?.code == .locked
      }
    }
  }

  @Test(arguments: [
    ("PK", EPUBError.Code.notAnArchive), ("Rar!\u{1A}\u{7}\u{1}\0", .malformed),
    ("", .notAnArchive),
    ("just text", .notAnArchive),
  ])
  func `a file that is not an archive is refused`(start: String, code: EPUBError.Code) {
    #expect {
      _ = try Self.convert(Array(start.utf8))
    } throws: {
      ($0 as? EPUBError)?.code == code
    }
  }

  @Test func `an archive without images is no comic`() throws {
    let bytes = try ArchiveSamples.archive([("a.txt", [0x78])], format: "zip")
    #expect {
      _ = try Self.convert(bytes)
    } throws: {
      ($0 as? EPUBError)?.code == .malformed
    }
  }

  @Test func `the output of a comic is limited`() throws {
    let zeros = [UInt8](repeating: 0, count: 8 << 20)
    let bomb = try ArchiveSamples.archive([("1.jpg", Self.jpeg + zeros)], format: "7zip")
    let three = ArchiveSamples.rar5((1...3).map { ("\($0).jpg", Self.jpeg) })
    var limits = EPUBLimits()
    limits.ratio = 100
    #expect(throws: EPUBError.self) { try Self.convert(bomb, limits: limits) }
    for path in [\EPUBLimits.pages, \.entries, \.fileBytes, \.totalBytes] {
      var limits = EPUBLimits()
      limits[keyPath: path] = 2
      #expect {
        _ = try Self.convert(three, limits: limits)
      } throws: {
        ($0 as? EPUBError)?.code == .tooLarge
      }
    }
  }
}

@Suite struct ComicInfoTests {
  private static let info = """
    <?xml version="1.0" encoding="utf-8"?>
    <ComicInfo><Title>The &amp; Fall</Title><Series>Sea</Series><Number>02</Number>
    <Writer>Ann A, Bo B</Writer><Penciller>Cy C</Penciller><Translator>Di D</Translator>
    <Year>2019</Year><Month>5</Month><Day>-1</Day><LanguageISO>ja</LanguageISO>
    <Genre>Adventure, Sea</Genre><Tags>Sea;Ships</Tags><Publisher>P</Publisher>
    <Manga>YesAndRightToLeft</Manga>
    <Pages><Page Image="0" Type="FrontCover"/><Page Image="1" Bookmark="One"/>
    <Page Image="2" Type="Advertisement"/><Page Image="99999999999999999999"/></Pages></ComicInfo>
    """

  @Test func `ComicInfo provides metadata of the comic, its people and its pages`() throws {
    let jpeg = ArchiveSamples.jpeg
    let (book, sink) = try ComicTests.convert(
      ArchiveSamples.rar5([
        ("x/ComicInfo.xml", Array("<ComicInfo><Title>Other</Title></ComicInfo>".utf8)),
        ("ComicInfo.xml", Array(Self.info.utf8)), ("1.jpg", jpeg), ("2.jpg", jpeg), ("3.jpg", jpeg),
      ]), title: "")
    let metadata = book.metadata
    #expect(metadata.title == "The & Fall")
    #expect(metadata.authors == ["Ann A", "Bo B"])
    #expect(metadata.contributors.map(\.role) == ["Penciller", "Translator"])
    #expect(metadata.series == BookMetadata.Series(name: "Sea", position: "2"))
    #expect(metadata.date == "2019-05")
    #expect(metadata.language == "ja" && metadata.publisher == "P")
    #expect(metadata.subjects == ["Adventure", "Sea", "Ships"])
    #expect(book.pages.map(\.title) == ["Page 1: Cover", "Page 2: One", "Page 3: Advertisement"])
    #expect(sink.text("text/0001.html").contains("← <span>Next</span>"))
    #expect(book.notes == [])
  }

  @Test(arguments: [
    "", "<ComicInfo", "<other/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><ComicInfo>&x;</ComicInfo>",
  ])
  func `an unreadable ComicInfo causes a note only`(text: String) throws {
    let (book, _) = try ComicTests.convert(
      ArchiveSamples.rar5([("ComicInfo.xml", Array(text.utf8)), ("1.jpg", ArchiveSamples.jpeg)]))
    #expect(book.pages.count == 1)
    #expect(
      (text == "<ComicInfo" && book.notes.isEmpty)
        || (book.notes.count == 1 && book.notes[0].hasPrefix("ComicInfo.xml could not be read")),
      "\(book.notes)")
  }
}
