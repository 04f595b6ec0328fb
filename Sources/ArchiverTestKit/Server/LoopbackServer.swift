package import ArchiverCore
import Synchronization

/// An HTTP/1.1 server on the loopback interface with a handler and faults on demand.
///
/// Supports keep-alive, chunked request bodies and `Expect: 100-continue`, but no pipelining and no
/// TLS. Each connection has a thread, which calls the handler; calls may be concurrent. Stopping
/// ends all connections and all delays of faults at once.
package final class LoopbackServer: Sendable {
  package typealias Handler = @Sendable (ServerRequest) -> ServerResponse

  package struct StartFailure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The port.
  package let port: Int
  /// `http://host:port/`.
  package let baseURL: WebURL

  private struct State {
    var requests: [ServerRequest] = []
    var connections: [Int: Socket] = [:]
    var connectionCount = 0
    var running = 0
    var mostRunning = 0
    var isStopped = false
  }

  private let handler: Handler
  private let listener: Socket
  private let stopSignal: (read: Socket, write: Socket)
  private let state = Mutex(State())

  /// Starts listening; with port 0 the system chooses a free one. `host` is an IPv4 or IPv6
  /// literal.
  package init(
    handler: @escaping Handler, host: String = "127.0.0.1", port: Int = 0
  ) throws {
    self.handler = handler
    (listener, self.port) = try LoopbackServer.listen(host: host, port: port)
    let authority = host.contains(":") ? "[\(host)]" : host
    guard let url = WebURL("http://\(authority):\(self.port)/") else {
      throw StartFailure(description: "\(host) is no host")
    }
    baseURL = url
    // If a child inherited the writing end, the server could not stop.
    let pair = try ChildProgram.pipe()
    stopSignal = (Socket(descriptor: pair.reading), Socket(descriptor: pair.writing))
    startThread { [self] in acceptConnections() }
  }

  /// All requests so far, in the order in which they were complete.
  package var requests: [ServerRequest] { state.withLock { $0.requests } }

  /// The number of accepted connections so far.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// The maximum number of concurrent requests.
  package var maxConcurrentRequests: Int { state.withLock { $0.mostRunning } }

  /// Stops listening and ends all connections; may be called again.
  package func stop() {
    let wasRunning = state.withLock { state in
      defer { state.isStopped = true }
      for socket in state.connections.values { socket.interrupt() }
      return !state.isStopped
    }
    guard wasRunning else { return }
    // From here on no client can connect; the thread only cleans up.
    listener.interrupt()
    stopSignal.write.close()
  }

  private func acceptConnections() {
    while true {
      var entries = [listener, stopSignal.read].map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&entries, 2, -1) >= 0 || errno == EINTR else { break }
      if entries[1].revents != 0 { break }
      guard entries[0].revents != 0 else { continue }
      let descriptor = accept(listener.descriptor, nil, nil)
      if descriptor >= 0 { serve(Socket(descriptor: descriptor)) }
    }
    listener.close()
    stopSignal.read.close()
  }

  private func serve(_ socket: Socket) {
    var on: Int32 = 1
    _ = setsockopt(
      socket.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    let number = state.withLock { state -> Int? in
      guard !state.isStopped else { return nil }
      state.connectionCount += 1
      state.connections[state.connectionCount] = socket
      return state.connectionCount
    }
    guard let number else { return socket.close() }
    startThread { [self] in
      var connection = ServerConnection(socket: socket, number: number)
      let wasReset = connection.run(answer: answer)
      state.withLock { _ = $0.connections.removeValue(forKey: number) }
      if wasReset { socket.reset() } else { socket.close() }
    }
  }

  private func answer(
    _ request: ServerRequest, _ respond: (ServerResponse) -> ServerConnection.Next
  ) -> ServerConnection.Next {
    state.withLock {
      $0.requests.append(request)
      $0.running += 1
      $0.mostRunning = max($0.mostRunning, $0.running)
    }
    defer { state.withLock { $0.running -= 1 } }
    return respond(handler(request))
  }

  static func listen(host: String, port: Int) throws -> (Socket, Int) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Socket.stream
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list?.pointee else {
      throw StartFailure(description: "\(host) is no address")
    }
    defer { freeaddrinfo(list) }
    let descriptor = socket(address.ai_family, Socket.stream, 0)
    var on: Int32 = 1
    _ = setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isListening = withUnsafeMutablePointer(to: &bound) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, address.ai_addr, address.ai_addrlen) == 0
          && Platform.listen(descriptor, 256) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      throw StartFailure(description: "cannot listen on \(host) port \(port): errno \(errno)")
    }
    let portBytes = withUnsafeBytes(of: bound) { ($0[2], $0[3]) }
    return (Socket(descriptor: descriptor), Int(portBytes.0) << 8 | Int(portBytes.1))
  }

  private enum Platform {
    static func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
      #if canImport(Glibc)
        Glibc.listen(descriptor, backlog)
      #else
        Darwin.listen(descriptor, backlog)
      #endif
    }
  }
}
