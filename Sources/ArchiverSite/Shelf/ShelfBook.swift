import ArchiverCore
import ArchiverStorage

/// A book, an issue or a comic on the shelf.
struct ShelfBook {
  let row: LibraryRow
  /// The book's series or magazine and its position there.
  let place: SeriesPlace?
  /// The first page, the PDF or the plain text of the book, relative to the archive; `nil` if a
  /// browser can show none of them.
  let readPath: String?
  let formats: [BookFormat]
  /// Whether the source has a newer file than the archive.
  let isOutdated: Bool

  init(_ row: LibraryRow, readPath: String?, formats: [BookFormat], isOutdated: Bool) {
    self.row = row
    self.readPath = readPath
    self.formats = formats
    self.isOutdated = isOutdated
    place = row.place
  }
}

extension ShelfBook {
  /// Returns the file of a bundle that a browser can show.
  static func readPath(_ row: LibraryRow, root: String) -> String? {
    let pages = "\(row.folder)/book/text"
    // Without this folder, the book was not converted to pages.
    let names = ArchiveFile(pages, in: root).names
    if let first = names.filter({ $0 != "contents.html" && $0.hasSuffix(".html") }).min() {
      return "\(pages)/\(first)"
    }
    let path = "\(row.folder)/\(ItemRecord.fileName)"
    guard let bytes = ArchiveFile(path, in: root).bytes,
      // Without a readable record, no file is known.
      let record = try? ItemRecord(json: bytes, path: path),
      let file = ["application/pdf", "text/plain"].lazy.compactMap({ type in
        record.assets.first { $0.mediaType == type }
      }).first
    else { return nil }
    return "\(row.folder)/\(file.path)"
  }
}
