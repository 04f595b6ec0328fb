import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct PageRevisionQueryTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// The revisions 7 and 1,000,007 are settled.
  @Test(arguments: [
    (7, true), (1_000_007, true), (0, false), (6, false), (8, false), (1_007, false),
    (1_000_006, false), (2_000_007, false),
  ])
  func `pages of every other revision are found`(revision: Int, isSettled: Bool) throws {
    let catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    for (id, revision) in [("a", 7), ("b", revision), ("c", 1_000_007)] {
      var item = Sample.item(id)
      item.pageRevision = revision
      try catalog.record([.publish(Sample.publication(item))])
    }
    let found = try catalog.itemsWithPages(not: [1_000_007, 7], limit: 10).map(\.id)
    #expect(found == (isSettled ? [] : ["b"]))
  }
}
