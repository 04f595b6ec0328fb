import ArchiverCore
import Testing

@testable import ArchiverStorage

struct ItemStatusTests {
  private func item(_ losses: Losses? = nil) -> CatalogItem {
    var item = Sample.item("a")
    item.losses = losses
    return item
  }

  @Test func `a source that was never run has nothing to count`() {
    let status = SourceStatus(source: "a", kind: "readeck")
    #expect((status.itemCount, status.byteCount, status.incomplete) == (0, 0, 0))
    #expect((status.withheld, status.deleted) == (0, 0))
    #expect((status.waiting, status.failing) == (0, 0))
  }

  @Test func `without a queue entry an item is complete, or not cached`() {
    #expect(ItemStatus(item(), nil) == .complete)
    #expect(ItemStatus(nil, nil) == .notCached)
  }

  @Test(arguments: WorkReason.allCases)
  func `what is being fetched is downloading, archived or not`(reason: WorkReason) {
    let entry = QueueState(reason: reason, attempts: 1, isLeftOut: true, isFetching: true)
    #expect(ItemStatus(item(), entry) == .downloading)
    #expect(ItemStatus(nil, entry) == .downloading)
  }

  @Test func `an archived item is outdated, or lacks something for now or for good`() {
    let essential = Losses([MissingPart(.text, name: "", reason: "")])
    #expect(ItemStatus(item(), QueueState(reason: .new)) == .outdated)
    #expect(ItemStatus(item(essential), QueueState(reason: .changed)) == .outdated)
    #expect(ItemStatus(item(essential), QueueState(reason: .incomplete)) == .failed)
    #expect(ItemStatus(item(Losses(pictures: 1)), QueueState(reason: .incomplete)) == .incomplete)
  }

  @Test func `an item that is not archived waits, failed, or was left out`() {
    func status(_ attempts: Int, isLeftOut: Bool = false) -> ItemStatus {
      AbsentItem(
        key: item().key, title: "",
        state: QueueState(reason: .new, attempts: attempts, isLeftOut: isLeftOut)
      ).status
    }
    #expect(status(0) == .queued)
    #expect(status(1) == .failed)
    #expect(status(0, isLeftOut: true) == .notCached)
    #expect(status(1, isLeftOut: true) == .notCached)
  }

  @Test(
    arguments: [
      (.book, 1, .failed), (.periodical, 1, .failed), (.comic, 2, .failed), (.book, 0, .complete),
      (.article, 1, .complete), (.article, 0, .complete),
    ] as [(ItemMetadata.Kind, Int, Completeness)])
  func `an item of an earlier version failed if a book lacks its file`(
    kind: ItemMetadata.Kind, missingImages: Int, completeness: Completeness
  ) {
    var item = item()
    item.metadata.kind = kind
    item.missingImages = missingImages
    #expect(item.completeness == completeness)
    item.losses = Losses(pictures: 1)
    #expect(item.completeness == .incomplete, "what is recorded counts")
  }
}
