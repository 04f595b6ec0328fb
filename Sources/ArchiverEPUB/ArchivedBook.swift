import ArchiverMarkup

/// The kind of a book that is distributed as an archive, by the files in it.
///
/// Servers declare the same archive under many types, and often a wrong one: the content decides.
package enum ArchivedBook: Sendable, Hashable {
  case epub
  /// A FictionBook in a ZIP archive.
  case fictionBook
  /// Images, in an archive of any kind.
  case comic
  /// An EPUB in an archive of another kind than ZIP, or an archive with one EPUB or FictionBook in it, which
  /// `PackedBook` unpacks.
  case packed

  /// Examines the archive at a path; `nil` if it cannot be opened or may be something else.
  ///
  /// An EPUB has a container document or a declaration of its type, a zipped FictionBook is the only book in
  /// its archive, and a comic has images and nothing that is read or heard instead.
  package init?(path: String, isZip: Bool, limits: EPUBLimits = EPUBLimits()) {
    // An archive that cannot be opened keeps the type under which it was declared.
    let found = try? isZip ? ArchivedBook.zip(path, limits) : ArchivedBook.other(path, limits)
    guard let found else { return nil }
    self = found
  }

  private static func zip(_ path: String, _ limits: EPUBLimits) throws(EPUBError) -> ArchivedBook? {
    let archive = try ZipArchive(path: path, limits: limits)
    let type = Array("application/epub+zip".utf8)
    if archive.name(matching: "META-INF/container.xml") != nil
      || archive.prefix("mimetype", count: type.count) == type
    {
      return .epub
    }
    // Office documents have images as well.
    let isOffice = ["[Content_Types].xml", "mimetype"].contains {
      archive.name(matching: $0) != nil
    }
    if isOffice { return nil }
    return kind(of: archive.names.map { ArchivedBook.ending($0) })
      ?? (PackedBook.isPacked(Array(archive.names)) ? .packed : nil)
  }

  private static func other(
    _ path: String, _ limits: EPUBLimits
  ) throws(EPUBError) -> ArchivedBook? {
    let names = try PackedBook.names(path, limits)
    if kind(of: names.map { ending($0) }) == .comic { return .comic }
    return PackedBook.isPacked(names) ? .packed : nil
  }

  private static func kind(of endings: [String]) -> ArchivedBook? {
    let works = endings.filter(ArchivedBook.works.contains)
    if works == ["fb2"] { return .fictionBook }
    return works.isEmpty && endings.contains(where: ArchivedBook.images.contains) ? .comic : nil
  }

  /// The extension in lower case; empty for a name without one, and for the metadata of macOS.
  private static func ending(_ name: String) -> String {
    guard !name.hasPrefix("__MACOSX/"), let last = name.split(separator: "/").last,
      let dot = last.lastIndex(of: "."), dot != last.startIndex
    else { return "" }
    return last[last.index(after: dot)...].lowercased()
  }

  /// Whether a file is a work by its name.
  static func isWork(_ name: String) -> Bool {
    let ending = ending(name)
    // Text beside a book describes it.
    if ["htm", "html", "xhtml", "opf"].contains(ending) { return false }
    return works.contains(ending) || name.lowercased().hasSuffix(".fb2.gz")
  }

  private static let images: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "avif", "bmp", "jxl", "tif", "tiff", "heic",
    "jp2",
  ]

  /// Extensions of files that are the work itself, so that images beside them are illustrations.
  private static let works: Set<String> = [
    "fb2", "epub", "mobi", "azw3", "pdf", "djvu", "rtf", "doc", "docx", "odt", "htm", "html",
    "xhtml", "opf", "mp3", "m4a", "m4b", "ogg", "opus", "flac", "mp4", "mkv", "cbz", "cbr", "zip",
    "rar", "7z",
  ]
}
