import ArchiverCore

/// Tells pictures that count visitors by their addresses, so that they are never asked for.
///
/// Only shapes that no picture has that is meant to be seen; others show by their size once they are
/// there.
enum TrackerAddress {
  private static let known = Pattern(
    ##"""
    (?ix) ^https?://(?:
      (?:www\.)?facebook\.com/tr/?(?:\?|$)
    | (?:[a-z0-9-]+\.)*google-analytics\.com/
    | (?:[a-z0-9-]+\.)*doubleclick\.net/
    | (?:[a-z0-9-]+\.)*scorecardresearch\.com/
    | (?:[a-z0-9-]+\.)*quantserve\.com/
    | (?:pixel|stats)\.wp\.com/
    | pixel\.facebook\.com/
    | (?:[a-z0-9-]+\.)*feedburner\.com/~r/
    | (?:bat\.bing|analytics\.twitter)\.com/
    | (?:t\.co/i/|px\.ads\.linkedin\.com/|ct\.pinterest\.com/v3)
    | [^/?\#]+/(?:[^?\#]*/)?(?:piwik|matomo)\.php\?
    | [^/?\#]+/(?:[^?\#]*/)?(?:collect|beacon|track(?:ing)?[-_]?pixel)(?:\.gif)?\?
    )
    """##)
  private static let picture = Pattern(
    #"(?i)^[^?]*\.(?:jpe?g|png|webp|avif|svg|heic|jxl|tiff?)$"#)

  /// Whether an address is that of a counter.
  static func isKnown(_ address: String) -> Bool { isFound(known, in: address) }

  /// Whether an address looks like a picture to be seen: it ends like one and has no query.
  static func looksLikePicture(_ address: String) -> Bool { isFound(picture, in: address) }

  private static func isFound(_ pattern: Pattern, in address: String) -> Bool {
    var address = address
    return address.withUTF8 { pattern.isFound(in: $0) }
  }
}
