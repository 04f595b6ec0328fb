import ArchiverCore

/// The metadata of a PDF.
package struct PDFFacts: Sendable, Hashable, Codable {
  /// 1 to 1,000,000; `nil` if the file declares no such number.
  package var pageCount: Int?
  /// From the document information dictionary, without control characters, at most 500 characters.
  package var title: String?

  package init(pageCount: Int? = nil, title: String? = nil) {
    self.pageCount = pageCount
    self.title = title
  }
}

/// Why a PDF's metadata could not be read.
package struct PDFError: Error, Hashable, Codable {
  package enum Code: String, Sendable, Codable {
    /// libqpdf is not installed.
    case noLibrary
    /// The file cannot be read without a password.
    case encrypted
    /// It is not a PDF, is damaged beyond repair, or exceeded a limit on memory or time.
    case unreadable
  }

  package let code: Code

  package init(_ code: Code) {
    self.code = code
  }
}
