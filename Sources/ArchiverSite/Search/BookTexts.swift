package import ArchiverCore
import ArchiverStorage

/// The text of books and PDFs in bundles, for search: the pages converted from an EPUB; otherwise a
/// PDF, or a plain text file.
package struct BookTexts: Sendable {
  /// Returns the texts of a PDF's pages, given its path and a sufficient number of bytes.
  package typealias ReadPDF = @Sendable (_ path: String, _ limit: Int) -> [String]

  /// A chapter or page.
  struct Part: Hashable, Sendable {
    /// The URL relative to the bundle: `book/text/0003.html`, `assets/a.pdf#page=7`.
    let path: String
    let text: String
  }

  private let limit: Int
  private let readPDF: ReadPDF?

  /// - Parameters:
  ///   - limits: Its `searchedText` limits the text of one item.
  ///   - readPDF: `nil` if no PDF reader is installed.
  package init(limits: Limits = Limits(), readPDF: ReadPDF? = nil) {
    limit = limits[.searchedText]
    self.readPDF = readPDF
  }

  /// A value that changes whenever the same bundles would give other texts.
  var mark: UInt64 { WordHash.add(UInt64(limit), to: readPDF == nil ? 3 : 4) }

  /// What an item's bundle has beside its page.
  struct Files {
    /// Whether it has pages converted from a book.
    let hasBook: Bool
    /// The names of its images and files, sorted.
    let assets: [String]

    /// Reads the bundle of `row` in the archive at `root`.
    init(of row: LibraryRow, root: String) {
      // Most bundles have neither folder: one listing instead of a failing one for each.
      let folders = ArchiveFile(row.folder, in: root).names
      hasBook = folders.contains("book")
      assets =
        folders.contains("assets") ? ArchiveFile("\(row.folder)/assets", in: root).names : []
    }

    /// Whether one of the files is not an image.
    var hasFile: Bool {
      assets.contains { !BookTexts.pictures.contains(String($0.split(separator: ".").last ?? "")) }
    }
  }

  /// Returns the parts of an item's book text, at most `limit` bytes in total, from the bundle of
  /// `row` in the archive at `root`.
  func parts(of row: LibraryRow, _ files: Files, root: String) -> [Part] {
    guard limit > 0, row.kind != .comic else { return [] }
    let pages = "\(row.folder)/book/text"
    let chapters = files.hasBook ? BookTexts.pages(row.folder, root: root) : []
    if !chapters.isEmpty {
      return bounded(
        chapters.lazy.map { name in
          Part(
            path: "book/text/\(SiteText.path(name))",
            text: SearchText.plain(
              ArchiveFile("\(pages)/\(name)", in: root).bytes.flatMap(BookTexts.content(of:))))
        })
    }
    if let name = files.assets.first(where: { $0.hasSuffix(".pdf") }), let readPDF {
      let texts = readPDF("\(root)/\(row.folder)/assets/\(name)", limit)
      return bounded(
        texts.enumerated().lazy.map { number, text in
          Part(path: "assets/\(SiteText.path(name))#page=\(number + 1)", text: text)
        })
    }
    guard let name = files.assets.first(where: { $0.hasSuffix(".txt") }),
      let bytes = ArchiveFile("\(row.folder)/assets/\(name)", in: root).bytes
    else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    return bounded([Part(path: "assets/\(SiteText.path(name))", text: text)].lazy)
  }

  private static let pictures: Set<String> = [
    "apng", "avif", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "jxl", "png", "svg", "tif", "tiff",
    "webp",
  ]

  /// Removes parts without text, and the parts beyond the limit.
  private func bounded(_ parts: some Sequence<Part>) -> [Part] {
    var taken: [Part] = []
    var rest = limit
    for part in parts {
      guard rest > 0 else { break }
      if part.text.utf8.allSatisfy({ $0 <= 0x20 }) { continue }
      let utf8 = part.text.utf8
      let text =
        utf8.count > rest
        ? String(decoding: utf8.wholeCharacters(rest), as: UTF8.self) : part.text
      taken.append(Part(path: part.path, text: text))
      rest -= utf8.count
    }
    return taken
  }

  /// Returns the names of the pages of a book in reading order, without the table of contents; none if the bundle
  /// of an item has no pages.
  package static func pages(_ bundle: String, root: String) -> [String] {
    ArchiveFile("\(bundle)/book/text", in: root).names
      .filter { $0 != contents && $0.hasSuffix(".html") }.sorted()
  }

  /// The folder of the pages of books in bundles, with a slash at the end.
  package static let folder = "book/text/"
  /// The page in this folder that is the table of contents.
  package static let contents = "contents.html"

  /// Returns the sanitised HTML between the navigation bars of a page of `folder`; `nil` if the page is not one.
  package static func content(of page: [UInt8]) -> [UInt8]? {
    let main = "<main id=\"content\">"
    guard let tag = page.firstIndex(of: main) else { return nil }
    let rest = page[(tag + main.utf8.count)...]
    guard let end = rest.indices.last(where: { rest[$0...].starts(with: "</main>".utf8) }) else {
      return nil
    }
    return Array(rest[..<end])
  }
}
