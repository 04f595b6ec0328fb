import ArchiverCore

@testable import ArchiverCLI

extension Source {
  /// The adapter itself, without what hides its secrets.
  var example: ExampleAdapter? {
    (self as? DiscreetSource<ExampleAdapter>)?.base ?? self as? ExampleAdapter
  }
}
