/// Why markup could not be read.
package struct MarkupError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// The input has more bytes than `SanitizerLimits.inputBytes` or `XMLLimits.inputBytes`.
    case tooLarge
    /// Elements are nested deeper than the limit `depth`.
    case tooDeep
    /// There are more elements than the limit `nodes`.
    case tooManyNodes
    /// There are more images than the limit `images`.
    case tooManyImages
    /// Tags overlap so badly that looking at them would take too long.
    case tooTangled
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

  /// An error that names the limit that was passed.
  static func limit(_ code: Code, _ what: String, name: String, value: Int) -> MarkupError {
    MarkupError(code, "\(what) (limit \(name) = \(value))")
  }
}
