import ArchiverMarkup

/// Images of comics.
extension ImageFormat {
  /// The format's name if not every browser supports it; otherwise `nil`.
  var foreignName: String? { isShownEverywhere ? nil : name }

  private static let byEnding: [String: ImageFormat] = [
    "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "png": .png, "gif": .gif,
    "webp": .webp, "avif": .avif, "bmp": .bmp, "svg": .svg,
  ]

  /// Detects the format from at least the first 128 bytes of a file, or all of a shorter one; `nil`
  /// if it is not an image of a comic.
  ///
  /// Content has precedence over the name. A format that browsers do not support must be recognised
  /// by content: browsers sniff files with unknown extensions, which must not turn out to be HTML.
  static func comic(name: String, prefix: [UInt8]) -> ImageFormat? {
    if prefix.starts(with: "8BPS".utf8) { return .psd }
    if let found = ImageFormat(prefix: prefix), found != .svg, found != .ico { return found }
    guard name.contains("."), let ending = name.split(separator: ".").last else { return nil }
    return byEnding[ending.lowercased()]
  }
}
