import Testing

@testable import ArchiverPipeline

@Suite struct BundlePublisherTests {
  /// Staged, how many more will come, whether all is to go, and how many go.
  @Test(
    arguments: [
      (63, nil, false, nil), (64, nil, false, 64), (64, 0, false, 64), (64, 8, false, nil),
      (64, 32, false, nil), (64, 33, false, 64), (72, 0, false, 72), (96, 0, false, 96),
      (97, 0, false, 64), (80, 4, false, nil), (80, 4, true, 80), (3, nil, true, 3),
      (0, nil, true, nil), (200, nil, true, 64),
    ] as [(Int, Int?, Bool, Int?)])
  func `the last few go with the batch before them`(
    staged: Int, rest: Int?, everything: Bool, batch: Int?
  ) {
    #expect(BundlePublisher.batch(of: staged, everything: everything, rest: rest) == batch)
  }

  /// Bundles that wait, their megabytes, how many more will come, and whether they are written out.
  @Test(
    arguments: [
      (64, 0, 8, true), (63, 0, 8, false), (12, 16, 64, true), (12, 15, 64, false),
      (12, 16, 65, false), (64, 90, nil, false), (64, 16, 0, true),
    ] as [(Int, Int, Int?, Bool)])
  func `near the end what is large goes to the disk ahead of its batch`(
    waiting: Int, megabytes: Int, rest: Int?, isWritten: Bool
  ) {
    let byteCount = megabytes << 20
    #expect(
      BundlePublisher.isWorthWritingOut(waiting, byteCount: byteCount, rest: rest) == isWritten)
  }
}
