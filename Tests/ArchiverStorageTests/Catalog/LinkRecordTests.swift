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

  private let other = Sample.item("b", source: "notion")
  private let address = LinkAddress(text: "//a.example/1")

  /// Returns the pages to update, and records that they were.
  private func mended() throws -> [ItemKey] {
    let keys = try catalog.mendings(limit: 10)
    try catalog.settleMendings(keys)
    return keys
  }

  @Test(
    arguments: [(.named, true), ([.named, .shown, .local], true), (.told, false)]
      as [(LinkRecord.Use, Bool)])
  func `a page is mended that others named before it was there`(
    use: LinkRecord.Use, isDue: Bool
  ) throws {
    try record(["//b.example/"], targets: [address: use], of: other)
    _ = try mended()
    try record([address.text])
    #expect(try catalog.mendings(limit: 10).contains(item.key) == isDue)
  }

  @Test func `a page is mended when another begins or ends to name it, or has a new title`() throws
  {
    try record([address.text])
    try record(["//b.example/"], targets: [address: .named], of: other)
    #expect(try mended() == [item.key])
    try record(["//b.example/"], targets: [address: .named], of: other)
    #expect(try mended() == [], "nothing changed")
    var renamed = other
    renamed.metadata.title = "New"
    try record(["//b.example/"], targets: [address: .named], of: renamed)
    #expect(try mended() == [item.key])
    try record(["//b.example/"], of: renamed)
    #expect(try mended() == [item.key])
    try record(["//b.example/"], targets: [address: .named], of: renamed)
    _ = try mended()
    try catalog.record([.remove(other.key, folder: other.folder)])
    #expect(try mended() == [item.key])
    #expect(try catalog.linkSources([address.text], except: item.key, limit: 9).isEmpty)
  }

  @Test func `pages that show a link are mended when its target comes, is renamed, moves or goes`()
    throws
  {
    let use: LinkRecord.Use = [.shown, .local]
    try record(["//b.example/"], targets: [address: .shown], of: other)
    #expect(try mended() == [])
    try record([address.text])
    #expect(try mended() == [other.key])
    try record(["//b.example/"], targets: [address: use], of: other)
    _ = try mended()
    try record([address.text])
    #expect(try mended() == [], "nothing changed")
    for change in [\CatalogItem.folder, \CatalogItem.metadata.title] {
      var changed = item
      changed[keyPath: change] = "readeck/new"
      try record([address.text], of: changed)
      #expect(try mended() == [other.key])
      try record([address.text])
      #expect(try mended() == [other.key])
    }
    try record(["//a.example/2"])
    #expect(try mended() == [other.key], "it gave up the address")
    try record([address.text])
    _ = try mended()
    try catalog.record([.remove(item.key, folder: item.folder)])
    #expect(try mended() == [other.key])
  }

  @Test func `neighbours in a series are mended when one is renamed, joins or leaves`() throws {
    let series = LinkAddress(series: "Ducks", of: "readeck")
    let elsewhere = LinkAddress(series: "Ponds", of: "readeck")
    try record([series.text, "//b.example/"], targets: [series: .shown], of: other)
    _ = try mended()
    try record([series.text, address.text])
    #expect(try mended() == [other.key])
    var renamed = item
    renamed.metadata.title = "New"
    try record([series.text, address.text], of: renamed)
    #expect(try mended() == [other.key])
    try record([series.text, address.text, "//a.example/2"], of: renamed)
    #expect(try mended() == [other.key], "it may have another place")
    try record([series.text, address.text, "//a.example/2"], of: renamed)
    #expect(try mended() == [])
    try record([elsewhere.text, address.text], of: renamed)
    #expect(try mended() == [other.key])
    try record([elsewhere.text, "//a.example/3"], of: renamed)
    #expect(try mended() == [], "another series")
  }

  @Test func `who links to an item and who contains it are told by title`() throws {
    try record([address.text])
    let parents = ["Z", "A"].map { title in
      var parent = Sample.item("p\(title)")
      parent.metadata.title = title
      return parent
    }
    for parent in parents {
      try record(["//p.example/\(parent.key.id)"], targets: [address: .named], of: parent)
    }
    func sources(_ limit: Int) throws -> [String] {
      try catalog.linkSources(["//x.example/", address.text], except: item.key, limit: limit)
        .map(\.title)
    }
    #expect(try sources(9) == ["A", "Z"])
    #expect(try sources(1) == ["A"])
    #expect(
      try catalog.linkSources([address.text], except: parents[1].key, limit: 9).map(\.title)
        == ["Z"])
    let above = parents.map { LinkAddress(text: "//p.example/\($0.key.id)") }
    try record(
      [address.text], targets: [above[0]: [.parent, .told], above[1]: .parent, address: .parent])
    #expect(try catalog.parents(of: item.key).map(\.title) == ["A", "Z"])
    #expect(try catalog.linkedItems(address) == [item.key])
    #expect(try catalog.linkedItems(LinkAddress(text: "//x.example/")) == [])
  }
}
