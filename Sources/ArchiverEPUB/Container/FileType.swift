/// The kinds of files that pages of a book may use besides text, by extension.
///
/// The extension determines how a browser interprets a file, so that files of other kinds are only saved
/// by it.
enum FileType {
  enum Kind: Sendable, Hashable {
    case image, drawing, audio, video, font, captions
    /// A file that pages only link to.
    case linked
  }

  private static let byExtension: [String: Kind] = [
    "png": .image, "jpg": .image, "gif": .image, "webp": .image, "avif": .image, "bmp": .image,
    "jxl": .image, "ico": .image,
    "svg": .drawing, "mp3": .audio, "m4a": .audio, "ogg": .audio, "oga": .audio, "opus": .audio,
    "wav": .audio, "flac": .audio, "aac": .audio, "mp4": .video, "m4v": .video, "webm": .video,
    "ogv": .video, "ttf": .font, "otf": .font, "woff": .font, "woff2": .font, "vtt": .captions,
  ]

  private static let byMediaType: [String: String] = [
    "image/png": "png", "image/jpeg": "jpg", "image/jpg": "jpg", "image/gif": "gif",
    "image/webp": "webp", "image/avif": "avif", "image/bmp": "bmp", "image/jxl": "jxl",
    "image/x-icon": "ico", "image/vnd.microsoft.icon": "ico",
    "image/svg+xml": "svg",
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/ogg": "ogg",
    "audio/opus": "opus", "audio/wav": "wav", "audio/flac": "flac", "audio/aac": "aac",
    "video/mp4": "mp4", "video/webm": "webm", "video/ogg": "ogv", "font/ttf": "ttf",
    "font/otf": "otf", "font/woff": "woff", "font/woff2": "woff2",
    "application/vnd.ms-opentype": "otf", "application/font-sfnt": "ttf",
    "application/x-font-ttf": "ttf", "application/x-font-truetype": "ttf",
    "application/x-font-otf": "otf", "application/x-font-opentype": "otf",
    "application/font-woff": "woff", "application/font-woff2": "woff2", "text/vtt": "vtt",
  ]

  /// Extensions that browsers open with a viewer or save, whatever the bytes.
  private static let inert: Set<String> = [
    "pdf", "zip", "gz", "csv", "txt", "json", "epub", "rtf", "doc", "docx", "xls", "xlsx", "ppt",
    "pptx",
    "odt", "ods", "odp", "tif", "tiff",
  ]

  /// Returns the extension of a file that pages only link to. Files with an extension that browsers do not
  /// know get one of bytes: browsers sniff them otherwise, and they must not turn out to be HTML.
  static func linkedEnding(of path: String) -> String {
    let ending = ending(of: path)
    return inert.contains(ending) ? ending : "bin"
  }

  /// Returns the extension and kind of a file; `nil` if its kind is not kept.
  static func of(path: String, mediaType: String?) -> (ending: String, kind: Kind)? {
    let declared = mediaType.flatMap { byMediaType[String($0.prefix { $0 != ";" })] }
    var ending = declared ?? ending(of: path)
    if ending == "jpeg" || ending == "jpe" { ending = "jpg" }
    return byExtension[ending].map { (ending, $0) }
  }

  /// Returns the extension in lower case; empty for a name without one.
  private static func ending(of path: String) -> String {
    path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
  }
}
