import ArchiverCore
import ArchiverStorage

/// A format in which the archive has a book, as the shelf distinguishes them.
enum BookFormat: String, CaseIterable {
  case epub, pdf, comic, mobi, fb2, djvu, text, audio
  /// A file of a book in any other format.
  case other

  /// Returns the formats of an item's files; none if it has no file of a book.
  ///
  /// The names of the files are enough: their extensions follow from the media types.
  static func all(_ row: LibraryRow, root: String) -> [BookFormat] {
    let names = ArchiveFile("\(row.folder)/assets", in: root).names
    let found = Set(names.compactMap { of(name: $0, isComic: row.kind == .comic) })
    return allCases.filter(found.contains)
  }

  /// Returns the format of a file by its name; `nil` for hidden files, images and other files that are not books.
  ///
  /// A file with an unknown extension, or without one, is a book in another format.
  static func of(name: String, isComic: Bool) -> BookFormat? {
    guard let first = name.first, first != "." else { return nil }
    var parts = name.split(separator: ".").dropFirst()
    let last = String(parts.popLast() ?? "")
    let isPacked = packed.contains(last)
    if isPacked, parts.last == "fb2" { return .fb2 }
    if isPacked { return isComic ? .comic : .other }
    return besidesBooks.contains(last) ? nil : extensions[last] ?? .other
  }

  private static let packed: Set<String> = ["zip", "gz", "rar", "7z", "tar"]

  /// The extensions of images, videos, tables, records and fonts.
  private static let besidesBooks: Set<String> = [
    "jpg", "png", "gif", "webp", "avif", "bmp", "ico", "svg", "tiff", "jxl", "jp2", "heic", "mp4",
    "webm", "mov", "ogv", "csv", "json", "woff2", "woff", "ttf", "otf",
  ]

  private static let extensions: [String: BookFormat] = {
    let names: [BookFormat: String] = [
      .epub: "epub kepub", .pdf: "pdf", .comic: "cbz cbr cb7 cbt", .fb2: "fb2 fbz",
      .mobi: "mobi azw azw3 azw4 prc kfx", .djvu: "djvu djv", .text: "txt md",
      .audio: "mp3 m4a m4b ogg opus wav flac aac",
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { format, names in
        names.split(separator: " ").map { (String($0), format) }
      })
  }()
}
