import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Synchronization
import Testing

/// A server with a handler and an engine that may reach it.
final class Loopback: Sendable {
  let server: LoopbackServer
  let engine: CurlEngine

  init(
    resolver: (@Sendable (String) -> [String]?)? = nil, environment: [String: String] = [:],
    maxConnections: Int = 32, maxDownloads: Int = 32,
    _ handler: @escaping LoopbackServer.Handler
  ) throws {
    server = try LoopbackServer(handler: handler)
    engine = CurlEngine(
      configuration: TransportConfiguration(
        userAgent: "archiver-tests/1", maxConnections: maxConnections, maxDownloads: maxDownloads,
        resolver: resolver, environment: environment))
  }

  deinit {
    engine.shutdown()
    server.stop()
  }

  func url(_ path: String) throws -> WebURL { try url(path, on: server) }

  func url(_ path: String, on server: LoopbackServer) throws -> WebURL {
    try #require(server.baseURL.resolving(path))
  }

  /// A client whose source is the server.
  func client(
    _ credential: Credential? = nil, headers: HTTPHeaders = [:], allowing hosts: [String] = []
  ) -> any HTTPClient {
    engine.client(
      access: SourceAccess(baseURL: server.baseURL, credential: credential, headers: headers),
      policy: AddressPolicy(hosts: Set(hosts.compactMap { AddressPolicy.AllowedHost($0) })))
  }

  /// A client that belongs to no source.
  func stranger(allowing hosts: [String] = []) -> any HTTPClient {
    engine.client(
      access: nil,
      policy: AddressPolicy(hosts: Set(hosts.compactMap { AddressPolicy.AllowedHost($0) })))
  }

  func get(
    _ path: String, destination: BodyDestination = .memory(), timeouts: HTTPTimeouts = .brief
  ) async throws -> HTTPResponse {
    try await client().send(
      HTTPRequest(.get, try url(path), destination: destination, timeouts: timeouts))
  }
}

extension HTTPTimeouts {
  /// A timeout for tests that hang, long enough for a busy machine.
  static let brief = HTTPTimeouts(connect: .seconds(20), stall: .seconds(20), total: .seconds(30))
}

/// Stores received bytes and counts attempts.
final class Collector: BodySink {
  struct Refusal: Error {}

  private struct State {
    var heads: [HTTPResponseHead] = []
    var bytes: [UInt8] = []
  }

  private let state = Mutex(State())
  private let attempt: HTTPHeaders
  private let capacity: Int

  init(attempt: HTTPHeaders = [:], capacity: Int = .max) {
    self.attempt = attempt
    self.capacity = capacity
  }

  var heads: [HTTPResponseHead] { state.withLock { $0.heads } }
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  func attemptHeaders() -> HTTPHeaders { attempt }

  func begin(_ head: HTTPResponseHead) throws {
    state.withLock {
      $0.heads.append(head)
      if head.status != 206 { $0.bytes = [] }
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock {
      $0.bytes.append(contentsOf: bytes)
      if $0.bytes.count > capacity { throw Refusal() }
    }
  }
}

/// Returns the error that a body throws; `nil` if it throws none.
func failure<Value>(_ body: () async throws -> Value) async -> HTTPError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? HTTPError
  }
}
