import ArchiverStorage

/// Tells whether a picture took the place of another at the same address, such as one that says
/// "image removed": the earlier one is kept then.
enum StandIn {
  /// Pictures of fewer bytes are not worth keeping against their successor.
  private static let leastBytes = 4_096

  /// Whether a new picture is much smaller than the old one: a quarter of its pixels, or where these
  /// are not known an eighth of its bytes.
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
