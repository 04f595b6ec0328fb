import ArchiverCore
import Testing

@testable import ArchiverTestKit

/// A listening socket on loopback. A body serves its connections sequentially and closes each;
/// without a body, connections are established but never accepted.
final class RawListener: Sendable {
  let url: WebURL
  private let socket: Socket
  private let isServed: Bool

  init(scheme: String, _ serve: (@Sendable (Socket) -> Void)? = nil) throws {
    let (listening, port) = try LoopbackServer.listen(host: "127.0.0.1", port: 0)
    url = try #require(WebURL("\(scheme)://127.0.0.1:\(port)/"))
    socket = listening
    isServed = serve != nil
    guard let serve else { return }
    startThread { RawListener.run(listening, serve) }
  }

  deinit {
    socket.interrupt()
    // The thread closes the socket that it accepts from.
    if !isServed { socket.close() }
  }

  private static func run(_ listening: Socket, _ serve: @Sendable (Socket) -> Void) {
    while true {
      let descriptor = accept(listening.descriptor, nil, nil)
      guard descriptor >= 0 else { break }
      serve(Socket(descriptor: descriptor))
    }
    listening.close()
  }
}
