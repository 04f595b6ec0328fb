import ArchiverPDF

extension CommandLineTool {
  /// Does the work of a child process that the program started as itself. Returns the exit code, or
  /// `nil` if this is not such a child.
  package static func answerAsChild(_ arguments: [String]) -> Int32? {
    PDFInspection.answer(arguments)
  }
}
