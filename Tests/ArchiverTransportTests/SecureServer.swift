import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// An nginx with a certificate of its own for 127.0.0.1, which speaks HTTP/2 on two ports
/// and nothing but plain HTTP on a third.
final class SecureServer: Sendable {
  let url: WebURL
  let otherURL: WebURL
  /// The address of the port without TLS, as if it had it.
  let plainURL: WebURL
  let certificate: String
  private let folder: String
  private let process: ChildProcess

  static let isAvailable = executable("nginx") != nil && executable("openssl") != nil

  init() async throws {
    folder = try TemporaryFolder.make("tls")
    certificate = "\(folder)/cert.pem"
    try await SecureServer.writeCertificate(folder)
    let server = try await SecureServer.listening(folder)
    process = server.process
    url = server.urls[0]
    otherURL = server.urls[1]
    plainURL = server.urls[2]
  }

  deinit {
    process.end()
    TemporaryFolder.remove(folder)
  }

  /// nginx cannot report its port: another process may take the one it should listen on, hence the
  /// attempts.
  private static func listening(
    _ folder: String
  ) async throws -> (process: ChildProcess, urls: [WebURL]) {
    for _ in 0..<5 {
      let ports = try freePorts()
      let urls = try ports.map { try #require(WebURL("https://127.0.0.1:\($0)/")) }
      let text = configuration(folder, ports)
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
      let process = try start(
        "nginx", ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log"])
      if await answers(urls[1], "\(folder)/cert.pem", process) { return (process, urls) }
    }
    throw ChildProcess.Failure("nginx does not listen")
  }

  private static func configuration(_ folder: String, _ ports: [Int]) -> String {
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder);" }.joined(separator: " ")
    return """
      daemon off; master_process off; pid \(folder)/pid; error_log \(folder)/error.log;
      events { worker_connections 64; }
      http {
        access_log off; \(places)
        ssl_certificate \(folder)/cert.pem; ssl_certificate_key \(folder)/key.pem;
        server {
          listen 127.0.0.1:\(ports[0]) ssl http2; listen 127.0.0.1:\(ports[1]) ssl http2;
          add_header X-Protocol $server_protocol; add_header X-Connection $connection;
          location /small { return 200 "hello"; }
          listen 127.0.0.1:\(ports[2]);
          location /away { return 302 "http://127.0.0.1:$arg_port/"; }
        }
      }
      """
  }

  private static func writeCertificate(_ folder: String) async throws {
    let process = try start(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", "\(folder)/key.pem", "-out", "\(folder)/cert.pem", "-days", "2", "-subj",
        "/CN=archiver tests", "-addext", "subjectAltName=IP:127.0.0.1",
      ])
    guard try await process.wait() == 0 else {
      throw ChildProcess.Failure("openssl made no certificate: \(process.errorOutput)")
    }
  }

  /// Three ports that were free a moment ago, never the same twice.
  private static func freePorts() throws -> [Int] {
    let servers = try (0..<3).map { _ in try LoopbackServer(handler: { _ in ServerResponse() }) }
    defer { for server in servers { server.stop() } }
    return servers.map(\.port)
  }

  private static func answers(
    _ url: WebURL, _ certificate: String, _ process: ChildProcess
  ) async -> Bool {
    let engine = CurlEngine(
      configuration: TransportConfiguration(userAgent: "tests", environment: [:]))
    defer { engine.shutdown() }
    let client = engine.client(
      access: SourceAccess(baseURL: url, caFile: certificate), policy: AddressPolicy())
    // A test that is cancelled needs no answer.
    let answers = try? await Condition.value(every: .milliseconds(20), limit: .seconds(10)) {
      guard process.isRunning else { return false }
      return await failure({ try await client.send(HTTPRequest(.get, url)) }) == nil ? true : nil
    }
    return answers ?? false
  }

  /// Servers are often installed where only root looks.
  private static func executable(_ name: String) -> String? {
    ChildProcess.find(name)
      ?? ["/usr/sbin", "/usr/local/sbin"].map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private static func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
    guard let path = executable(name) else {
      throw ChildProcess.Failure("\(name) is not installed")
    }
    return try ChildProcess(path, arguments, environment: ["PATH": "/usr/bin:/bin:/usr/sbin"])
  }
}
