import ArchiverCore
import ArchiverEPUB
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// What a book's own metadata adds to its item.
struct BookMetadataTests {
  private static let own = """
    <dc:creator>Ann Author</dc:creator><dc:language>de</dc:language>\
    <dc:subject>Ducks</dc:subject><dc:subject>Ponds</dc:subject>\
    <dc:publisher>A Press</dc:publisher><dc:rights>Public</dc:rights>\
    <dc:date>2019-05-17T10:00:00Z</dc:date>\
    <meta name="calibre:series" content="Water"/><meta name="calibre:series_index" content="2"/>
    """

  private func completed(
    _ metadata: ItemMetadata, by own: String = own
  ) throws -> ItemMetadata {
    let folder = try TemporaryFolder.make("book")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let book = "\(folder)/book.epub"
    try Data(SampleBook([], metadata: own).bytes).write(to: URL(filePath: book))
    let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
    let options = RunOptions()
    let pages = try BookPages.make(
      .epub, book, title: "",
      .init(
        pool: archive.objects, limits: EPUBLimits(options.limits),
        words: BookWords.of(options.words.language)))
    var metadata = metadata
    pages.complete(&metadata)
    return metadata
  }

  private func value(_ name: String, _ metadata: ItemMetadata) -> String? {
    metadata.properties.first { $0.name == name }?.value
  }

  @Test func `a book says what its source does not`() throws {
    let found = try completed(ItemMetadata(kind: .book, title: ""))
    #expect(found.title == "A Book")
    #expect(found.authors == ["Ann Author"])
    #expect(found.language == "de")
    #expect(found.published == UTCTime.date("2019-05-17"))
    #expect(found.series == ItemSeries("Water", position: "2"))
    #expect(found.labels == [], "a reader's own")
    let expected = [
      ("Series", "Water [2]"), ("Subjects", "Ducks, Ponds"), ("Publisher", "A Press"),
      ("Rights", "Public"), ("Published", nil),
    ]
    for (name, text) in expected { #expect(value(name, found) == text, "\(name)") }
  }

  @Test func `a book replaces nothing that its source says`() throws {
    var metadata = ItemMetadata(kind: .book, title: "Title")
    metadata.authors = ["Other"]
    metadata.language = "fr"
    metadata.published = UTCTime.date("2001-01-01")
    metadata.labels = ["label"]
    metadata.series = ItemSeries("Series")
    metadata.properties = [ItemProperty("Publisher", "B"), ItemProperty("Rights", "C")]
    let found = try completed(metadata)
    #expect(found.title == "Title" && found.authors == ["Other"] && found.language == "fr")
    #expect(found.published == metadata.published && found.labels == ["label"])
    #expect(found.series == metadata.series)
    #expect(value("Publisher", found) == "B" && value("Rights", found) == "C")
    #expect(value("Subjects", found) == nil)
    #expect(found.properties.count == 3)
  }

  @Test(arguments: ["Series", "Magazine"])
  func `a series that its source shows in another form is the book's only one`(
    name: String
  ) throws {
    var metadata = ItemMetadata(kind: .book, title: "")
    metadata.properties = [ItemProperty(name, "Shown")]
    #expect(try completed(metadata).series == nil)
    #expect(try completed(metadata).properties.first == metadata.properties[0])
  }

  @Test(arguments: [ItemMetadata.Kind.comic, .periodical, .article])
  func `what kind an item is decides which of it counts`(kind: ItemMetadata.Kind) throws {
    let found = try completed(ItemMetadata(kind: kind, title: "T"))
    #expect(found.labels == (kind == .comic ? ["Ducks", "Ponds"] : []))
    #expect((found.series != nil) == (kind == .comic))
    #expect((value("Series", found) != nil) == (kind == .comic))
    #expect((found.published == nil) == (kind == .periodical), "when an issue is from")
    #expect(value("Subjects", found) == nil)
  }

  @Test(arguments: [
    ("2019", "2019-01-01"), ("2019-05", "2019-05-01"), ("2019-05-17", "2019-05-17"),
    ("2019-05-17 evening", "2019-05-17"), ("in 2019", nil), ("2019-1", nil), ("2019-05-1", nil),
    ("20190517", nil), ("201", nil),
  ])
  func `a date that cannot be read is shown as it is`(text: String, day: String?) throws {
    let found = try completed(
      ItemMetadata(kind: .book, title: ""), by: "<dc:date>\(text)</dc:date>")
    #expect(found.published == day.flatMap { UTCTime.date($0) })
    #expect(value("Published", found) == (day == nil ? text : nil))
    #expect(found.series == nil && found.labels.isEmpty)
    #expect(value("Subjects", found) == nil)
  }
}
