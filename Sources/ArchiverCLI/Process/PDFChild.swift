import ArchiverPDF

extension CommandLineTool {
  /// Does what the program asks of itself in a process of its own; returns the exit code, `nil`
  /// when it was started by someone else.
  package static func answerAsChild(_ arguments: [String]) -> Int32? {
    PDFInspection.answer(arguments)
  }
}
