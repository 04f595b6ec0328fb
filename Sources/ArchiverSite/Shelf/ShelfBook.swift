import ArchiverCore
import ArchiverStorage

/// A book, an issue or a comic on the shelf.
struct ShelfBook {
  let row: LibraryRow
  /// The series or magazine it belongs to, and where in it.
  let series: String?
  let position: String?
  /// The first of its pages, or its PDF, relative to the archive; `nil` when a browser cannot show it.
  let readPath: String?
  /// Whether the source has a newer file than the archive.
  let isOutdated: Bool

  static let kinds: Set<ItemMetadata.Kind> = [.book, .periodical, .comic]

  init(_ row: LibraryRow, readPath: String?, isOutdated: Bool) {
    self.row = row
    self.readPath = readPath
    self.isOutdated = isOutdated
    let properties = row.bookProperties
    if let magazine = properties["Magazine"] {
      (series, position) = (magazine, properties["Issue"])
    } else if let text = properties["Series"] {
      (series, position) = ShelfBook.parts(text)
    } else {
      (series, position) = (nil, nil)
    }
  }

  /// Returns name and place of `Earthsea [2]`.
  static func parts(_ text: String) -> (String?, String?) {
    guard text.last == "]", let start = text.lastIndex(of: "["), start > text.startIndex else {
      return (text.isEmpty ? nil : text, nil)
    }
    let name = text[..<start].reversed().drop { $0 == " " }.reversed()
    return (String(name), String(text[text.index(after: start)...].dropLast()))
  }

  /// The place in its series as a number; books without one come last.
  var order: Double { position.flatMap(Double.init) ?? .infinity }
}

extension ShelfBook {
  /// Finds what of a bundle a browser can show.
  static func readPath(_ row: LibraryRow, root: String) -> String? {
    let pages = "\(row.folder)/book/text"
    // No folder means that the book was not turned into pages.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(pages)")) ?? []
    if let first = names.filter({ $0 != "contents.html" && $0.hasSuffix(".html") }).min() {
      return "\(pages)/\(first)"
    }
    let path = "\(root)/\(row.folder)/\(ItemRecord.fileName)"
    guard let bytes = FileManager.default.contents(atPath: path),
      // Of a record that cannot be read nothing can be opened.
      let record = try? ItemRecord(json: [UInt8](bytes), path: path),
      let file = record.assets.first(where: { $0.mediaType == "application/pdf" })
    else { return nil }
    return "\(row.folder)/\(file.path)"
  }
}
