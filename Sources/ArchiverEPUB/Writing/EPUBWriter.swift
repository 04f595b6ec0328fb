import ArchiverCore
import ArchiverMarkup

/// Writes a book as EPUB 3.3, with an NCX for reading systems of EPUB 2.
///
///     mimetype                 first and not packed, so that the file is known by its first bytes
///     META-INF/container.xml
///     EPUB/package.opf         metadata, manifest, spine
///     EPUB/nav.xhtml           table of contents, part of the spine where there are several chapters
///     EPUB/toc.ncx
///     EPUB/book.css
///     EPUB/text/chapter-N.xhtml
///     EPUB/images/NAME
///
/// The same book gives the same bytes.
package enum EPUBWriter {
  /// Writes the book to a file atomically.
  package static func write(_ book: EPUBPublication, to path: String) throws(EPUBError) {
    let archive = try ZipWriter(path: path, modified: book.modified)
    try archive.add("mimetype", Array("application/epub+zip".utf8), isStored: true)
    try archive.add("META-INF/container.xml", Array(container.utf8))
    let documents = BookDocuments(book: book)
    try archive.add("EPUB/package.opf", PackageWriter(book: book).document())
    try archive.add("EPUB/nav.xhtml", documents.navigation())
    try archive.add("EPUB/toc.ncx", documents.ncx())
    try archive.add("EPUB/book.css", Array(style.utf8))
    for (index, chapter) in book.chapters.enumerated() {
      try archive.add(
        "EPUB/text/\(EPUBPublication.chapterName(index))", documents.page(chapter))
    }
    for picture in book.pictures {
      if let drawing = drawing(picture) {
        try archive.add("EPUB/images/\(picture.name)", drawing)
      } else {
        try archive.add("EPUB/images/\(picture.name)", file: picture.file)
      }
    }
    try archive.close()
  }

  /// Returns an SVG image that has to be changed to be valid in a book; `nil` for others.
  private static func drawing(_ picture: EPUBPublication.Picture) -> [UInt8]? {
    guard picture.mediaType == "image/svg+xml" else { return nil }
    // A file that cannot be read fails when it is added.
    return FileManager.default.contents(atPath: picture.file).flatMap {
      BookDrawing.make(Array($0))
    }
  }

  private static let container = """
    <?xml version="1.0" encoding="utf-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
    </container>

    """

  private static let style = """
    body { line-height: 1.5; margin: 0 4%; }
    h1 { line-height: 1.2; margin: 1em 0 0.4em; }
    img { max-width: 100%; height: auto; }
    figure { margin: 1.2em 0; text-align: center; }
    figcaption, .facts, .absent { font-size: 0.85em; }
    blockquote { margin: 1em 0 1em 1em; padding-left: 0.8em; border-left: 2px solid; }
    pre { white-space: pre-wrap; overflow-wrap: break-word; }
    table { border-collapse: collapse; }
    td, th { border: 1px solid; padding: 0.2em 0.5em; text-align: start; }
    section.highlights { margin-top: 2em; border-top: 1px solid; }

    """
}

/// Text that is valid in XML.
enum XMLText {
  /// Returns the text without characters that XML forbids (XML 1.0, production 2).
  static func clean(_ text: String) -> String {
    let isClean = text.unicodeScalars.allSatisfy(isAllowed)
    return isClean ? text : String(String.UnicodeScalarView(text.unicodeScalars.filter(isAllowed)))
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Returns a valid language tag (BCP 47); `und` for an invalid one.
  static func language(_ tag: String?) -> String {
    let parts = (tag ?? "").split(separator: "-", omittingEmptySubsequences: false)
    let isTag = parts.allSatisfy { part in
      (1...8).contains(part.utf8.count)
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isTag, let first = parts.first, (2...3).contains(first.utf8.count),
      first.allSatisfy(\.isLetter)
    else { return "und" }
    return parts.joined(separator: "-")
  }
}
