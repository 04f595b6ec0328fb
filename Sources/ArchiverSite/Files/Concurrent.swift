import ArchiverCore
import Dispatch
import Synchronization

/// Blocking parallel work on all processors.
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
