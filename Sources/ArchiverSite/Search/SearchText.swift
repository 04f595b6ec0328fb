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
  /// The texts of books; `nil` where they are not searched.
  private let books: (texts: BookTexts, root: String)?

  /// `fresh` are texts that need not be read.
  init(fresh: FreshTexts? = nil, _ read: @escaping Read) {
    self.fresh = fresh
    self.read = read
    books = nil
  }

  /// Reads the text from the item's reading page in the archive at `root`, and those of its book.
  ///
  /// - Parameters:
  ///   - root: The archive's folder.
  ///   - fresh: Texts of reading pages that need not be read.
  ///   - books: Gives the texts of books.
  init(root: String, fresh: FreshTexts? = nil, books: BookTexts) {
    self.fresh = fresh
    self.books = (books, root)
    read = { row in SearchText.page(in: row.folder, root: root) }
  }

  /// Returns the mark of what an item's text is made of.
  func content(of row: LibraryRow) -> UInt64 {
    books.map { WordHash.add($0.texts.mark, to: row.marks.content) } ?? row.marks.content
  }

  /// Whether the text of an item need not be read.
  func isFresh(_ row: LibraryRow) -> Bool { fresh?.holds(row) ?? false }

  /// Returns the text of an item.
  func passages(of row: LibraryRow, _ fields: SearchFields) throws -> PassageText {
    let text = try fresh?.take(row) ?? PassageText(try read(row), fields)
    guard let books else { return text }
    let whole = text.adding(books.texts.parts(of: row, root: books.root))
    return BookTexts.hasFile(row, root: books.root) ? whole.havingFile() : whole
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
