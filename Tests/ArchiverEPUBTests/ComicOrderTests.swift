import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// Comics whose archives say in which order their pages are.
@Suite struct ComicOrderTests {
  private static let pictures = (0..<4).map {
    ArchiveSamples.picture([0xFF, 0xD8, 0xFF, UInt8($0)])
  }

  private static func convert(
    _ manifest: String, file: String = "manifest.json",
    names: [String] = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"], more: [ArchiveSamples.File] = []
  ) throws -> (book: ConvertedBook, sink: MemorySink) {
    let files = zip(names, pictures).map { (name: $0, bytes: $1) } + more
    let bytes = try ArchiveSamples.archive(
      files + [(name: file, bytes: Array(manifest.utf8))], format: "zip")
    return try ComicTests.convert(bytes, title: "")
  }

  /// The indices of the pictures that the pages show.
  private static func order(_ made: (book: ConvertedBook, sink: MemorySink)) -> [Int?] {
    made.book.pages.map { page in
      let html = made.sink.text(page.path)
      guard let start = html.firstRange(of: "class=\"page\" src=\"../") else { return nil }
      let bytes = made.sink.files[String(html[start.upperBound...].prefix { $0 != "\"" })]
      return pictures.firstIndex { $0 == bytes }
    }
  }

  @Test func `the pages of a Divina are in the order of its manifest, with its titles`() throws {
    let made = try Self.convert(
      """
      {"@context":"https://readium.org/webpub-manifest/context.jsonld","metadata":{"title":{"fr":"Un","en":"One"},
      "author":[{"name":"Ann"},"Bob"],"language":"fr","readingProgression":"rtl","published":"2019-05-02",
      "belongsTo":{"series":{"name":"Saga","position":3}}},
      "readingOrder":[{"href":"d.jpg","type":"image/jpeg"},{"href":"b.jpg#xywh=0,0,1,1","title":"Two"},
      {"href":"a.jpg"},{"href":"c.jpg"}],
      "toc":[{"title":"Part","children":[{"href":"a.jpg#t","title":"Third"}]}]}
      """)
    #expect(Self.order(made) == [3, 1, 0, 2])
    #expect(made.book.pages.map(\.title) == ["Page 1", "Page 2: Two", "Page 3: Third", "Page 4"])
    #expect(made.book.notes.isEmpty, "\(made.book.notes)")
    let metadata = made.book.metadata
    #expect(metadata.title == "One" && metadata.authors == ["Ann", "Bob"])
    #expect(metadata.language == "fr" && metadata.date == "2019-05-02")
    #expect(metadata.series?.name == "Saga" && metadata.series?.position == "3")
    #expect(made.sink.text("text/0002.html").contains("dir=\"rtl\""))
  }

  @Test(arguments: [
    "\"b.jpg\"", "[\"b.jpg\",{\"url\":\"a.jpg\",\"name\":\"Last\"}]",
    "[{\"url\":\"b.jpg\"},{\"url\":\"./a.jpg\",\"name\":{\"value\":\"Last\",\"language\":\"en\"}}]",
  ])
  func `a publication of the W3C has its pages in its order`(order: String) throws {
    let made = try Self.convert(
      "{\"name\":[{\"value\":\"Title\"}],\"author\":{\"name\":\"Ann\"},\"readingOrder\":\(order)}",
      file: "publication.json", names: ["a.jpg", "b.jpg"])
    #expect(Self.order(made) == [1, 0])
    #expect(made.book.metadata.title == "Title" && made.book.metadata.authors == ["Ann"])
    #expect(made.book.pages.last?.title == (order.contains("Last") ? "Page 2: Last" : "Page 2"))
  }

  @Test func `of the forms of a page one that browsers show is the page`() throws {
    let tiff = ArchiveSamples.picture([0x49, 0x49, 0x2A, 0])
    let made = try Self.convert(
      """
      {"readingOrder":[{"href":"z.tif","alternate":[{"href":"c.jpg"},{"href":"d.jpg"}]},
      {"href":"b.jpg","alternate":[{"href":"a.jpg"}]}]}
      """, more: [("z.tif", tiff)])
    #expect(Self.order(made) == [2, 1])
    #expect(
      made.book.notes == ["3 images of the comic are other forms of its pages; they are not shown."]
    )
  }

  @Test func `images that a reading order lacks follow, and pages that are not there are counted`()
    throws
  {
    let made = try Self.convert(
      "{\"readingOrder\":[{\"href\":\"d.jpg\"},{\"href\":\"gone.jpg\"},{\"href\":\"a.html\"},{\"href\":\"d.jpg\"}]}"
    )
    #expect(Self.order(made) == [3, 0, 1, 2])
    #expect(
      made.book.notes == [
        "3 images are not in the comic's reading order; they follow its pages.",
        "2 pages of the comic's reading order are not among its images.",
      ])
  }

  @Test(arguments: ["{}", "[]", "{\"readingOrder\":[]}", "no JSON", "{\"readingOrder\":[{}]}"])
  func `another document of this name changes no order and is named`(text: String) throws {
    let made = try Self.convert(text)
    #expect(Self.order(made) == [0, 1, 2, 3])
    #expect(
      made.book.notes == [
        "1 files of the comic are not images; they are only in its file: manifest.json."
      ])
  }

  @Test func `marks of pages in ComicInfo stay with their images`() throws {
    let info =
      "<ComicInfo><Pages><Page Image=\"3\" Type=\"FrontCover\"/><Page Image=\"0\" Bookmark=\"Start\"/></Pages></ComicInfo>"
    let made = try Self.convert(
      "{\"readingOrder\":[{\"href\":\"d.jpg\"},{\"href\":\"c.jpg\"},{\"href\":\"b.jpg\"},{\"href\":\"a.jpg\"}]}",
      more: [("ComicInfo.xml", Array(info.utf8))])
    #expect(made.book.pages.map(\.title).last == "Page 4: Start")
    #expect(made.book.coverPath.map { made.sink.files[$0] } == Self.pictures[3])
  }

  @Test func `a cover that has the name of the pages without a number is the first page`() {
    let names = [
      "In1-7-01.JPG", "In1-7.JPG", "In1-7-02.JPG", "p1.5.png", "p1.png", "p1.10.png", "x.tar",
      "x-1",
    ]
    #expect(
      NaturalOrder.order(names).map { names[$0] } == [
        "In1-7.JPG", "In1-7-01.JPG", "In1-7-02.JPG", "p1.png", "p1.5.png", "p1.10.png", "x.tar",
        "x-1",
      ])
  }

  @Test func `names with punctuation precede numbers and letters, as in file managers`() {
    let names = ["a.jpg", "0102.jpg", "0002.jpg", "_01.jpg", "!cover.jpg", "0001.jpg", "0001b.jpg"]
    #expect(
      NaturalOrder.order(names).map { names[$0] } == [
        "!cover.jpg", "_01.jpg", "0001.jpg", "0001b.jpg", "0002.jpg", "0102.jpg", "a.jpg",
      ])
  }
}
