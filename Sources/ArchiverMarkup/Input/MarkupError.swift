import ArchiverCore

/// Why markup could not be read.
package struct MarkupError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The input has more bytes than `limits.htmlSize`, or than `XMLLimits.inputBytes`.
    case tooLarge
    /// XML elements are nested deeper than libxml2's limit.
    case tooDeep
    /// There are more elements than `limits.htmlElements`, or too many attributes in a tag.
    case tooManyNodes
    /// There are more images than `limits.images`.
    case tooManyImages
    /// The input is invalid, such as XML that is not well-formed.
    case malformed
    /// The parser could not be initialised because of a lack of memory.
    case parser
  }

  package let code: Code
  /// One sentence that names the problem and an exceeded limit.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// Returns an error that names the setting of the exceeded limit.
  static func limit(_ code: Code, _ what: String, _ limit: Limit, _ value: Int) -> MarkupError {
    MarkupError(code, "\(what) \(limit.note(value))")
  }
}
