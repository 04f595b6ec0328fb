import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverPDF
import ArchiverSite
import ArchiverStorage

/// The pages made from a book among an item's files, with their paths in the bundle.
///
///     book/text/contents.html, book/text/0001.html …, book/style/…, book/assets/…
struct BookPages: Sendable {
  static let folder = "book"
  /// A file that every converted book has.
  static let styleSheet = "\(folder)/style/page.css"

  /// Every file, sorted by path.
  var files: [BundleDraft.File] = []
  /// The paths of the first page and the table of contents; `nil` if there are no pages.
  var firstPath: String?
  var contentsPath: String?
  /// The book's own cover, for items whose source has none.
  var coverPath: String?
  /// Sentences about what was left out.
  var notes: [String] = []
  /// The file, if it cannot be opened although it has the signature of its type.
  var missing: [MissingPart] = []
  /// Whether there are no pages because no program that is installed reads the kind of the file.
  private(set) var isOfUnreadKind = false
  /// What is not installed and would make pages; `nil` if there are pages, or nothing makes them.
  private(set) var need: PageNeed?
  /// The path of a PDF or plain text, if there are no pages.
  var wholePath: String?
  /// The book's own metadata.
  private var metadata: BookMetadata?
  private var pdf: PDFFacts?

  enum Kind: String {
    case epub = "application/epub+zip"
    case comicZip = "application/vnd.comicbook+zip"
    case comicRar = "application/vnd.comicbook-rar"
    case comic7z = "application/x-cb7"
    case comicTar = "application/x-cbt"
    case fictionBook = "application/fb2"
    case fictionBookZip = "application/fb2+zip"
    case fictionBookGzip = "application/fb2+gzip"
    case packedZip = "application/zip"
    case packedRar = "application/vnd.rar"
    case packed7z = "application/x-7z-compressed"
    case packedTar = "application/x-tar"
  }

  /// Converts the first book or comic among an item's files to pages. An unreadable one becomes a
  /// note; the file itself is kept in any case.
  ///
  /// Of the first PDF, reads the metadata.
  static func make(
    of item: SourceItem, assets: ItemAssets, pool: ObjectPool, options: RunOptions
  ) throws(StorageError) -> BookPages {
    let conversion = Conversion(
      pool: pool, limits: EPUBLimits(options.limits),
      words: BookWords.of(options.words.language))
    var pages = try converted(item, assets, conversion)
    let pdf = assets.file(of: "application/pdf", in: item.attachments)
    if pages.firstPath == nil, pages.notes.isEmpty, pdf == nil, let programs = options.djvuPrograms
    {
      try pages.read(with: programs, item, assets, conversion)
    }
    if pages.firstPath == nil, pages.notes.isEmpty, pdf == nil, let program = options.bookProgram {
      try pages.read(with: program, item, assets, conversion)
    }
    if pages.firstPath == nil {
      if pages.notes.isEmpty, pdf == nil {
        pages.need =
          assets.localFiles(in: item.attachments).lazy
          .compactMap { PageNeed(mediaType: $0.file.mediaType) }.first
      }
      pages.wholePath = (pdf ?? assets.file(of: "text/plain", in: item.attachments))?.path
      pages.noteKinds(of: item, assets)
    }
    try pages.examineEnds(item, assets, pool)
    guard let file = pdf else { return pages }
    let path = pool.path(of: file.object)
    switch options.readPDF?(path) {
    case .success(let facts)?: pages.pdf = facts
    case .failure(let error)? where error.code == .encrypted:
      pages.notes.append("The PDF is protected by a password.")
    case .failure(let error)? where error.code == .unreadable:
      pages.notes.append("The number of pages could not be read: the PDF is damaged or unusual.")
    case .failure?, nil: break
    }
    return pages
  }

  /// Reports files as missing whose end was not received, of formats that are not opened.
  private mutating func examineEnds(
    _ item: SourceItem, _ assets: ItemAssets, _ pool: ObjectPool
  ) throws(StorageError) {
    let isBook = SeriesPlace.kinds.contains(item.metadata.kind)
    for (attachment, file) in assets.localFiles(in: item.attachments) {
      // Only its name says that a text is a book; in an item of another kind it may be anything.
      let type = isBook ? BookPages.textKind(attachment, file.mediaType)?.rawValue : nil
      guard
        let defect = try FileEnd.defect(
          of: file.object, mediaType: type ?? file.mediaType, in: pool)
      else { continue }
      var part = MissingPart(
        isBook ? .mainFile : .file, name: isBook ? "" : attachment.name ?? "",
        reason: "the file is truncated: \(defect)")
      part.isKept = true
      missing.append(part)
    }
  }

