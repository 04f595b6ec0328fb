import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Reads the plain text of archived items for search.
///
/// Called only for items whose content hash the library has not seen, and on several threads.
struct SearchText: Sendable {
  typealias Read = @Sendable (LibraryRow) throws -> String

  private let read: Read
  let fresh: FreshTexts?
  /// The texts of books; `nil` if they are not searched.
  private let books: (texts: BookTexts, root: String)?

  /// `fresh` contains cached texts.
  init(fresh: FreshTexts? = nil, _ read: @escaping Read) {
    self.fresh = fresh
    self.read = read
    books = nil
  }

  /// Reads the text from the item's reading page in the archive at `root`, and those of its book.
  ///
  /// - Parameters:
  ///   - root: The archive's folder.
  ///   - fresh: Cached texts of reading pages.
  ///   - books: Reads the texts of books.
  init(root: String, fresh: FreshTexts? = nil, books: BookTexts) {
    self.fresh = fresh
    self.books = (books, root)
    read = { row in SearchText.page(in: row.folder, root: root) }
  }

  /// Returns a hash of everything that determines an item's text.
  func content(of marks: LibraryRow.Marks) -> UInt64 {
    books.map { WordHash.add($0.texts.mark, to: marks.content) } ?? marks.content
  }

  /// Whether the text of an item is cached.
  func isFresh(_ row: LibraryRow) -> Bool { fresh?.holds(row) ?? false }

  /// Returns the text of an item.
  func passages(of row: LibraryRow, _ fields: SearchFields) throws -> PassageText {
    let text = try fresh?.take(row) ?? PassageText(try read(row), fields)
    guard let books else { return text }
    let files = BookTexts.Files(of: row, root: books.root)
    let whole = text.adding(books.texts.parts(of: row, files, root: books.root))
    return files.hasFile ? whole.havingFile() : whole
  }

  /// Returns the text of the reading page in a folder of the archive at `root`; empty if the page
  /// is missing or cannot be read.
  static func page(in folder: String, root: String) -> String {
    plain(ArchiveFile("\(folder)/index.html", in: root).bytes.flatMap(ReadingPage.body(of:)))
  }

  /// Returns the text of sanitised HTML; empty without any.
  static func plain(_ html: [UInt8]?) -> String {
    guard let html else { return "" }
    // The page was sanitised before. If it is rejected now, it is not searchable.
    let sanitizer = HTMLSanitizer(SanitizerOptions(limits: .widest))
    return (try? sanitizer.plainText(of: html)) ?? ""
  }
}
