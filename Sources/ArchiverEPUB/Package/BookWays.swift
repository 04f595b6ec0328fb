import ArchiverCore
import ArchiverMarkup

/// A book's own navigation: the table of contents, landmarks such as the preface, and the pages of
/// the printed book.
struct BookWays {
  private(set) var contents: [ContentsEntry] = []
  private(set) var landmarks: [ContentsEntry] = []
  private(set) var pages: [ContentsEntry] = []
  /// Sentences about parts that could not be read.
  private(set) var notes: [String] = []

  init(_ book: BookConversion) throws(EPUBError) {
    let package = book.package
    let archive = book.archive
    let navigation = package.navigation.flatMap { archive.name(matching: $0) }
    if let path = navigation, let document = try book.xhtml(path) {
      var reader = ContentsReader(limits: book.converter.limits) { archive.name(matching: $0) }
      contents = reader.navigation(document, path: path)
      landmarks = reader.list("landmarks", document, path: path)
      note(reader, "The table of contents", book)
      pages = readPages(book) { $0.list("page-list", document, path: path) }
    }
    if contents.isEmpty || pages.isEmpty { try readNCX(book) }
    if landmarks.isEmpty {
      var reader = ContentsReader(limits: book.converter.limits) { archive.name(matching: $0) }
      landmarks = reader.guide(package.guide)
    }
  }

  private mutating func readNCX(_ book: BookConversion) throws(EPUBError) {
    let archive = book.archive
    guard let path = book.package.ncx.flatMap({ archive.name(matching: $0) }),
      let bytes = try archive.text(path)
    else { return }
    let document: XMLDocument
    do throws(MarkupError) {
      document = try XMLDocument(bytes, recovering: true)
    } catch {
      if contents.isEmpty {
        notes.append("The table of contents could not be read: \(error.message).")
      }
      return
    }
    if contents.isEmpty {
      var reader = ContentsReader(limits: book.converter.limits) { archive.name(matching: $0) }
      contents = reader.ncx(document, path: path)
      note(reader, "The table of contents", book)
    }
    if pages.isEmpty { pages = readPages(book) { $0.pages(document, path: path) } }
  }

  /// Reads a page list, which has the same limit as the table of contents.
  private mutating func readPages(
    _ book: BookConversion, _ read: (inout ContentsReader) -> [ContentsEntry]
  ) -> [ContentsEntry] {
    let archive = book.archive
    var reader = ContentsReader(limits: book.converter.limits) { archive.name(matching: $0) }
    let found = read(&reader)
    note(reader, "The list of pages", book)
    return found
  }

  private mutating func note(_ reader: ContentsReader, _ what: String, _ book: BookConversion) {
    guard reader.isCut else { return }
    let most = Limit.fixed(book.converter.limits.contentsEntries)
    notes.append("\(what) is longer or deeper than shown \(most).")
  }
}
