import Synchronization

/// A pool of buffers in which bodies are gathered before they are written: allocating the same
/// pages thousands of times costs more than copying them.
final class BodyBuffers: Sendable {
  /// The capacity of a buffer in bytes.
  static let capacity = 128 << 10
  /// The maximum number of idle buffers: about as many as bodies may arrive at once.
  private static let most = 32

  private let idle = Mutex<[[UInt8]]>([])

  /// The number of buffers kept for reuse.
  var idleCount: Int { idle.withLock { $0.count } }

  /// Returns an empty buffer.
  func take() -> [UInt8] {
    if let buffer = idle.withLock({ $0.popLast() }) { return buffer }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(BodyBuffers.capacity)
    return buffer
  }

  /// Returns a buffer to the pool.
  func give(_ buffer: consuming [UInt8]) {
    guard buffer.capacity > 0 else { return }
    buffer.removeAll(keepingCapacity: true)
    let empty = buffer
    idle.withLock { idle in
      if idle.count < BodyBuffers.most { idle.append(empty) }
    }
  }

  /// Frees the buffers kept for reuse, up to 4 MB after many concurrent bodies.
  func release() {
    idle.withLock { $0 = [] }
  }
}
