import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An nginx with a certificate of its own for 127.0.0.1, which speaks HTTP/2 on two ports.
final class SecureServer: Sendable {
  let url: WebURL
  let otherURL: WebURL
  let certificate: String
  private let folder: String
  private let process: pid_t

  struct Failure: Error {
    let message: String
  }

  static let isAvailable = executable("nginx") != nil && executable("openssl") != nil

  init() async throws {
    folder = FileManager.default.temporaryDirectory.path + "/archiver-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    certificate = "\(folder)/cert.pem"
    let ports = try (0..<2).map { _ in try SecureServer.freePort() }
    url = try #require(WebURL("https://127.0.0.1:\(ports[0])/"))
    otherURL = try #require(WebURL("https://127.0.0.1:\(ports[1])/"))
    try SecureServer.writeCertificate(folder)
    let configuration = SecureServer.configuration(folder, ports)
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
    process = try SecureServer.spawn(
      "nginx", ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log"])
    try await waitUntilListening()
  }

  deinit {
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    // Nothing depends on the folder's going; the system empties its place in time.
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func configuration(_ folder: String, _ ports: [Int]) -> String {
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder);" }.joined(separator: " ")
    return """
      daemon off; worker_processes 1; pid \(folder)/pid; error_log \(folder)/error.log;
      events { worker_connections 64; }
      http {
        access_log off; \(places)
        ssl_certificate \(folder)/cert.pem; ssl_certificate_key \(folder)/key.pem;
        server {
          listen 127.0.0.1:\(ports[0]) ssl http2; listen 127.0.0.1:\(ports[1]) ssl http2;
          add_header X-Protocol $server_protocol; add_header X-Connection $connection;
          location /small { return 200 "hello"; }
          location /away { return 302 "http://127.0.0.1:$arg_port/"; }
        }
      }
      """
  }

  private static func writeCertificate(_ folder: String) throws {
    let process = try spawn(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", "\(folder)/key.pem", "-out", "\(folder)/cert.pem", "-days", "2", "-subj",
        "/CN=archiver tests", "-addext", "subjectAltName=IP:127.0.0.1",
      ])
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process, status == 0 else {
      throw Failure(message: "openssl made no certificate")
    }
  }

  private static func freePort() throws -> Int {
    let server = try LoopbackServer(handler: { _ in ServerResponse() })
    defer { server.stop() }
    return server.port
  }

  private func waitUntilListening() async throws {
    let engine = CurlEngine(
      configuration: TransportConfiguration(userAgent: "tests", environment: [:]))
    defer { engine.shutdown() }
    let client = engine.client(
      access: SourceAccess(baseURL: otherURL, caFile: certificate), policy: AddressPolicy())
    for _ in 0..<200 {
      if await failure({ try await client.send(HTTPRequest(.get, otherURL)) }) == nil { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Failure(message: "nginx does not listen")
  }

  private static func executable(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders.map(String.init) + ["/usr/sbin", "/usr/local/bin"])
      .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private static func spawn(_ name: String, _ arguments: [String]) throws -> pid_t {
    guard let path = executable(name) else { throw Failure(message: "\(name) is not installed") }
    var strings = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var process = pid_t()
    guard posix_spawn(&process, path, &actions, nil, &strings, environ) == 0 else {
      throw Failure(message: "\(name) cannot be started")
    }
    return process
  }
}
