import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Queries that read many items or objects, and what they see of changes.
struct StoredItemReadingTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog
  private let items = ["c", "a", "b"].map { Sample.item($0) }

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    try catalog.record(items.map { .publish(Sample.publication($0)) })
  }

  @Test func `items that are removed while they are read are read as they were`() throws {
    var seen: [ItemKey: CatalogItem] = [:]
    var isFirst = true
    try catalog.forEachStoredItem { _, _ in
      if isFirst { try catalog.record(items.map { .remove($0.key, folder: $0.folder) }) }
      isFirst = false
      return true
    } _: { stored in
      seen[stored.key] = try stored.record.item()
    }
    #expect(seen == Dictionary(uniqueKeysWithValues: items.map { ($0.key, $0) }))
    #expect(try catalog.itemCount(source: nil) == 0)
  }

  @Test func `a fingerprint is made of the recorded hash and the state`() throws {
    let connection = try Connection(path: folder.at("catalog.sqlite"), mode: .readWrite)
    try connection.execute("UPDATE items SET record_hash = 7")
    for state in ["archived", "deleted"] {
      try connection.run("UPDATE items SET state = ?", state)
      let found = try CatalogConformance.fingerprint(catalog, items[0].key)
      #expect(found == WordHash.add(7, to: WordHash.of(state)))
    }
  }

  @Test func `a title that ends like the name of a held copy holds nothing back`() throws {
    var item = items[0]
    item.metadata.title = "the-held"
    try catalog.record([.publish(Sample.publication(item))])
    #expect(try catalog.heldBackCount(source: "readeck") == 0)
  }

  @Test func `a bundle is found by its own folder alone`() throws {
    #expect(try catalog.item(folder: items[1].folder) == items[1])
    #expect(try catalog.item(folder: items[1].folder + "/versions") == nil)
    var folders: [String] = []
    try catalog.forEachFolder { folders.append($0) }
    #expect(folders == items.map(\.folder).sorted())
    #expect(try SQLiteCatalog.isWhole(folder.at("catalog.sqlite")))
  }

  @Test func `objects come once each, until they are forgotten`() throws {
    let objects = [1, 2].map { StoredObject(sha256: Digest.sha256Hex("\($0)"), byteCount: $0) }
    let assets = [0, 0, 1].enumerated().map { number, object in
      CachedAsset(
        url: "https://example.org/\(number)", object: objects[object], mediaType: "image/png")
    }
    try catalog.record([.publish(Sample.publication(items[0], assets: assets))])
    var found: [StoredObject] = []
    try catalog.forEachObject { found.append($0) }
    #expect(found == objects.sorted { $0.sha256 < $1.sha256 })
    let (first, second) = (objects[0].sha256, objects[1].sha256)
    try catalog.forget(object: first)
    #expect(try !catalog.isCommitted(first))
    #expect(try catalog.remembers(object: first))
    #expect(try catalog.isCommitted(second))
    try catalog.forget(objects: [second])
    #expect(try !catalog.isCommitted(second))
    #expect(try !catalog.remembers(object: second))
    #expect(try catalog.asset(url: assets[1].url) == assets[1])
    try catalog.forgetAddresses(of: [first])
    #expect(try catalog.asset(url: assets[1].url) == nil)
  }
}
