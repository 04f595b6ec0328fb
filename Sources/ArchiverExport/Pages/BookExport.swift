import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverSite
package import ArchiverStorage

/// Exports items as an EPUB with one chapter per item, with images and highlights.
package struct BookExport {
  package struct Outcome: Sendable, Hashable {
    package var chapters = 0
    package var pictures = 0
    /// The number of images left out because reading systems need not support their format; their
    /// alternative text remains.
    package var leftPictures = 0
    /// Items without text, such as books and videos.
    package var withoutText: [String] = []
  }

  private let root: String

  /// Exports from the archive at `root`.
  package init(root: String) {
    self.root = root
  }

  /// Writes the items in the given order as one EPUB. The default title is that of the first item.
  package func write(
    _ items: [CatalogItem], title: String?, to path: String
  ) throws -> Outcome {
    var outcome = Outcome()
    var pictures: [EPUBPublication.Picture] = []
    var chapters: [EPUBPublication.Chapter] = []
    let places = Dictionary(
      items.enumerated().map { ($0.element.folder, $0.offset) }, uniquingKeysWith: { one, _ in one }
    )
    for item in items {
      try Task.checkCancellation()
      let chapter = ChapterExport(
        files: try BundleFiles(root: root, item: item), places: places, pictures: pictures)
      chapters.append(try chapter.chapter())
      pictures = chapter.pictures
      outcome.leftPictures += chapter.leftPictures.count
      if !chapter.hasText { outcome.withoutText.append(item.metadata.title) }
    }
    outcome.chapters = chapters.count
    var book = publication(items, title: title, chapters: chapters)
    if items.count == 1, let item = items.first, let cover = item.thumbnail?.path {
      book.cover = ChapterExport.add(
        cover, of: try BundleFiles(root: root, item: item), to: &pictures)
    }
    book.pictures = pictures
    outcome.pictures = pictures.count
    do throws(EPUBError) {
      try EPUBWriter.write(book, to: path)
    } catch {
      guard error.code == .sink else { throw error }
      throw StorageError(.notWritable, error.message, underlying: error)
    }
    return outcome
  }

  private func publication(
    _ items: [CatalogItem], title: String?, chapters: [EPUBPublication.Chapter]
  ) -> EPUBPublication {
    let keys = items.map { "\($0.key.source)\u{0}\($0.key.id)" }.joined(separator: "\u{0}")
    let languages = Set(items.compactMap(\.metadata.language))
    var book = EPUBPublication(
      identifier: "urn:uuid:" + Digest.uuid(keys), title: title ?? chapters.first?.title ?? "",
      language: languages.count == 1 ? languages.first ?? "und" : "und",
      modified: items.map(\.lastArchived).max() ?? Date(timeIntervalSince1970: 0),
      chapters: chapters)
    if let direction = chapters.first?.direction,
      chapters.allSatisfy({ $0.direction == direction })
    {
      book.direction = direction
    }
    guard items.count == 1, let metadata = items.first?.metadata else {
      book.authors = BookExport.distinct(items.flatMap(\.metadata.authors))
      return book
    }
    book.authors = BookExport.distinct(metadata.authors)
    book.publisher = metadata.siteName ?? metadata.site
    book.published = metadata.published
    book.summary = metadata.summary
    book.subjects = BookExport.distinct(metadata.labels)
    book.source = metadata.url
    return book
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
