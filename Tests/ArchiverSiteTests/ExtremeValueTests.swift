import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct ExtremeValueTests {
  static let numbers = [Int.max, Int.max, .min, .max, -1, 0]
  static let times = [1e300, -1e300, 1e18, -1e18, 0, 253_402_300_800]

  /// Items with the same number, or time, in each field that has one.
  private static func items() -> [CatalogItem] {
    var sample = SampleArchive()
    return (0..<24).map { number in
      var item = sample.item(number)
      let value = numbers[number % numbers.count]
      let date = Date(timeIntervalSince1970: times[number / 4 % times.count])
      item.metadata.kind = ItemMetadata.Kind.allCases[number % ItemMetadata.Kind.allCases.count]
      item.metadata.wordCount = value
      item.metadata.readingTime = value
      item.metadata.readProgress = value
      item.byteCount = value
      item.imageCount = value
      item.missingImages = value
      item.thumbnail = CatalogItem.Thumbnail(path: "a.png", width: value, height: value)
      item.metadata.properties = [ItemProperty("Series", "S [\(value)]")]
      (item.metadata.added, item.metadata.published, item.metadata.modified) = (date, date, date)
      (item.firstArchived, item.lastArchived) = (date, date)
      item.annotations = [Annotation(id: "h", text: "t", note: "n", color: "red", created: date)]
      return item
    }
  }

  @Test func `numbers and times as large as their types are added up without a trap`() async throws
  {
    try await TemporaryFolder.with("library") { root in
      let stage = try SearchStage(root) { _ in "A harbour." }
      try stage.record(Self.items())
      for isChanged in [true, true, false] {
        #expect(try stage.builder.update(isChanged: isChanged).troubles == [])
      }
      _ = try stage.builder.rebuild()
      #expect(try stage.titles("harbour").count == 24)
      #expect(try stage.titles("before:9999 after:0001 harbour").count <= 24)
      let page = try String(
        contentsOfFile: root + "/library/statistics.html", encoding: .utf8)
      #expect(!page.contains("data-n=\"-"))
      #expect(page.contains("data-b=\"9223372000000000000\""))
    }
  }

  @Test func `a sum beyond the largest number is that number`() {
    #expect(Int.max.adding(clamped: 1) == .max)
    #expect(Int.min.adding(clamped: -1) == .min)
    #expect((-1).adding(clamped: 2) == 1)
    #expect([Int.max, .max, -1].clampedSum == .max - 1)
  }
}
