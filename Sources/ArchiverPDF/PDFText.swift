import ArchiverCore

/// poppler's `pdftotext`, which extracts the text of PDFs page by page.
///
/// It runs in a child process with limits on memory and time, without write access and without our
/// environment: the program starts itself with `argument`, sets the limits and executes
/// `pdftotext`.
package struct PDFText: Sendable {
  package static let argument = "read-pdf-text"
  private static let name = "pdftotext"
  private static let mostMemory: rlim_t = 1 << 30
  /// Limits on processor time and elapsed time.
  private static let mostSeconds: rlim_t = 30
  private static let longest: Duration = .seconds(60)

  package let path: String
  private let starter: String

  /// Finds the program.
  ///
  /// - Parameter searchPath: Folders separated by colons.
  /// - Returns: `nil` if it is not installed.
  package init?(searchPath: String) {
    let folders = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }
    let paths = folders.map { "\($0)/\(PDFText.name)" }
    guard let found = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.init(path: found, starter: PDFInspection.program)
  }

  /// - Parameters:
  ///   - path: The path of `pdftotext`.
  ///   - starter: The executable to start, which then executes `pdftotext`: this program.
  init(path: String, starter: String) {
    self.path = path
    self.starter = starter
  }

  /// Executes `pdftotext` if this process was started for it. Returns an exit code if that fails,
  /// and `nil` in other processes.
  static func become(_ arguments: [String]) -> Int32? {
    guard arguments.count == 4, arguments[1] == argument else { return nil }
    PDFInspection.limit(Int32(RLIMIT_AS.rawValue), to: mostMemory)
    PDFInspection.limit(Int32(RLIMIT_CPU.rawValue), to: mostSeconds)
    PDFInspection.limit(Int32(RLIMIT_CORE.rawValue), to: 0)
    PDFInspection.limit(Int32(RLIMIT_FSIZE.rawValue), to: 0)
    let words = [name, "-q", "-enc", "UTF-8", arguments[3], "-"]
    var list: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("LANG=C.UTF-8"), nil]
    execve(arguments[2], &list, &variables)
    return 127
  }

  /// Returns the text of each page of a PDF up to a limit; empty if the file cannot be read. Blocks
  /// until the child has ended or reached a limit.
  ///
  /// - Parameters:
  ///   - file: The path of the PDF.
  ///   - limit: The number of bytes after which reading stops.
  package func pages(of file: String, limit: Int) -> [String] {
    // A program that cannot be started gives no text.
    guard let file = PDFText.absolute(file), limit > 0,
      let bytes = try? PDFInspection.output(
        of: starter, [PDFText.argument, path, file], most: limit, within: PDFText.longest)
    else { return [] }
    // A form feed ends each page.
    return bytes.split(separator: 0x0C, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func absolute(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
