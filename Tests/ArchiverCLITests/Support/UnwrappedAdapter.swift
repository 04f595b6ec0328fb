import ArchiverCore

@testable import ArchiverCLI

extension Source {
  /// The adapter itself, without its redacting wrapper.
  var example: ExampleAdapter? {
    (self as? RedactingSource<ExampleAdapter>)?.base ?? self as? ExampleAdapter
  }
}
