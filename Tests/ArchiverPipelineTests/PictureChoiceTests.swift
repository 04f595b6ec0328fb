import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// Which of an image's URLs is taken, and why none is.
struct PictureChoiceTests {
  private static func asset(
    _ name: String = "a", type: String = "image/gif", _ width: Int? = nil, _ height: Int? = nil,
    byteCount: Int = 100
  ) -> CachedAsset {
    CachedAsset(
      url: "https://a.test/\(name)", object: StoredObject(sha256: name, byteCount: byteCount),
      mediaType: type, width: width, height: height)
  }

  private static func failed(
    _ reason: String, isTransient: Bool = false, storage: StorageError? = nil,
    isExpired: Bool = false, cause: AssetFailure.Cause = .other
  ) -> AssetOutcome {
    .failed(
      AssetFailure(
        reason, isTransient: isTransient, storage: storage, isExpired: isExpired, cause: cause))
  }

  private static let pixel = AssetOutcome.stored(asset("pixel", 1, 1), bytes: 0)
  private static let gone = failed("404", cause: .gone)

  private func choice(_ outcomes: [AssetOutcome]) -> PictureChoice {
    var choice = PictureChoice()
    for outcome in outcomes { choice.add(outcome, url: nil) }
    return choice
  }

  @Test(
    arguments: [
      (2, 2, true), (1, 1, true), (3, 2, false), (2, 3, false), (nil, 2, false), (2, nil, false),
      (nil, nil, false),
    ] as [(Int?, Int?, Bool)])
  func `an image of at most two pixels each way is a placeholder`(
    width: Int?, height: Int?, isPixel: Bool
  ) {
    let asset = Self.asset("a", width, height)
    #expect(asset.isPixel == isPixel)
    for outcome in [
      AssetOutcome.stored(asset, bytes: 0),
      .kept(asset, AssetFailure("503", isTransient: true)),
    ] {
      let found = choice([outcome])
      #expect((found.best == nil) == isPixel)
      #expect((found.failure.cause == .pixel) == isPixel)
    }
  }

  @Test func `without a URL an image is missing for good`() {
    let none = choice([])
    #expect(none.best == nil && none.rarelyShown == nil)
    #expect(none.failure.reason == "it has no URL" && !none.failure.isTransient)
  }

  @Test func `of images that few browsers show the first is taken`() {
    let found = choice([
      .stored(Self.asset("heic", type: "image/heic", 9, 9), bytes: 0),
      .stored(Self.asset("tiff", type: "image/tiff", 9, 9), bytes: 0),
    ])
    #expect(found.best == nil)
    #expect(found.rarelyShown?.outcome.asset?.mediaType == "image/heic")
  }

  @Test func `a placeholder does not hide why the image itself is missing`() {
    for outcomes in [
      [Self.gone, Self.pixel], [Self.pixel, Self.gone], [.failed(.placeholder), Self.gone],
      [Self.gone, .failed(.placeholder)], [Self.gone, .failed(.placeholder), Self.pixel],
      [Self.pixel, Self.gone, Self.pixel],
    ] {
      let failure = choice(outcomes).failure
      #expect(failure.reason == "404" && failure.cause == .gone)
    }
    #expect(choice([.failed(.placeholder), Self.pixel]).failure.cause == .pixel)
    #expect(choice([Self.pixel, .failed(.placeholder)]).failure.cause == .pixel)
  }

  @Test(arguments: [0, 1, 2])
  func `what one URL may still give is not forgotten for the others`(place: Int) {
    let storage = StorageError(.full, "the disk is full")
    var outcomes = [Self.failed("first"), Self.failed("second"), Self.failed("third")]
    let plain = choice(outcomes).failure
    #expect(plain.reason == "third")
    #expect(!plain.isTransient && !plain.isExpired && plain.storage == nil)
    outcomes[place] = Self.failed("other", isTransient: true, storage: storage, isExpired: true)
    let failure = choice(outcomes).failure
    #expect(failure.isTransient && failure.isExpired && failure.storage?.code == .full)
    #expect(failure.reason == (place == 2 ? "other" : "third"))
  }

  @Test(
    arguments: [
      // By pixels: less than a quarter.
      ((20, 20, 4_096), (10, 10, 4_000), false), ((20, 20, 4_096), (11, 9, 4_000), true),
      ((20, 20, 4_095), (1, 1, 1), false),
      // One of them has no known size: less than an eighth of the bytes.
      ((nil, 20, 8_000), (10, 10, 999), true), ((nil, 20, 8_000), (10, 10, 1_000), false),
      ((20, 20, 8_000), (nil, nil, 1_000), false), ((20, 20, 8_000), (10, nil, 999), true),
      // A size of nothing is unknown, one of a single line is a size.
      ((0, 20, 8_000), (10, 10, 999), true), ((20, 0, 8_000), (10, 10, 999), true),
      ((20, 20, 8_000), (0, 10, 1_000), false), ((20, 20, 8_000), (10, 0, 1_000), false),
      ((1, 1_000, 8_000), (1, 249, 8_000), true), ((1_000, 1, 8_000), (249, 1, 8_000), true),
    ] as [((Int?, Int?, Int), (Int?, Int?, Int), Bool)])
  func `an image much smaller than the one before stands in for it`(
    old: (Int?, Int?, Int), new: (Int?, Int?, Int), isLikely: Bool
  ) {
    let before = Self.asset("old", old.0, old.1, byteCount: old.2)
    let after = Self.asset("new", new.0, new.1, byteCount: new.2)
    #expect(StandIn.isLikely(after, for: before) == isLikely)
  }

  @Test func `the same bytes stand in for nothing`() {
    let before = Self.asset("same", 100, 100, byteCount: 8_000)
    let after = Self.asset("same", 1, 1, byteCount: 8_000)
    #expect(!StandIn.isLikely(after, for: before))
  }

  @Test(
    arguments: [
      (400, "400 Bad Request", false, .other), (403, "403 Forbidden", false, .refused),
      (404, "404 Not Found", false, .gone), (408, "408 Request Timeout", true, .other),
      (410, "410 Gone", false, .gone), (415, "415 Unsupported Media Type", false, .other),
      (421, "421 Misdirected Request", false, .other), (425, "425", true, .other),
      (429, "429 Too Many Requests", true, .other), (499, "499", false, .other),
      (500, "500 Internal Server Error", true, .other), (501, "501 Not Implemented", true, .other),
      (504, "504 Gateway Timeout", true, .other),
    ] as [(Int, String, Bool, AssetFailure.Cause)])
  func `a status says whether a file may come later, and whether its URL has expired`(
    status: Int, words: String, isTransient: Bool, cause: AssetFailure.Cause
  ) {
    for isSigned in [false, true] {
      let failure = HTTPStatus.failure(status, isSigned: isSigned)
      #expect(failure.reason == "the server answered \(words)")
      #expect(failure.isTransient == isTransient && failure.cause == cause)
      #expect(failure.isExpired == (isSigned && (status == 403 || status == 410)))
    }
  }
}
