import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The data by which scripts filter and sort.
@Suite struct ItemDataTests {
  /// Reads numbers; the inverse of `PostingCode.append`.
  static func numbers(_ text: String) throws -> [Int] {
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

  static func argument(_ bytes: [UInt8], _ start: String) throws -> JSONValue {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix(start) && text.hasSuffix(");\n"))
    let body = text.dropFirst(start.count).dropLast(");\n".count)
    return try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))
  }

  private func signed(_ number: Int) -> Int { number % 2 == 0 ? number / 2 : -(number + 1) / 2 }

  private func names(_ value: JSONValue?) throws -> [String] {
    try #require(value?.array).map { try #require($0.string) }
  }

  /// - Parameter change: Changes the item with a number.
  private func rows(
    _ count: Int, _ root: String, _ change: (inout CatalogItem, Int) -> Void = { _, _ in }
  ) throws -> RowList {
    var sample = SampleArchive(seed: 12)
    let store = try LibraryStore(root: root, words: .english, spare: root)
    var update = try RowUpdate(store)
    for number in 0..<count {
      var item = sample.item(number)
      change(&item, number)
      try update.add(LibraryRow(item, words: .english))
    }
    return try RowTable(store, .oldestFirst, SharedAttributes(store)).rows
  }

  @Test func `the numbers of every item are read completely`() async throws {
    try await TemporaryFolder.with("items") { root in
      let list = try rows(ItemData.size, root)
      let read = try list.loaded()
      let value = try Self.argument(ItemData.script(3, read), "archiverData.items(3,")
      #expect(value["count"]?.integer == ItemData.size)
      let (sources, kinds) = (try names(value["sources"]), try names(value["kinds"]))
      let labels = try names(value["labels"])
      let sites = try #require(value["sites"]?.array).map { try names($0) }
      var numbers = try Self.numbers(#require(value["numbers"]?.string))[...]
      func next() throws -> Int {
        let number = numbers.popFirst()
        return try #require(number)
      }
      var day = 0
      for row in read {
        day += try next()
        #expect(day == Int(row.archived.timeIntervalSince1970 / 86_400))
        let saved = day * 1_440 - signed(try next())
        #expect(saved == Int((row.saved.timeIntervalSince1970 / 60).rounded(.down)))
        let age = try next()
        #expect((age == 0) == (row.published == nil))
        if let published = row.published {
          let days = Int((published.timeIntervalSince1970 / 86_400).rounded(.down))
          #expect(Int((Double(saved) / 1_440).rounded(.down)) - signed(age - 1) == days)
        }
        #expect(try next() == row.minutes)
        #expect(try sources[next()] == row.source)
        #expect(try kinds[next()] == row.kind.rawValue)
        #expect(try next() % 2 == (row.isFavourite ? 1 : 0))
        #expect(try sites[next()] == [row.site ?? "", row.host ?? ""])
        #expect(try (0..<next()).map { _ in try labels[next()] } == row.labels)
      }
      #expect(numbers.isEmpty)
    }
  }

  @Test func `totals count every row once`() async throws {
    try await TemporaryFolder.with("totals") { root in
      let list = try rows(1_000, root)
      let read = try list.loaded()
      let totals = try LibraryTotals(list)
      let sites = Dictionary(grouping: read.compactMap(\.site)) { $0 }.mapValues(\.count)
      #expect(sites.values.contains { $0 > 1 } && totals.counts(\.site) == sites)
      #expect(totals.wordCount == read.reduce(0) { $0 + $1.wordCount })
      #expect(totals.highlightCount == read.reduce(0) { $0 + $1.highlightCount })
      let months = Dictionary(grouping: read) { CivilDate($0.saved).monthText }
      #expect(totals.months.count == months.count)
      for (month, sources) in totals.months {
        let members = Dictionary(grouping: months[month] ?? [], by: \.source)
        #expect(sources.mapValues(\.count) == members.mapValues(\.count))
        let bytes = members.mapValues { $0.reduce(0) { $0 + $1.byteCount } }
        #expect(sources.mapValues(\.byteCount) == bytes)
      }
    }
  }

  @Test func `of many authors those of most items are counted`() async throws {
    try await TemporaryFolder.with("authors") { root in
      // Author 0 has one item, author 1 two, and so on.
      let names = (0..<LibraryTotals.authorLimit + 20).map { "Author \(1_000 + $0)" }
      let list = try rows(names.count, root) { item, number in
        item.metadata.authors = Array(names[(names.count - 1 - number)...])
      }
      let counted = names.enumerated().dropFirst(20).map { ($0.element, $0.offset + 1) }
      #expect(try LibraryTotals(list).authors == Dictionary(uniqueKeysWithValues: counted))
    }
  }

  @Test func `the filters have all values that occur, the most frequent first`() async throws {
    try await TemporaryFolder.with("facets") { root in
      let list = try rows(5_000, root)
      let read = try list.loaded()
      let value = try Self.argument(
        FacetData.script(list, LibraryTotals(list)), "archiverData.facets(")
      #expect(value["count"]?.integer == 5_000)
      let languages = try names(value["languages"])
      let tags = read.compactMap { $0.language?.split(separator: "-").first?.lowercased() }
      #expect(!languages.isEmpty && Set(languages) == Set(tags))
      let people = try names(value["people"])
      #expect(!people.isEmpty && people.count <= 200)
      #expect(Set(people).isSubset(of: read.flatMap(\.authors)))
      var counts: [String: Int] = [:]
      for label in read.flatMap(\.labels) { counts[label, default: 0] += 1 }
      let labels = try #require(value["labels"]?.array)
      #expect(labels.count == counts.count && !labels.isEmpty)
      for label in labels {
        #expect(label[1]?.integer == counts[try #require(label[0]?.string)])
      }
      let shown = labels.compactMap { $0[1]?.integer }
      #expect(shown == shown.sorted(by: >))
      let years = Set(read.compactMap { Int(CivilDate($0.saved).monthText.prefix(4)) })
      #expect(value["years"]?.array?.compactMap(\.integer) == years.sorted())
      #expect(value["timed"]?.bool == true && value["statuses"]?.array?.isEmpty == true)
    }
  }
}
