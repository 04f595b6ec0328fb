import ArchiverCore
import ArchiverPDF
import ArchiverSite
import ArchiverStorage

extension BookTexts {
  /// Reads the texts of books within the limits, and of PDFs if `pdftotext` is installed.
  ///
  /// - Parameters:
  ///   - limits: The configuration's limits.
  ///   - searchPath: The directories in which it is searched, separated by colons.
  init(_ limits: Limits, searchPath: String) {
    guard let program = PDFText(searchPath: searchPath) else {
      self.init(limits: limits)
      return
    }
    self.init(limits: limits, readPDF: { program.pages(of: $0, limit: $1) })
  }
}

extension LibraryBuilder {
  /// The library of an archive as the configuration wants it.
  ///
  /// - Parameters:
  ///   - settings: The configuration.
  ///   - archive: The archive.
  init(_ settings: RunSettings, _ archive: Archive) {
    self.init(
      root: archive.path, catalog: archive.catalog, words: settings.words,
      books: BookTexts(settings.limits, searchPath: settings.environment.searchPath))
  }
}
