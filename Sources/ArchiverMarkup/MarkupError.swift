import ArchiverCore

/// Why markup could not be read.
package struct MarkupError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The input has more bytes than `limits.htmlSize`, or than `XMLLimits.inputBytes`.
    case tooLarge
    /// Elements of XML are nested deeper than libxml2 reads.
    case tooDeep
    /// There are more elements than `limits.htmlElements`, or more attributes in a tag than are read.
    case tooManyNodes
    /// There are more images than `limits.images`.
    case tooManyImages
    /// The input is not what it should be, such as XML that is not well formed.
    case malformed
    /// The parser could not be started, which means that memory is short.
    case parser
  }

  package let code: Code
  /// One sentence that names what was wrong and the limit that was passed.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// An error that names the setting that was passed.
  static func limit(_ code: Code, _ what: String, _ limit: Limit, _ value: Int) -> MarkupError {
    MarkupError(code, "\(what) \(limit.note(value))")
  }
}
