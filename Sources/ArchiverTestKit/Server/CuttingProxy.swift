import ArchiverCore
import Synchronization

/// A proxy between a client and an HTTP server on loopback that aborts connections during
/// transfers.
///
/// Bytes are passed unchanged. A response to a request whose first line contains `mark` is
/// truncated after `limit` bytes, including the head, as many times as `cuts` says.
package final class CuttingProxy: Sendable {
  private struct State {
    var cutsLeft: Int
    var cutCount = 0
    var resumedCount = 0
    var isStopped = false
    var sockets: [Int32] = []
  }

  package let port: Int
  private let upstream: UInt16
  private let mark: String
  private let limit: Int
  private let listener: Socket
  private let state: Mutex<State>

  /// Listens on a free port.
  package init(to upstream: Int, cutting mark: String, after limit: Int, times cuts: Int) throws {
    self.upstream = UInt16(clamping: upstream)
    self.mark = mark
    self.limit = limit
    state = Mutex(State(cutsLeft: cuts))
    (listener, port) = try LoopbackServer.listen(host: "127.0.0.1", port: 0)
    startThread { [self] in accept() }
  }

  /// The number of truncated responses.
  package var cutCount: Int { state.withLock { $0.cutCount } }

  /// The number of requests for the rest of a file.
  package var resumedCount: Int { state.withLock { $0.resumedCount } }

  /// Closes all connections.
  package func stop() {
    let sockets = state.withLock { state in
      state.isStopped = true
      return state.sockets
    }
    listener.interrupt()
    for descriptor in sockets { Socket(descriptor: descriptor).interrupt() }
  }

  private func accept() {
    while true {
      let descriptor = Platform.accept(listener.descriptor)
      if state.withLock({ $0.isStopped }) || descriptor < 0 { break }
      guard let server = connectUpstream() else {
        Socket(descriptor: descriptor).close()
        continue
      }
      let pair = Pair(client: Socket(descriptor: descriptor), server: server)
      state.withLock { $0.sockets += [descriptor, server.descriptor] }
      startThread { [self] in forwardRequests(pair) }
      startThread { [self] in forwardAnswers(pair) }
    }
    listener.close()
  }

  /// One connection; `sent` counts bytes of a response that is to be truncated.
  private final class Pair: Sendable {
    let client: Socket
    let server: Socket
    let isMarked = Mutex(false)
    let sent = Mutex(0)

    init(client: Socket, server: Socket) {
      self.client = client
      self.server = server
    }

    func end() {
      client.interrupt()
      server.interrupt()
    }
  }

  private func forwardRequests(_ pair: Pair) {
    do {
      while true {
        let bytes = try pair.client.read()
        guard !bytes.isEmpty else { break }
        let text = String(decoding: bytes, as: UTF8.self)
        let isMarked = text.hasPrefix("GET ") && text.prefix { $0 != "\r\n" }.contains(mark)
        pair.isMarked.withLock { $0 = isMarked }
        pair.sent.withLock { $0 = 0 }
        if isMarked, text.lowercased().contains("\r\nrange: bytes=") {
          state.withLock { $0.resumedCount += 1 }
        }
        try pair.server.write(bytes)
      }
    } catch {
      // One side has closed; the other is closed too.
    }
    pair.end()
  }

  private func forwardAnswers(_ pair: Pair) {
    do {
      while true {
        let bytes = try pair.server.read(atMost: 1_024)
        guard !bytes.isEmpty else { break }
        let sent = pair.sent.withLock { sent -> Int in
          sent += bytes.count
          return sent
        }
        if sent > limit, pair.isMarked.withLock({ $0 }), takeCut() {
          try pair.client.write(bytes.prefix(max(0, bytes.count - (sent - limit))))
          break
        }
        try pair.client.write(bytes)
      }
    } catch {
      // One side has closed; the other is closed too.
    }
    pair.end()
  }

  private func takeCut() -> Bool {
    state.withLock { state in
      guard state.cutsLeft > 0 else { return false }
      state.cutsLeft -= 1
      state.cutCount += 1
      return true
    }
  }

  private func connectUpstream() -> Socket? {
    let descriptor = socket(AF_INET, Socket.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = upstream.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Platform.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if isConnected { return Socket(descriptor: descriptor) }
    Socket(descriptor: descriptor).close()
    return nil
  }

  /// C functions whose names are shadowed by the type's methods.
  private enum Platform {
    static func accept(_ descriptor: Int32) -> Int32 {
      #if canImport(Glibc)
        Glibc.accept(descriptor, nil, nil)
      #else
        Darwin.accept(descriptor, nil, nil)
      #endif
    }

    static func connect(
      _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) -> Bool {
      #if canImport(Glibc)
        Glibc.connect(descriptor, address, length) == 0
      #else
        Darwin.connect(descriptor, address, length) == 0
      #endif
    }
  }
}
