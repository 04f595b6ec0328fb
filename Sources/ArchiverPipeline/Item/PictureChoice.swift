import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Chooses among the outcomes of an image's URLs, tried in order.
///
/// A tracking pixel does not count as an image, and a format that not every browser shows is used
/// only if no other URL gives a better one.
struct PictureChoice {
  typealias Found = (outcome: AssetOutcome, url: WebURL?)

  /// The first image that every browser shows.
  private(set) var best: Found?
  /// The first image that only some browsers show.
  private(set) var rarelyShown: Found?
  /// Why there is no image.
  private(set) var failure = AssetFailure("it has no URL", isTransient: false)
  private var hasFailed = false

  /// Adds the outcome of a URL; `url` is `nil` for an inline image.
  mutating func add(_ outcome: AssetOutcome, url: WebURL?) {
    switch outcome {
    case .stored(let asset, _), .kept(let asset, _):
      if asset.isPixel {
        guard !hasFailed else { return }
        failure = .placeholder
      } else if asset.isShownEverywhere {
        best = (outcome, url)
      } else if rarelyShown == nil {
        rarelyShown = (outcome, url)
      }
    case .failed(let new):
      // A placeholder is no reason why the image itself is missing.
      guard new.cause != .pixel || !hasFailed else { return }
      failure = AssetFailure(
        new.reason, isTransient: failure.isTransient || new.isTransient,
        storage: failure.storage ?? new.storage, isExpired: failure.isExpired || new.isExpired,
        cause: new.cause)
      hasFailed = hasFailed || new.cause != .pixel
    }
  }
}

extension CachedAsset {
  /// Whether it is at most two pixels wide and high: a tracking pixel or placeholder.
  var isPixel: Bool {
    guard let width, let height else { return false }
    return width <= 2 && height <= 2
  }

  /// Whether it is an image that every browser shows.
  var isShownEverywhere: Bool { ImageFormat(mediaType: mediaType)?.isShownEverywhere ?? false }
}
