/// A step that changes what is on disk.
package enum FileOperation: String, Sendable, CaseIterable {
  case makeFolder, create, write, link, rename, exchange, remove
  /// Makes what was written before survive a power cut.
  case synchronise
  /// A transaction of the catalog; the path names it.
  case commit
}

/// Lets a test fail or observe each step before it is taken.
package protocol FaultInjector: Sendable {
  /// Returns the `errno` to fail with, or `nil` to let the step happen. Called from any thread.
  func fault(before operation: FileOperation, path: String) -> Int32?
}
