import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension SegmentBuilder {
  /// The shards in term order.
  func shards() -> [Shard] {
    var shards: [Shard] = []
    forEachShard { shards.append($0) }
    return shards
  }
}

@Suite struct PostingListTests {
  @Test func `a list of postings is read as it was written`() {
    var random = SplitMix(state: 1)
    for limit in [1, 2, 16, 17, 2_048, 300_000] {
      var (list, wanted, passage) = (PostingList(), [Posting](), -1)
      for _ in 0..<200 {
        passage += 1 + random.below(limit)
        wanted.append(Posting(passage: passage, level: UInt8(random.below(8))))
        list.append(wanted[wanted.count - 1])
      }
      // What was in it before is replaced.
      var found = [Posting(passage: 7, level: 7)]
      list.decode(to: &found)
      #expect(found.map(\.passage) == wanted.map(\.passage))
      #expect(found.map(\.level) == wanted.map(\.level))
    }
  }
}
