/// Why the archive could not be read or written.
package struct StorageError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// Another run holds the lock.
    case locked
    /// There is no archive at the path.
    case notFound
    /// The path cannot be written.
    case notWritable
    /// The disk or the quota is full, or the reserve would be used.
    case full
    /// A file or the catalog is damaged.
    case damaged
    /// The archive was written by a newer version.
    case tooNew
    /// Any other failure of the file system or the catalog.
    case io
  }

  package let code: Code
  /// One sentence that names the path and what to do.
  package let message: String
  package let underlying: (any Error)?

  package init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.underlying = underlying
  }

  /// Returns a `StorageError` unchanged; wraps any other error as `.io` with its description.
  package init(other error: any Error) {
    self = error as? StorageError ?? StorageError(.io, "\(error)", underlying: error)
  }

  package var description: String { message }

  /// Whether it may concern a single bundle: a bad sector, something other than a file or directory
  /// in its place, an invalid list of checksums.
  package var isOfOneBundle: Bool { code == .damaged || code == .io }
}
