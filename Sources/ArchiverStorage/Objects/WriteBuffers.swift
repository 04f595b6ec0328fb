import Synchronization

/// Memory that bodies are gathered in before they are written, used again from one to the next:
/// taking and giving back the same pages thousands of times costs more than copying them.
final class WriteBuffers: Sendable {
  /// Bytes that one buffer holds.
  static let capacity = 128 << 10
  /// Most buffers kept for later, as many as bodies may well arrive at once.
  private static let most = 32

  private let idle = Mutex<[[UInt8]]>([])

  /// Returns an empty buffer with room for `capacity` bytes.
  func take() -> [UInt8] {
    if let buffer = idle.withLock({ $0.popLast() }) { return buffer }
    var buffer: [UInt8] = []
    buffer.reserveCapacity(WriteBuffers.capacity)
    return buffer
  }

  /// Takes a buffer back.
  func give(_ buffer: consuming [UInt8]) {
    var buffer = buffer
    buffer.removeAll(keepingCapacity: true)
    idle.withLock { [buffer] idle in
      if idle.count < WriteBuffers.most { idle.append(buffer) }
    }
  }
}
