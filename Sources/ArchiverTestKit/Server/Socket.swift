import ArchiverCore

/// A connected stream socket; closed by `close()`, once.
struct Socket: Sendable {
  let descriptor: Int32

  struct Closed: Error {}

  /// Connects to a port of this machine; `nil` if no process listens there.
  static func connected(toLoopback port: UInt16) -> Socket? {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      Socket(descriptor: descriptor).close()
      return nil
    }
    return Socket(descriptor: descriptor)
  }

  /// Returns what is there to read, at least a byte; empty at the end of the stream.
  func read(atMost count: Int = 65536) throws(Closed) -> [UInt8] {
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat {
        got = recv(descriptor, buffer.baseAddress, count, 0)
      } while got < 0 && errno == EINTR
      filled = max(got, 0)
    }
    guard got >= 0 else { throw Closed() }
    return bytes
  }

  func write(_ bytes: some Sequence<UInt8>) throws(Closed) {
    let bytes = ContiguousArray(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Socket.flags)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Closed() }
      sent += count
    }
  }

  /// Waits for this long, or until the other side closes or `interrupt()` is called.
  func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }

  /// Ends every blocking call on the socket; it stays open.
  func interrupt() {
    _ = shutdown(descriptor, Socket.both)
  }

  func close() {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  /// Closes with a TCP reset in place of the usual farewell.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  #if canImport(Glibc)
    static let flags = Int32(MSG_NOSIGNAL)
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let both = Int32(SHUT_RDWR)
  #else
    static let flags: Int32 = 0
    static let stream = SOCK_STREAM
    static let both = SHUT_RDWR
  #endif
}

/// Runs a body on a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let work = Unmanaged.passRetained(Work(body))
  #if canImport(Glibc)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  let status = pthread_create(
    &thread, nil,
    { argument in
      #if canImport(Glibc)
        guard let argument else { return nil }
      #endif
      Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, work.toOpaque())
  guard status == 0 else {
    work.release()
    return
  }
  #if canImport(Glibc)
    pthread_detach(thread)
  #else
    if let thread { pthread_detach(thread) }
  #endif
}
