import Testing

@testable import ArchiverPipeline

@Suite struct BundlePublisherTests {
  /// Staged bundles, bundles to come, whether to publish all, and how many are published.
  @Test(
    arguments: [
      (63, nil, false, nil), (64, nil, false, 64), (64, 0, false, 64), (64, 8, false, nil),
      (63, 65, false, nil), (64, 65, false, 64), (72, 0, false, 72), (96, 0, false, 96),
      (97, 0, false, 64), (80, 4, false, nil), (80, 4, true, 80), (3, nil, true, 3),
      (0, nil, true, nil), (127, nil, true, 64), (128, nil, false, 128),
      (200, nil, true, 200), (15, 64, false, nil), (16, 64, false, 16),
      (16, 9, false, 16), (16, 8, false, nil), (15, 0, false, nil), (16, 0, false, 16),
    ] as [(Int, Int?, Bool, Int?)])
  func `batches are small near the end, and the last few go with the one before`(
    staged: Int, rest: Int?, everything: Bool, batch: Int?
  ) {
    #expect(BundlePublisher.batch(of: staged, everything: everything, rest: rest) == batch)
  }
}
