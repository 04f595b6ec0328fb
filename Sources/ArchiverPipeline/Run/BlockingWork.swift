import ArchiverCore
import Dispatch

/// Work that waits for a disk, done beside Swift's few threads so that none of them waits too.
enum BlockingWork {
  /// Returns what `body` returns, from a thread that may block.
  ///
  /// A serial queue gets a thread of its own; a concurrent one would take one of those that the
  /// processors have, which are Swift's as well. With `trimsHeap` memory that was freed up to then goes
  /// back to the system afterwards.
  static func run<Value: Sendable>(
    trimsHeap: Bool, _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "archiver.blocking").async {
        continuation.resume(returning: body())
        if trimsHeap { Heap.trim() }
      }
    }
  }
}
