/// An operation that changes the state on disk.
package enum FileOperation: String, Sendable, CaseIterable {
  case makeFolder, create, write, link, rename, exchange, remove
  /// Makes earlier writes durable.
  case synchronise
  /// A transaction of the catalog; the path is its name.
  case commit
}

/// Lets a test fail or observe each operation before it is performed.
package protocol FaultInjector: Sendable {
  /// Returns the `errno` to fail with, or `nil` to perform the operation. Called from any thread.
  func fault(before operation: FileOperation, path: String) -> Int32?
}
