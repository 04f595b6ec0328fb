import ArchiverCore

/// The header fields that a web server sends with an object.
struct ContentHeaders: Hashable {
  let type: String
  let cacheControl: String

  /// - Parameter key: The path of the file, relative to the archive.
  init(_ key: String) {
    let name = key.split(separator: "/").last ?? ""
    let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
    let found =
      ContentHeaders.types[ending] ?? (name == "SHA256SUMS" ? ContentHeaders.text : nil)
      ?? ContentHeaders.other
    // Text that a source delivered may be in any encoding, which browsers guess.
    let isOriginal = key.contains("/assets/") && found.hasPrefix("text/")
    type = isOriginal ? String(found.prefix { $0 != ";" }) : found
    cacheControl =
      ContentHeaders.isNamedByContent(key) ? "public, max-age=31536000, immutable" : "no-cache"
  }

  /// Both values as one text, to detect a change.
  var mark: String { "\(type)|\(cacheControl)" }

  /// Whether a file's name contains a hash of its content, so that caches never need to revalidate it.
  static func isNamedByContent(_ key: String) -> Bool {
    let parts = key.split(separator: "/")
    // All files of the search index except the list of its shards.
    if parts.starts(with: ["library", "search"]) { return parts.last != "index.js" }
    guard parts.count >= 2, parts[parts.count - 2] == "assets", parts.first != "library",
      let name = parts.last?.prefix(while: { $0 != "." })
    else { return false }
    return name.utf8.count >= 16
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static let text = "text/plain; charset=utf-8"
  private static let other = "application/octet-stream"

  /// Types by extension, with the encoding of what archiver writes.
  private static let types = [
    "html": "text/html; charset=utf-8", "xhtml": "application/xhtml+xml; charset=utf-8",
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8", "xml": "application/xml; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8", "graphml": "application/xml; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "txt": text, "tsv": text, "md": text,
    "vtt": "text/vtt; charset=utf-8", "gz": "application/gzip", "zip": "application/zip",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "bmp": "image/bmp", "ico": "image/x-icon",
    "tif": "image/tiff", "tiff": "image/tiff", "heic": "image/heic", "jxl": "image/jxl",
    "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
    "flac": "audio/flac", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm",
    "ogv": "video/ogg", "mov": "video/quicktime", "ttf": "font/ttf", "otf": "font/otf",
    "woff": "font/woff", "woff2": "font/woff2", "pdf": "application/pdf",
    "epub": "application/epub+zip", "mobi": "application/x-mobipocket-ebook",
    "azw3": "application/vnd.amazon.mobi8-ebook", "fb2": "application/fb2+xml",
    "djvu": "image/vnd.djvu", "cbz": "application/vnd.comicbook+zip",
    "cbr": "application/vnd.comicbook-rar", "docx": wordprocessing, "odt": openText,
  ]

  private static let wordprocessing =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  private static let openText = "application/vnd.oasis.opendocument.text"
}
