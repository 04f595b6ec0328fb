import ArchiverCore
import ArchiverStorage

/// What became of the addresses of one picture, tried in turn.
///
/// A picture of a pixel or two is none, and one that not every browser shows serves only where no other
/// address gives a better one.
struct PictureChoice {
  typealias Found = (outcome: AssetOutcome, url: WebURL?)

  /// The first that every browser shows.
  private(set) var best: Found?
  /// The first that only some browsers show.
  private(set) var rarelyShown: Found?
  /// Why there is none.
  private(set) var failure = AssetFailure("it has no address", isTransient: false)
  private var hasFailed = false

  /// Takes what an address gave; `url` is `nil` for a picture in the page itself.
  mutating func add(_ outcome: AssetOutcome, url: WebURL?) {
    switch outcome {
    case .stored(let asset, _):
      if asset.isPixel {
        guard !hasFailed else { return }
        failure = AssetFailure("it is a pixel", isTransient: false, cause: .pixel)
      } else if asset.isShownEverywhere {
        best = (outcome, url)
      } else if rarelyShown == nil {
        rarelyShown = (outcome, url)
      }
    case .failed(let new):
      failure = AssetFailure(
        new.reason, isTransient: failure.isTransient || new.isTransient,
        storage: failure.storage ?? new.storage, isExpired: failure.isExpired || new.isExpired,
        cause: new.cause)
      hasFailed = hasFailed || new.cause != .pixel
    }
  }
}

extension CachedAsset {
  /// Whether it is at most two pixels wide and high: it counts visitors or holds a place.
  var isPixel: Bool {
    guard let width, let height else { return false }
    return width <= 2 && height <= 2
  }

  /// Whether it is a picture that every browser shows.
  var isShownEverywhere: Bool { ImageFormat(mediaType: mediaType)?.isShownEverywhere ?? false }
}
