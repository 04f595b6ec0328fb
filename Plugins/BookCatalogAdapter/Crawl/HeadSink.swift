import ArchiverCore
import Synchronization

/// Takes the head of an answer and refuses its body, so that a file can be asked for without being
/// fetched.
final class HeadSink: BodySink {
  struct Enough: Error {}

  private let kept = Mutex<HTTPResponseHead?>(nil)

  /// The head of the last attempt; `nil` before there was one.
  var head: HTTPResponseHead? { kept.withLock { $0 } }

  func begin(_ head: HTTPResponseHead) throws {
    kept.withLock { $0 = head }
    throw Enough()
  }

  func receive(_: UnsafeRawBufferPointer) throws { throw Enough() }
}
