import ArchiverCore
import Synchronization

/// Accepts the head of a response and the beginning of its body, and refuses the rest, so that a file can
/// be requested without being received.
final class HeadSink: BodySink {
  struct Enough: Error {}

  private let kept = Mutex<(head: HTTPResponseHead?, bytes: [UInt8])>((nil, []))
  private let byteCount: Int

  /// - Parameter byteCount: The number of bytes of the body to accept.
  init(byteCount: Int = 0) {
    self.byteCount = byteCount
  }

  /// The response head of the last attempt; `nil` before the first one.
  var head: HTTPResponseHead? { kept.withLock { $0.head } }
  /// The beginning of the body.
  var bytes: [UInt8] { kept.withLock { $0.bytes } }

  func begin(_ head: HTTPResponseHead) throws {
    kept.withLock { $0 = (head, []) }
    if byteCount == 0 { throw Enough() }
  }

  func receive(_ piece: UnsafeRawBufferPointer) throws {
    let isEnough = kept.withLock { kept in
      kept.bytes += piece.prefix(byteCount - kept.bytes.count)
      return kept.bytes.count >= byteCount
    }
    if isEnough { throw Enough() }
  }
}
