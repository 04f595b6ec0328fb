import ArchiverCore
import Testing

/// Numbers and dates of a source are held within bounds where they are decoded.
@Suite struct BoundedTests {
  @Test(
    arguments: [
      ("9223372036854775807", 1_000_000_000), ("-5", 0), ("1e400", nil), ("12", 12),
      ("92233720368547758080", 1_000_000_000), ("0.25", 0),
    ] as [(String, Int?)])
  func `a count that no text has becomes the nearest that one may have`(
    json: String, expected: Int?
  ) throws {
    let metadata = try JSONDecoder().decode(
      ItemMetadata.self, from: Data(BoundedTests.record(words: json).utf8))
    #expect(metadata.wordCount == expected)
  }

  @Test func `a count set by an adapter is held as well`() {
    var metadata = ItemMetadata(kind: .article, title: "A")
    metadata.wordCount = .max
    metadata.readingTime = .min
    metadata.readProgress = 400
    #expect(metadata.wordCount == BoundedCount.most)
    #expect(metadata.readingTime == 0)
    #expect(metadata.readProgress == 100)
    metadata.wordCount = nil
    #expect(metadata.wordCount == nil)
  }

  @Test func `a date beyond the calendar becomes its last day`() {
    var metadata = ItemMetadata(kind: .article, title: "A")
    metadata.published = Date(timeIntervalSince1970: 1e300)
    #expect(metadata.published == BoundedDate.range.upperBound)
    metadata.published = Date(timeIntervalSince1970: -.infinity)
    #expect(metadata.published == BoundedDate.range.lowerBound)
    metadata.published = Date(timeIntervalSince1970: .nan)
    #expect(metadata.published == nil)
    let reference = ItemReference(
      id: "a", revision: "1", date: Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude))
    #expect(reference.date == BoundedDate.range.upperBound)
  }

  @Test func `absent values have no key, and a record without keys is read`() throws {
    var metadata = ItemMetadata(kind: .article, title: "A")
    metadata.wordCount = 7
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(metadata), as: UTF8.self)
    #expect(
      text == """
        {"authors":[],"isArchived":false,"isFavourite":false,"kind":"article","labels":[],\
        "properties":[],"title":"A","wordCount":7}
        """)
    #expect(try JSONDecoder().decode(ItemMetadata.self, from: Data(text.utf8)) == metadata)
  }

  private static func record(words: String) -> String {
    """
    {"authors":[],"isArchived":false,"isFavourite":false,"kind":"article","labels":[],\
    "properties":[],"title":"A","wordCount":\(words)}
    """
  }
}
