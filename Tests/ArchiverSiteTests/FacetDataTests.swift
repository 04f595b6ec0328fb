import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The data by which scripts filter and sort.
@Suite struct FacetDataTests {
  /// Reads numbers; the inverse of `PostingCode.append`.
  private func numbers(_ text: String) throws -> [Int] {
    var numbers: [Int] = []
    var (sum, scale) = (0, 1)
    for byte in text.utf8 {
      let digit = try #require(PostingCode.digits.firstIndex(of: byte))
      sum += digit % PostingCode.half * scale
      scale *= PostingCode.half
      if digit < PostingCode.half {
        numbers.append(sum)
        (sum, scale) = (0, 1)
      }
    }
    return numbers
  }

  @Test func `the digits of every row are read completely`() async throws {
    try await TemporaryFolder.with("facets") { root in
      let count = 5_000
      var sample = SampleArchive(seed: 12)
      let rows = (0..<count).map { LibraryRow(sample.item($0), words: .english) }
      let store = try LibraryStore(root: root, words: .english, spare: root)
      var update = try RowUpdate(store)
      for row in rows { try update.add(row) }
      let list = try RowTable(store, .oldestFirst, SharedAttributes(store)).rows
      let read = try list.loaded()
      let text = String(
        decoding: try FacetData.script(list, LibraryTotals(list)), as: UTF8.self)
      let body = text.dropFirst("archiverData.facets(".count).dropLast(");\n".count)
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))
      #expect(value["count"]?.integer == count)
      #expect(try #require(value["columns"]?.string).utf8.count == 12 * count)

      let dates = try numbers(#require(value["dates"]?.string))
      try #require(dates.count == 2 * count)
      var day = 0
      for (place, row) in read.enumerated() {
        day += dates[2 * place]
        #expect(day == Int(row.archived.timeIntervalSince1970 / 86_400))
        #expect((dates[2 * place + 1] == 0) == (row.published == nil))
      }

      let names = try #require(value["labels"]?.array).map { try #require($0.string) }
      var labelled = try numbers(#require(value["labelled"]?.string))[...]
      for row in read {
        let own = labelled.dropFirst().prefix(try #require(labelled.first))
        #expect(own.map { names[$0] } == row.labels)
        labelled = labelled[own.endIndex...]
      }
      #expect(labelled.isEmpty)

      let languages = try #require(value["languages"]?.array).compactMap(\.string)
      let tags = read.compactMap { $0.language?.split(separator: "-").first?.lowercased() }
      #expect(!languages.isEmpty && Set(languages) == Set(tags))
      let people = try #require(value["people"]?.array).compactMap(\.string)
      #expect(!people.isEmpty && people.count <= 200)
      #expect(Set(people).isSubset(of: read.flatMap(\.authors)))
    }
  }
}
