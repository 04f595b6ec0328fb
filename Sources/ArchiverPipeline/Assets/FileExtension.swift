/// File name extensions by media type (IANA registry of media types).
enum FileExtension {
  /// Returns the extension for a type other than images; `bin` if none is known.
  ///
  /// The extension of the file's own name is used if it is short and plain and not that of a page
  /// or script.
  static func of(mediaType: String, name: String?) -> String {
    if let known = known[mediaType] { return known }
    if let name, let dot = name.lastIndex(of: ".") {
      let ending = name[name.index(after: dot)...].lowercased()
      let isPlain =
        (1...8).contains(ending.utf8.count)
        && ending.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
      if isPlain, !active.contains(ending) { return ending }
    }
    return "bin"
  }

  /// Extensions that a browser would run or render as a page of the archive.
  private static let active: Set<String> = [
    "htm", "html", "xhtml", "xhtm", "xht", "shtml", "mht", "mhtml", "svg", "svgz", "xml", "xsl",
    "xslt", "xsd", "xbl", "rng", "rss", "atom", "rdf", "mml", "mathml", "js", "mjs", "cjs", "wasm",
    "swf", "php", "hta", "desktop", "lnk", "url", "webloc", "exe", "bat", "cmd", "com", "msi",
    "scr", "vbs", "ps1",
  ]

  private static let known: [String: String] = [
    "application/pdf": "pdf", "application/epub+zip": "epub", "application/zip": "zip",
    "application/vnd.comicbook+zip": "cbz", "application/vnd.comicbook-rar": "cbr",
    "application/x-cb7": "cb7", "application/x-cbt": "cbt", "application/json": "json",
    "application/x-mobipocket-ebook": "mobi", FictionBook.mediaType: "fb2",
    FictionBook.zippedType: "fb2.zip", FictionBook.compressedType: "fb2.gz",
    "application/vnd.rar": "rar", "application/x-7z-compressed": "7z",
    "application/x-tar": "tar", "text/plain": "txt", "text/csv": "csv",
    "text/markdown": "md", "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/ogg": "ogg",
    "audio/wav": "wav", "audio/flac": "flac", "audio/aac": "aac", "video/mp4": "mp4",
    "video/webm": "webm", "video/quicktime": "mov", "video/ogg": "ogv", "font/woff2": "woff2",
    "font/woff": "woff", "font/ttf": "ttf", "font/otf": "otf",
  ]
}
