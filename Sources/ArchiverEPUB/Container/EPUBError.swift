import ArchiverCore

/// Why a book could not be read.
package struct EPUBError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The file is not a ZIP archive, or is truncated.
    case notAnArchive
    /// The archive is not an EPUB, or lacks a required part.
    case malformed
    /// A limit of `EPUBLimits` was exceeded.
    case tooLarge
    /// A required entry is damaged.
    case damaged
    /// A required entry is compressed in a way that no installed library reads.
    case unsupported
    /// The book is encrypted with a password.
    case locked
    /// The library for the format is not installed.
    case noLibrary
    /// The sink failed; `underlying` has the reason.
    case sink
  }

  package let code: Code
  /// One sentence that names the problem and an exceeded limit.
  package let message: String
  package let underlying: (any Error)?

  package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  package var description: String { message }

  /// Whether it concerns one entry of an archive, so that the others may be readable.
  var isOfOneEntry: Bool { code == .damaged || code == .unsupported }

  /// Returns an error that names the setting of the exceeded limit.
  static func limit(_ what: String, _ limit: Limit, _ value: Int) -> EPUBError {
    EPUBError(.tooLarge, "\(what) \(limit.note(value))")
  }

  static func sink(_ path: String, _ error: any Error) -> EPUBError {
    EPUBError(.sink, "the file \(path) of the book could not be stored", underlying: error)
  }
}
