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

  /// Returns the file of a bundle that a browser can show.
  static func readPath(_ row: LibraryRow, root: String) -> String? {
    if let first = BookTexts.pages(row.folder, root: root).first {
      return "\(row.folder)/\(BookTexts.folder)\(first)"
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
