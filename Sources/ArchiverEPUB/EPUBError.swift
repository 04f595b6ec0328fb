import ArchiverCore

/// Why a book could not be read.
package struct EPUBError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The file is not a ZIP archive, or is truncated.
    case notAnArchive
    /// The archive is no EPUB, or lacks what every EPUB has.
    case malformed
    /// One of `EPUBLimits` was passed.
    case tooLarge
    /// An entry that the book needs is damaged.
    case damaged
    /// A password is needed.
    case locked
    /// A library that reads such files is not installed.
    case noLibrary
    /// The sink could not take a file; `underlying` says why.
    case sink
  }

  package let code: Code
  /// One sentence that names what was wrong and the limit that was passed.
  package let message: String
  package let underlying: (any Error)?

  package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  package var description: String { message }

  /// An error that names the setting that was passed.
  static func limit(_ what: String, _ limit: Limit, _ value: Int) -> EPUBError {
    EPUBError(.tooLarge, "\(what) \(limit.note(value))")
  }

  static func sink(_ path: String, _ error: any Error) -> EPUBError {
    EPUBError(.sink, "The file \(path) of the book could not be stored", underlying: error)
  }
}