  /// Adds a note about a book whose formats no browser shows.
  private mutating func noteKinds(of item: SourceItem, _ assets: ItemAssets) {
    guard wholePath == nil, notes.isEmpty, SeriesPlace.kinds.contains(item.metadata.kind) else {
      return
    }
    let kinds = assets.localFiles(in: item.attachments).compactMap {
      $0.file.path.split(separator: ".").last?.uppercased()
    }
    guard !kinds.isEmpty else { return }
    isOfUnreadKind = true
    notes.append(
      "Browsers do not show books of this kind (\(kinds.joined(separator: ", "))); open the file "
        + "in a reading program.")
  }

  /// How books are converted.
  struct Conversion {
    let pool: ObjectPool
    let limits: EPUBLimits
    /// The pages' own text.
    let words: BookWords
  }

  private static func converted(
    _ item: SourceItem, _ assets: ItemAssets, _ conversion: Conversion
  ) throws(StorageError) -> BookPages {
    for (attachment, file) in assets.localFiles(in: item.attachments) {
      let declared = Kind(rawValue: file.mediaType)
      guard let kind = declared ?? textKind(attachment, file.mediaType) else { continue }
      let path = conversion.pool.path(of: file.object)
      let isBook = SeriesPlace.kinds.contains(item.metadata.kind)
      if kind.isPacked, !isBook { continue }
      if let pages = try unpacked(kind, path, title: item.metadata.title, conversion) {
        return pages
      }
      if kind.isPacked { continue }
      var pages = try make(kind, path, title: item.metadata.title, conversion)
      // Only its name says that the text is a book; in an item of another kind it may be anything.
      if declared == nil, !isBook, !pages.missing.isEmpty { pages = BookPages() }
      return pages
    }
    return BookPages()
  }

  /// Converts the first file that another program turns into an EPUB. The file is kept in any case.
  private mutating func read(
    with program: BookProgram, _ item: SourceItem, _ assets: ItemAssets,
    _ conversion: Conversion
  ) throws(StorageError) {
    for (_, file) in assets.localFiles(in: item.attachments)
    where BookProgram.reads(file.mediaType) {
      let folder = conversion.pool.makeWorkFolder()
      defer { folder.discard() }
      let original = conversion.pool.path(of: file.object)
      let book: String
      do throws(BookProgram.Failure) {
        book = try program.convert(original, mediaType: file.mediaType, in: folder.path)
      } catch {
        notes.append("ebook-convert could not read the book: \(error.reason). The file is kept.")
        return
      }
      var made = try BookPages.make(.epub, book, title: item.metadata.title, conversion)
      // The original file is complete, whatever is wrong with the conversion.
      made.missing = []
      made.notes.append(
        "ebook-convert made the pages; the file contains what it leaves out.")
      self = made
      return
    }
  }

  /// Makes pages of the first DjVu document. The file is kept in any case.
  private mutating func read(
    with programs: DjVuPrograms, _ item: SourceItem, _ assets: ItemAssets,
    _ conversion: Conversion
  ) throws(StorageError) {
    guard let file = assets.file(of: DjVuPrograms.mediaType, in: item.attachments) else { return }
    let pool = conversion.pool
    let folder = pool.makeWorkFolder()
    defer { folder.discard() }
    let sink = PoolBookSink(pool: pool)
    do {
      let document = try programs.read(
        pool.path(of: file.object), in: folder.path, conversion.limits)
      let book = try ScannedBook(
        title: item.metadata.title, pages: document.pages, pictures: document.pictures,
        limits: conversion.limits, words: conversion.words
      ).write(to: sink)
      self = BookPages(
        files: sink.files.sorted { $0.path < $1.path },
        firstPath: book.pages.first.map(BookPages.inBundle),
        contentsPath: book.contentsPath.map { "\(BookPages.folder)/\($0)" },
        notes: document.notes)
    } catch let error as StorageError {
      throw error
    } catch let error as EPUBError {
      if let storage = error.underlying as? StorageError { throw storage }
      notes.append("The DjVu document could not be converted: \(error.message).")
    } catch let error as BookProgram.Failure {
      notes.append(
        "The DjVu document could not be converted: \(error.reason). The file is kept.")
    } catch {
      notes.append("The DjVu document could not be converted: \(error).")
    }
  }

  /// Whether it is a FictionBook that is stored as text because a browser might find something
  /// active in it.
  private static func textKind(_ attachment: Attachment, _ kept: String) -> Kind? {
    guard kept == "text/plain" else { return nil }
    let isNamed = attachment.name?.lowercased().hasSuffix(".fb2") ?? false
    let declared = attachment.mediaType.map(FileSignature.common)
    return isNamed || declared == FictionBook.mediaType ? .fictionBook : nil
  }

