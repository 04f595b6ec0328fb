package import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Gives the text of the books and PDFs in bundles for search: of the pages that an EPUB was turned
/// into, else of a PDF, else of a file of plain text.
package struct BookTexts: Sendable {
  /// Returns the texts of a PDF's pages, given its path and how many bytes are enough.
  package typealias ReadPDF = @Sendable (_ path: String, _ limit: Int) -> [String]

  /// A chapter or page.
  struct Part: Hashable, Sendable {
    /// Relative to the bundle, as an address: `book/text/0003.html`, `assets/a.pdf#page=7`.
    let path: String
    let text: String
  }

  private let limit: Int
  private let readPDF: ReadPDF?

  /// - Parameters:
  ///   - limits: Their `searchedText` bounds the text of one item.
  ///   - readPDF: `nil` if no reader of PDFs is installed.
  package init(limits: Limits = Limits(), readPDF: ReadPDF? = nil) {
    limit = limits[.searchedText]
    self.readPDF = readPDF
  }

  /// Differs where other texts would be taken of the same bundles.
  var mark: UInt64 { WordHash.add(UInt64(limit), to: readPDF == nil ? 1 : 2) }

  /// Returns the parts of what an item's bundle has, at most `limit` bytes in all.
  ///
  /// - Parameters:
  ///   - row: The item.
  ///   - root: The archive's folder.
  func parts(of row: LibraryRow, root: String) -> [Part] {
    guard limit > 0, row.kind != .comic else { return [] }
    let pages = "\(row.folder)/book/text"
    let chapters = ArchiveFile(pages, in: root).names
      .filter { $0 != "contents.html" && $0.hasSuffix(".html") }.sorted()
    if !chapters.isEmpty {
      return bounded(
        chapters.lazy.map { name in
          Part(
            path: "book/text/\(SiteText.path(name))",
            text: BookTexts.chapter(ArchiveFile("\(pages)/\(name)", in: root).bytes ?? []))
        })
    }
    let names = ArchiveFile("\(row.folder)/assets", in: root).names.sorted()
    if let name = names.first(where: { $0.hasSuffix(".pdf") }), let readPDF {
      let texts = readPDF("\(root)/\(row.folder)/assets/\(name)", limit)
      return bounded(
        texts.enumerated().lazy.map { number, text in
          Part(path: "assets/\(SiteText.path(name))#page=\(number + 1)", text: text)
        })
    }
    guard let name = names.first(where: { $0.hasSuffix(".txt") }),
      let bytes = ArchiveFile("\(row.folder)/assets/\(name)", in: root).bytes
    else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    return bounded([Part(path: "assets/\(SiteText.path(name))", text: text)].lazy)
  }

  private static let pictures: Set<String> = [
    "apng", "avif", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "jxl", "png", "svg", "tif", "tiff",
    "webp",
  ]

  /// Whether an item's bundle has a file other than an image.
  static func hasFile(_ row: LibraryRow, root: String) -> Bool {
    ArchiveFile("\(row.folder)/assets", in: root).names.contains { name in
      !pictures.contains(String(name.split(separator: ".").last ?? ""))
    }
  }

  /// Leaves out parts without text, and all from where there is enough.
  private func bounded(_ parts: some Sequence<Part>) -> [Part] {
    var taken: [Part] = []
    var rest = limit
    for part in parts {
      guard rest > 0 else { break }
      if part.text.utf8.allSatisfy({ $0 <= 0x20 }) { continue }
      guard part.text.utf8.count > rest else {
        rest -= part.text.utf8.count
        taken.append(part)
        continue
      }
      var bytes = Array(part.text.utf8.prefix(rest))
      while let last = bytes.last, last >= 0x80, String(validating: bytes, as: UTF8.self) == nil {
        bytes.removeLast()
      }
      taken.append(Part(path: part.path, text: String(decoding: bytes, as: UTF8.self)))
      rest = 0
    }
    return taken
  }

  /// Returns the text between the bars of a book's page.
  private static func chapter(_ page: [UInt8]) -> String {
    guard let start = page.firstRange(of: Array("<main id=\"content\">".utf8)),
      let end = page.lastIndex(of: Array("</main>".utf8)), end >= start.upperBound
    else { return "" }
    let sanitizer = HTMLSanitizer(SanitizerOptions(limits: .widest))
    // A page that was let through once; should it be refused now, it is not searchable.
    return (try? sanitizer.plainText(of: Array(page[start.upperBound..<end]))) ?? ""
  }
}

extension [UInt8] {
  /// Returns where the last of some bytes begin.
  fileprivate func lastIndex(of wanted: [UInt8]) -> Int? {
    guard count >= wanted.count else { return nil }
    return (0...(count - wanted.count)).last {
      self[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}
