import ArchiverCore

/// Ranks the candidate URLs of an image.
enum ImageRanking {
  /// The preferred maximum width in pixels.
  static let widest = 2_000
  static let most = 4

  /// Returns at most four sources, best first: the best of the set (the widest up to 2,000 pixels,
  /// or else the narrowest above), the URL for scripts, `src`, and the other candidates of the set.
  /// Inline placeholders come last.
  static func best(
    set: [SourceSet.Candidate], lazy: String?, source: String?
  ) -> [ImageSource] {
    var addresses = set.count < 2 ? set.map(\.url) : ranked(set).map(\.url)
    let first = addresses.isEmpty ? 0 : 1
    addresses.insert(contentsOf: [lazy, source].compactMap { $0 }, at: first)
    if addresses.contains(where: InlineImage.isPlaceholder) {
      addresses =
        addresses.filter { !InlineImage.isPlaceholder($0) }
        + addresses.filter { InlineImage.isPlaceholder($0) }
    }
    var seen = [String]()
    var sources = [ImageSource]()
    for address in addresses where sources.count < most && !seen.contains(address) {
      seen.append(address)
      if let source = imageSource(address) { sources.append(source) }
    }
    return sources
  }

  private static func ranked(_ set: [SourceSet.Candidate]) -> [SourceSet.Candidate] {
    let widths = set.filter { $0.width != nil }
    if widths.isEmpty {
      return stable(set) { ($0.density ?? 1) > ($1.density ?? 1) }
    }
    let fitting = widths.filter { ($0.width ?? 0) <= widest }
    let larger = widths.filter { ($0.width ?? 0) > widest }
    let rest = set.filter { $0.width == nil }
    return stable(fitting) { ($0.width ?? 0) > ($1.width ?? 0) }
      + stable(larger) { ($0.width ?? 0) < ($1.width ?? 0) } + rest
  }

  private static func stable(
    _ set: [SourceSet.Candidate],
    by precedes: (SourceSet.Candidate, SourceSet.Candidate) -> Bool
  ) -> [SourceSet.Candidate] {
    guard set.count > 1 else { return set }
    return set.enumerated().sorted { one, other in
      precedes(one.element, other.element)
        || !precedes(other.element, one.element) && one.offset < other.offset
    }.map(\.element)
  }

  private static func imageSource(_ address: String) -> ImageSource? {
    if address.hasPrefix("data:") {
      return InlineImage.decode(address).map { .inline(mediaType: $0.mediaType, bytes: $0.bytes) }
    }
    return WebURL(address).map { .remote($0) }
  }
}
