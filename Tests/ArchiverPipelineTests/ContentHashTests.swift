import ArchiverCore
import Testing

@testable import ArchiverPipeline

@Suite struct ContentHashTests {
  private static func hash(_ change: (inout ItemMetadata) -> Void) -> ContentHash {
    var metadata = ItemMetadata(kind: .article, title: "Title")
    change(&metadata)
    let item = SourceItem(
      reference: ItemReference(id: "item", revision: "1"), metadata: metadata,
      body: .none(reason: "It has no text."))
    return ContentHash(body: [], item: item, origin: nil)
  }

  @Test func `the time of its last change alone makes no item differ`() {
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let plain = Self.hash { _ in }
    #expect(Self.hash { $0.modified = time } == plain)
    #expect(Self.hash { $0.added = time } != plain)
  }
}
