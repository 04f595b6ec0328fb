import ArchiverCore
import ArchiverEPUB
import ArchiverStorage

/// The pages that a book among an item's files was turned into, as they lie in its bundle.
///
///     book/text/contents.html, book/text/0001.html …, book/style/…, book/assets/…
struct BookPages: Sendable {
  static let folder = "book"

  /// Every file, in the order of their paths.
  var files: [BundleDraft.File] = []
  /// The first page and the table of contents; `nil` where there are no pages.
  var firstPath: String?
  var contentsPath: String?
  /// The book's own cover, for items whose source has none.
  var coverPath: String?
  /// Sentences about what was left out.
  var notes: [String] = []

  /// Turns the first EPUB among an item's files into pages; a book that cannot be read becomes a
  /// note, and the file itself stays whatever happens.
  static func make(
    of item: SourceItem, assets: ItemAssets, pool: ObjectPool
  ) throws(StorageError) -> BookPages {
    for (attachment, result) in zip(item.attachments, assets.attachments) {
      guard attachment.role == .file, case .success(let file) = result,
        file.mediaType == "application/epub+zip"
      else { continue }
      return try make(pool.path(of: file.object), pool)
    }
    return BookPages()
  }

  private static func make(_ path: String, _ pool: ObjectPool) throws(StorageError) -> BookPages {
    let sink = PoolBookSink(pool: pool)
    let book: ConvertedBook
    do throws(EPUBError) {
      book = try EPUBConverter(sha1: Digest.sha1).convert(path: path, to: sink)
    } catch {
      if let storage = error.underlying as? StorageError { throw storage }
      return BookPages(notes: ["The book could not be made readable: \(error.message)."])
    }
    if let protection = book.protection {
      return BookPages(
        notes: ["The book is protected by \(protection); the file is kept, its text is not shown."])
    }
    return BookPages(
      files: sink.files.sorted { $0.path < $1.path }, firstPath: book.pages.first.map(inBundle),
      contentsPath: book.contentsPath.map { "\(folder)/\($0)" },
      coverPath: book.coverPath.map { "\(folder)/\($0)" }, notes: book.notes)
  }

  private static func inBundle(_ page: ConvertedBook.Page) -> String { "\(folder)/\(page.path)" }
}

/// Streams a book's files into the object pool.
private final class PoolBookSink: BookSink {
  private let pool: ObjectPool
  private var current: (path: String, sink: ObjectSink)?
  private(set) var files: [BundleDraft.File] = []

  init(pool: ObjectPool) {
    self.pool = pool
  }

  func begin(_ path: String) {
    current?.sink.discard()
    current = (path, pool.makeSink())
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try current?.sink.receive(bytes)
  }

  func end() throws {
    guard let (path, sink) = current else { return }
    current = nil
    let object = try sink.finish()
    files.append(BundleDraft.File(path: "\(BookPages.folder)/\(path)", content: .object(object)))
  }
}
