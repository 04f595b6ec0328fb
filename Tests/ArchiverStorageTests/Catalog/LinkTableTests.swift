import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The tables of links, and the items that queries return from them.
struct LinkTableTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog
  private let target = Sample.item("a")
  private let other = Sample.item("b", source: "notion")
  private let first = LinkAddress(text: "//a.example/1")
  private let second = LinkAddress(text: "//a.example/2")

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
  }

  private func record(
    _ item: CatalogItem, _ addresses: [LinkAddress],
    _ targets: [LinkAddress: LinkRecord.Use] = [:]
  ) throws {
    var publication = Sample.publication(item)
    let uses = targets.map { ($0.key.key, $0.value) }
    publication.links = LinkRecord(
      addresses: addresses.map(\.text), targets: Dictionary(uniqueKeysWithValues: uses))
    try catalog.record([.publish(publication)])
  }

  private func sources(of address: LinkAddress) throws -> [ItemKey] {
    try catalog.linkSources([address.text], except: target.key, limit: 9).map(\.key)
  }

  private func linked(_ item: CatalogItem) -> LinkedItem {
    LinkedItem(key: item.key, folder: item.folder, title: item.metadata.title)
  }

  @Test func `a link that a page no longer has is removed, and one that stays is kept`() throws {
    try record(target, [first, second])
    for _ in 0..<2 {
      try record(other, [], [first: .named, second: .named])
      #expect(try sources(of: first) == [other.key])
      #expect(try sources(of: second) == [other.key])
    }
    try record(other, [], [second: .named])
    #expect(try sources(of: first) == [])
    #expect(try sources(of: second) == [other.key])
  }

  @Test func `a link that is used in another way has its new uses only`() throws {
    try record(target, [first])
    try record(other, [], [first: .named])
    #expect(try sources(of: first) == [other.key])
    #expect(try catalog.linkedItems().isEmpty)
    try record(other, [], [first: .shown])
    #expect(try sources(of: first) == [])
    #expect(try catalog.linkedItems().map(\.from) == [other.key])
  }

  @Test func `an item that is found by a link has its folder and its title`() throws {
    try record(target, [first])
    try record(other, [], [first: [.named, .parent]])
    #expect(try catalog.linkTarget(first, preferring: "readeck") == linked(target))
    #expect(try catalog.parents(of: other.key) == [linked(target)])
    let sources = try catalog.linkSources([first.text], except: target.key, limit: 9)
    #expect(sources == [linked(other)])
  }

  @Test func `of several items with an address, one of the preferred source is its target`() throws
  {
    for item in [target, other] { try record(item, [first]) }
    let ordered = [target, other].sorted { $0.folder < $1.folder }.map(\.key)
    #expect(try catalog.linkTarget(first, preferring: "readeck")?.key == target.key)
    #expect(try catalog.linkTarget(first, preferring: "notion")?.key == other.key)
    #expect(try catalog.linkTarget(first, preferring: "none")?.key == ordered.first)
    #expect(try catalog.linkedItems(first) == ordered)
  }

  @Test func `a removed item leaves no links and no addresses`() throws {
    try record(target, [first])
    try record(other, [second], [first: [.named, .shown]])
    try catalog.record([.remove(other.key, folder: other.folder)])
    #expect(try catalog.linkAddresses(of: other.key) == [])
    #expect(try catalog.linkTarget(second, preferring: "notion") == nil)
    #expect(try sources(of: first) == [])
    // The number of the removed item may be used again.
    try record(Sample.item("c", source: "notion"), [])
    #expect(try sources(of: first) == [])
    #expect(try catalog.linkedItems().isEmpty)
  }
}
