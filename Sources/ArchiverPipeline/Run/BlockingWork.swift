import Dispatch

/// Work that waits for a disk, done beside Swift's few threads so that none of them waits too.
enum BlockingWork {
  private static let queue = DispatchQueue(label: "archiver.blocking", attributes: .concurrent)

  /// Returns what `body` returns, from a thread that may block.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
