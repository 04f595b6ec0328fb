import ArchiverCore
import CQPDF

/// Reads the metadata of a PDF, but none of its pages.
///
/// A crafted file can make the library allocate all memory. Untrusted files are read by
/// `PDFInspection`, in a child process with limits.
package struct PDFReader {
  private static let mostPages = 1_000_000
  private static let titleLength = 500
  /// `qpdf_e_errors` in the result of `qpdf_read`; its other bits are warnings.
  private static let errors: Int32 = 2
  /// `qpdf_e_password`.
  private static let passwordError: Int32 = 4

  private let library: PDFLibrary

  package init() throws(PDFError) {
    library = try PDFLibrary()
  }

  /// "libqpdf/11.3.0".
  package var version: String { "libqpdf/" + (library.version().map { String(cString: $0) } ?? "") }

  package func facts(path: String) throws(PDFError) -> PDFFacts {
    var document = library.makeDocument()
    guard let open = document else { throw PDFError(.unreadable) }
    defer {
      // libqpdf prints an error that was not fetched when it is released.
      if library.hasError(open) != 0 { _ = library.error(open) }
      library.cleanUp(&document)
    }
    library.silence(open)
    library.suppressWarnings(open, 1)
    let status = library.read(open, path, nil)
    guard status & PDFReader.errors == 0 else {
      let needsPassword =
        library.hasError(open) != 0
        && library.errorCode(open, library.error(open)) == PDFReader.passwordError
      throw PDFError(needsPassword ? .encrypted : .unreadable)
    }
    return PDFFacts(pageCount: pageCount(open), title: title(open))
  }

  /// Returns the count declared by the page tree, as viewers do, without walking the tree.
  private func pageCount(_ document: archiver_qpdf) -> Int? {
    let pages = library.key(document, library.root(document), "/Pages")
    let count = library.key(document, pages, "/Count")
    guard library.isInteger(document, count) != 0 else { return nil }
    let value = library.integer(document, count)
    return (1...Int64(PDFReader.mostPages)).contains(value) ? Int(value) : nil
  }

  /// libqpdf recognises UTF-16 and UTF-8 by their marks and decodes other text as PDFDocEncoding
  /// (ISO 32000-1, 7.9.2.2).
  private func title(_ document: archiver_qpdf) -> String? {
    let info = library.key(document, library.trailer(document), "/Info")
    let value = library.key(document, info, "/Title")
    guard library.isText(document, value) != 0, let text = library.text(document, value) else {
      return nil
    }
    let scalars = String(cString: text).unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.properties.generalCategory == .control ? " " : scalar
    }
    var plain = String.UnicodeScalarView()
    plain.append(contentsOf: scalars)
    var words = String(plain).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.count > PDFReader.titleLength { words = words.prefix(PDFReader.titleLength) + "…" }
    return words.isEmpty ? nil : words
  }
}
