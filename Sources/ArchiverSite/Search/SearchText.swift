import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Gives the plain text of an archived item for search.
///
/// Asked only for items whose content hash the library has not seen, and from several threads.
struct SearchText: Sendable {
  typealias Read = @Sendable (LibraryRow) throws -> String

  private let read: Read
  let fresh: FreshTexts?

  /// `fresh` are texts that need not be read.
  init(fresh: FreshTexts? = nil, _ read: @escaping Read) {
    self.fresh = fresh
    self.read = read
  }

  /// Reads the text from the item's reading page in the archive at `root`.
  static func bundles(root: String, fresh: FreshTexts? = nil) -> SearchText {
    SearchText(fresh: fresh) { row in page(in: row.folder, root: root) }
  }

  /// Whether the text of an item need not be read.
  func isFresh(_ row: LibraryRow) -> Bool { fresh?.holds(row) ?? false }

  /// Returns the text of an item.
  func passages(of row: LibraryRow, _ fields: SearchFields) throws -> PassageText {
    try fresh?.take(row) ?? PassageText(try read(row), fields)
  }

  /// Returns the text of the reading page in a folder of the archive at `root`; a page that is
  /// missing or cannot be read has none.
  static func page(in folder: String, root: String) -> String {
    guard let page = ArchiveFile("\(folder)/index.html", in: root).bytes,
      let body = ReadingPage.body(of: page)
    else { return "" }
    // A page that the sanitiser let through once; should it refuse it now, it is not searchable.
    let sanitizer = HTMLSanitizer(SanitizerOptions(limits: .widest))
    return (try? sanitizer.plainText(of: body)) ?? ""
  }
}
