import ArchiverCore
import ArchiverPDF
import ArchiverPipeline
import ArchiverSite

extension RunOptions {
  /// Creates options with the settings that apply to every command that makes bundles.
  init(_ settings: RunSettings) {
    self.init(
      jobs: settings.jobs, keepVersions: settings.keepVersions, limits: settings.limits)
    words = settings.words
  }

  /// Sets the options that depend on program and machine: the generator and the readers of books.
  ///
  /// - Parameters:
  ///   - version: The program's version.
  ///   - searchPath: Directories, separated by colons.
  mutating func equip(version: String, searchPath: String) {
    generator = "archiver \(version)"
    readPDF = { path in
      Result { () throws(PDFError) in try PDFInspection.facts(path: path) }
    }
    bookProgram = BookProgram(searchPath: searchPath)
    djvuPrograms = DjVuPrograms(searchPath: searchPath)
    books = BookTexts(limits, searchPath: searchPath)
  }
}