  static func make(
    _ kind: Kind, _ path: String, title: String, _ conversion: Conversion
  ) throws(StorageError) -> BookPages {
    let sink = PoolBookSink(pool: conversion.pool)
    let (limits, words) = (conversion.limits, conversion.words)
    let book: ConvertedBook
    do throws(EPUBError) {
      switch kind {
      case .epub:
        let converter = EPUBConverter(limits: limits, words: words, sha1: Digest.sha1)
        book = try converter.convert(path: path, to: sink)
      case .comicZip, .comicRar, .comic7z, .comicTar:
        book = try ComicConverter(limits: limits, words: words).convert(
          path: path, title: title, to: sink)
      case .fictionBook, .fictionBookZip, .fictionBookGzip:
        book = try FictionBookConverter(limits: limits, words: words).convert(path: path, to: sink)
      case .packedZip, .packedRar, .packed7z, .packedTar:
        throw EPUBError(.malformed, "the archive contains no book")
      }
    } catch {
      if let storage = error.underlying as? StorageError { throw storage }
      return unread(error)
    }
    if let protection = book.protection {
      return BookPages(
        notes: [
          "The book is protected by \(protection); the file is kept, but its text is not shown."
        ],
        metadata: book.metadata)
    }
    return BookPages(
      files: sink.files.sorted { $0.path < $1.path }, firstPath: book.pages.first.map(inBundle),
      contentsPath: book.contentsPath.map { "\(folder)/\($0)" },
      coverPath: book.coverPath.map { "\(folder)/\($0)" }, notes: book.notes,
      missing: book.damage.map { [damaged("the server's response is truncated or damaged: \($0)")] }
        ?? [], metadata: book.metadata)
  }

  /// Returns the pages of a book that cannot be converted: none, with the reason.
  static func unread(_ error: EPUBError) -> BookPages {
    var pages = BookPages(notes: ["The book could not be converted: \(error.message)."])
    // A file that exceeds a limit, is encrypted or is compressed in an unsupported way is complete; any other
    // may have been damaged in transfer.
    if ![.tooLarge, .locked, .noLibrary, .unsupported].contains(error.code) {
      pages.missing = [damaged("the server's response cannot be opened: \(error.message)")]
    }
    if error.code == .noLibrary { pages.need = .comicLibrary }
    return pages
  }

  private static func damaged(_ reason: String) -> MissingPart {
    var part = MissingPart(.mainFile, name: "", reason: reason)
    part.isKept = true
    return part
  }

  /// Adds metadata of the book that its source lacks.
  func complete(_ metadata: inout ItemMetadata) {
    if let own = self.metadata { complete(&metadata, with: own) }
    guard let pdf else { return }
    if let count = pdf.pageCount {
      metadata.properties.append(ItemProperty("Pages", String(count)))
    }
    guard let title = pdf.title else { return }
    if metadata.title.isEmpty {
      metadata.title = title
    } else if title != metadata.title {
      metadata.properties.append(ItemProperty("Title in the file", title))
    }
  }

  /// Adds what the book says of itself, for an item of which its source says nothing.
  func describe(_ metadata: inout ItemMetadata) {
    guard let text = self.metadata?.description, metadata.summary?.isEmpty ?? true else { return }
    let words = (try? HTMLSanitizer().plainText(of: Array(text.utf8))) ?? text
    if !words.allSatisfy(\.isWhitespace) { metadata.summary = words }
  }

  private func complete(_ metadata: inout ItemMetadata, with own: BookMetadata) {
    if metadata.title.isEmpty { metadata.title = own.title }
    if metadata.authors.isEmpty { metadata.authors = own.authors }
    if metadata.language == nil { metadata.language = own.language.flatMap(LanguageTag.tag) }
    func add(_ name: String, _ value: String?) {
      guard let value, !metadata.properties.contains(where: { $0.name == name }) else { return }
      metadata.properties.append(ItemProperty(name, value))
    }
    for person in own.contributors {
      metadata.properties.append(ItemProperty(person.role, person.name))
    }
    if metadata.published == nil, metadata.kind != .periodical, let text = own.date {
      metadata.published = BookPages.day(text)
      if metadata.published == nil { add("Published", text) }
    }
    if metadata.labels.isEmpty {
      if metadata.kind == .comic { metadata.labels = own.subjects }
      // Labels are what a reader sorts books by; the words of a publisher are not.
      if metadata.kind == .book, !own.subjects.isEmpty {
        add("Subjects", own.subjects.joined(separator: ", "))
      }
    }
    if metadata.kind == .book || metadata.kind == .comic {
      // The catalog's own series takes precedence, in either form.
      let isShown = metadata.properties.contains { ["Series", "Magazine"].contains($0.name) }
      if metadata.series == nil, !isShown, let series = own.series, !series.name.isEmpty {
        metadata.series = ItemSeries(series.name, position: series.position)
      }
      add("Series", own.series.map { $0.name + ($0.position.map { " [\($0)]" } ?? "") })
    }
    add("Publisher", own.publisher)
    add("Rights", own.rights)
  }

  /// Returns the first instant of `2019`, `2019-05` or `2019-05-17`, which a time may follow; `nil` for other text.
  private static func day(_ text: String) -> Date? {
    let day = text.prefix(10)
    guard [4, 7, 10].contains(day.utf8.count) else { return nil }
    return UTCTime.date(day + "-01-01".dropFirst(day.utf8.count - 4))
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
