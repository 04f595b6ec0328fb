import ArchiverStorage

/// Detects an image that replaced another at the same URL, such as one that says "image removed":
/// the earlier one is then kept.
enum StandIn {
  /// The minimum size in bytes of an image worth keeping.
  private static let leastBytes = 4_096

  /// Whether a new image is much smaller than the old one: less than a quarter of its pixels or, if
  /// these are unknown, less than an eighth of its bytes.
  static func isLikely(_ new: CachedAsset, for old: CachedAsset) -> Bool {
    guard new.object != old.object, old.object.byteCount >= leastBytes else { return false }
    if let before = area(old), let after = area(new) { return after * 4 < before }
    return new.object.byteCount * 8 < old.object.byteCount
  }

  private static func area(_ asset: CachedAsset) -> Double? {
    guard let width = asset.width, let height = asset.height, width > 0, height > 0 else {
      return nil
    }
    return Double(width) * Double(height)
  }
}
