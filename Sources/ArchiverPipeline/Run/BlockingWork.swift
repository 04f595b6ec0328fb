import ArchiverCore
import Dispatch

/// Runs blocking work on a thread outside Swift's cooperative pool.
enum BlockingWork {
  /// Returns the result of `body`, run on a thread that may block.
  ///
  /// A serial queue gets a thread of its own; a concurrent one would take one of the pool's
  /// threads. With `trimsHeap`, memory freed so far is returned to the system afterwards.
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
