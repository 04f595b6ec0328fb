import ArchiverCore

/// Recognises tracking images by their URLs, so that they are never requested.
///
/// Only forms that no visible image has; other tracking images are recognised by their size after
/// the download.
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

  /// Whether a URL is that of a tracking image.
  static func isKnown(_ address: String) -> Bool { isFound(known, in: address) }

  /// Whether a URL looks like a visible image's: it has an image's extension and no query.
  static func looksLikePicture(_ address: String) -> Bool { isFound(picture, in: address) }

  private static func isFound(_ pattern: Pattern, in address: String) -> Bool {
    var address = address
    return address.withUTF8 { pattern.isFound(in: $0) }
  }
}
