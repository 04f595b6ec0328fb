import ArchiverCore
import Testing

@testable import ArchiverStorage

struct LinkRecordTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog
  private let item = Sample.item("a")

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
  }

  private func record(
    _ addresses: [String], targets: [LinkAddress: LinkRecord.Use] = [:],
    of other: CatalogItem? = nil
  ) throws {
    var publication = Sample.publication(other ?? item)
    let uses = targets.map { ($0.key.key, $0.value) }
    publication.links = LinkRecord(
      addresses: addresses, targets: Dictionary(uniqueKeysWithValues: uses))
    try catalog.record([.publish(publication)])
  }

  @Test func `an address that an item gives up leads nowhere`() throws {
    let (first, second) = (LinkAddress(text: "//a.example/1"), LinkAddress(text: "//a.example/2"))
    try record([first.text, second.text])
    #expect(try catalog.linkTarget(second, preferring: "readeck")?.key == item.key)
    try record([first.text])
    #expect(try catalog.linkAddresses(of: item.key) == [first.text])
    #expect(try catalog.linkTarget(first, preferring: "readeck")?.key == item.key)
    #expect(try catalog.linkTarget(second, preferring: "readeck") == nil)
  }

  @Test func `a link between items is told with both their keys`() throws {
    let other = Sample.item("b", source: "notion")
    try record(["//a.example/1"], targets: [LinkAddress(text: "//a.example/1"): .shown])
    #expect(try catalog.linkedItems().isEmpty, "a link to itself is none")
    try record(["//b.example/"], targets: [LinkAddress(text: "//a.example/1"): .shown], of: other)
    let links = try catalog.linkedItems()
    #expect(links.map(\.from) == [other.key])
    #expect(links.map(\.to) == [item.key])
  }

  @Test(arguments: [(.shown, false), ([.shown, .local], true)] as [(LinkRecord.Use, Bool)])
  func `a page is mended if it shows a link as local whose target is missing`(
    use: LinkRecord.Use, isDue: Bool
  ) throws {
    try record(["//a.example/1"], targets: [LinkAddress(text: "//b.example/"): use])
    #expect(try catalog.mendings(limit: 10) == (isDue ? [item.key] : []))
  }

  @Test func `items without links are those that no link record is of, in order`() throws {
    let links = LinkRecord(addresses: [], targets: [:])
    let items = ["c", "a", "d", "b"].map { Sample.item($0) }
    try catalog.record(items.map { .publish(Sample.publication($0)) })
    #expect(try catalog.itemsWithoutLinks(limit: 9).map(\.id) == ["a", "b", "c", "d"])
    #expect(try catalog.itemsWithoutLinks(limit: 3).map(\.id) == ["a", "b", "c"])
    try catalog.storeLinks([(items[0], links), (items[1], links)])
    #expect(try catalog.itemsWithoutLinks(limit: 9).map(\.id) == ["b", "d"])
    try catalog.storeLinks([(items[2], links), (items[3], links)])
    #expect(try catalog.itemsWithoutLinks(limit: 9).isEmpty)
  }
}
