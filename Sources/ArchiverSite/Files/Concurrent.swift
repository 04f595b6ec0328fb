import ArchiverCore
import Dispatch
import Synchronization

/// The result of blocking work on another thread.
final class Deferred<Value: Sendable>: Sendable {
  private let group = DispatchGroup()
  private let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))

  /// Starts `body` immediately.
  init(_ body: @escaping @Sendable () throws -> Value) {
    DispatchQueue.global().async(group: group) {
      let made = Result { try body() }
      self.result.withLock { $0 = made }
    }
  }

  /// Waits for the result, and returns it or throws the error of the work.
  func value() throws -> Value {
    group.wait()
    return try result.withLock { $0 }.get()
  }
}

/// Blocking work in parallel on all cores.
enum Concurrent {
  /// The number of elements processed at a time.
  static let width = ProcessInfo.processInfo.activeProcessorCount

  /// Returns the results of `body` in order; throws the error of the first element that failed.
  static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ body: @Sendable (Element) throws -> Result
  ) throws -> [Result] {
    let results = Mutex<[Swift.Result<Result, any Error>?]>(
      Array(repeating: nil, count: elements.count))
    DispatchQueue.concurrentPerform(iterations: elements.count) { index in
      let result = Swift.Result { try body(elements[index]) }
      results.withLock { $0[index] = result }
    }
    let made = results.withLock { $0 }
    return try made.compactMap { try $0?.get() }
  }
}
