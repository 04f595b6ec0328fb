import ArchiverCore

@testable import ArchiverCLI

extension Source {
  /// The adapter itself, without its redacting wrapper.
  var example: ExampleAdapter? {
    (self as? DiscreetSource<ExampleAdapter>)?.base ?? self as? ExampleAdapter
  }
}
