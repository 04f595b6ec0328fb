import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline
@testable import ArchiverStorage

/// The queue of staged bundles, and the budget's arithmetic at its ends.
struct PublisherQueueTests {
  private static func entry(_ number: Int) -> BundlePublisher.Entry {
    let id = "item\(number)"
    let item = CatalogItem(
      key: ItemKey(source: "scripted", id: id), revision: "1", folder: "scripted/\(id)",
      metadata: ItemMetadata(kind: .article, title: id), firstArchived: .distantPast,
      lastArchived: .distantPast, contentHash: "")
    let publication = Publication(
      item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: "")
    let staged = ItemProcessor.StagedItem(
      bundle: StagedBundle(publication: publication), title: id, images: 0, missing: 0,
      losses: Losses(), isUnreached: false, byteCount: 0, claim: nil, conflict: nil)
    let work = WorkItem(reference: ItemReference(id: id, revision: "1"), reason: .new)
    return BundlePublisher.Entry(work: work, item: staged)
  }

  private static func publisher(_ count: Int) -> BundlePublisher {
    var publisher = BundlePublisher()
    for number in 0..<count { publisher.add(entry(number)) }
    return publisher
  }

  @Test(arguments: [(0, false), (64, false), (127, false), (128, true), (129, true)])
  func `fetching pauses when 128 bundles wait`(count: Int, isFull: Bool) {
    #expect(Self.publisher(count).isFull == isFull)
    #expect(Self.publisher(count).isEmpty == (count == 0))
  }

  @Test func `bundles are sent in the order in which they were added, each once`() {
    var publisher = Self.publisher(100)
    let first = publisher.next(everything: true, rest: nil)
    #expect(first?.map(\.work.reference.id) == (0..<64).map { "item\($0)" })
    let early = publisher.next(everything: false, rest: nil)
    #expect(early == nil)
    let second = publisher.next(everything: true, rest: nil)
    #expect(second?.map(\.work.reference.id) == (64..<100).map { "item\($0)" })
    let third = publisher.next(everything: true, rest: nil)
    #expect(third == nil && publisher.isEmpty)
  }

  private static func claim(_ id: String, _ announced: Int) -> StorageBudget.Claim {
    StorageBudget.Claim(
      key: ItemKey(source: "scripted", id: id), date: nil, isWanted: true, announced: announced)
  }

  @Test func `a bundle of which one byte was declared counts for the expected growth`()
    async throws
  {
    try await withRecorded([]) { archive in
      for (limit, refusal) in [(500, nil), (499, 500)] as [(Int, Int?)] {
        let budget = try StorageBudget(limit: limit, source: "scripted", archive: archive)
        budget.staged(Self.claim("before", 1), byteCount: 5)
        #expect(try budget.refusal(Self.claim("next", 100)) == refusal)
      }
    }
  }

  @Test(arguments: [[Int.max], [Int.max, Int.max], [1 << 60, 1], [(1 << 60) + 1]])
  func `no declared size is taken for more than 2 to the 60th bytes`(sizes: [Int]) async throws {
    try await withRecorded([]) { archive in
      let url = try #require(WebURL(ScriptedSource.origin + "/a"))
      let reference = ItemReference(id: "x", revision: "1")
      var item = SourceItem(
        reference: reference, metadata: ItemMetadata(kind: .book, title: ""),
        body: .none(reason: ""))
      item.attachments = sizes.map { (count: Int) in
        var file = Attachment(.file, .remote(url))
        file.byteCount = count
        return file
      }
      let budget = try StorageBudget(limit: nil, source: "scripted", archive: archive)
      let work = WorkItem(reference: reference, reason: .new)
      #expect(budget.claim(work, item, isAskedFor: false).announced == 1 << 60)
    }
  }
}
