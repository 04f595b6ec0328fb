import ArchiverCore
import Synchronization

/// Accepts the head of a response and refuses its body, so that a file can be requested without
/// being received.
final class HeadSink: BodySink {
  struct Enough: Error {}

  private let kept = Mutex<HTTPResponseHead?>(nil)

  /// The response head of the last attempt; `nil` before the first one.
  var head: HTTPResponseHead? { kept.withLock { $0 } }

  func begin(_ head: HTTPResponseHead) throws {
    kept.withLock { $0 = head }
    throw Enough()
  }

  func receive(_: UnsafeRawBufferPointer) throws { throw Enough() }
}
