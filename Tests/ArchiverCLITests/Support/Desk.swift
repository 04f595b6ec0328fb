import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// A client that must not be used.
struct NoHTTP: HTTPClient {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.connect, "no request was expected: \(request.url)")
  }
}

/// A user's environment: a home folder, an optional terminal, and the tool.
final class Desk: Sendable {
  struct Result {
    let code: ExitCode
    let output: String
    let error: String
  }

  let home: String
  let requests = Mutex<[Services.RunRequest]>([])
  let policies = Mutex<[AddressPolicy]>([])
  let accesses = Mutex<[SourceAccess]>([])
  static let now = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21T00:00:00Z

  init() throws {
    home = try TemporaryFolder.make("desk")
  }

  deinit {
    // The system cleans up the rest.
    try? FileManager.default.removeItem(atPath: home)
  }

  var folder: String { home + "/.config/archiver" }

  /// Writes a file below the home folder.
  @discardableResult
  func write(_ path: String, _ text: String, mode: Int = 0o600) throws -> String {
    let path = home + "/" + path
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  func configure(_ text: String, mode: Int = 0o600) throws {
    try write(".config/archiver/config.json5", text, mode: mode)
  }

  func environment(
    _ arguments: [String] = [], _ variables: [String: String] = [:],
    output: MemoryOutput = MemoryOutput(), error: MemoryOutput = MemoryOutput(),
    input: PreparedInput = PreparedInput()
  ) -> ProcessEnvironment {
    ProcessEnvironment(
      arguments: arguments, variables: ["LANG": "C.UTF-8"].merging(variables) { $1 }, home: home,
      output: output, error: error, input: input,
      clock: ArchiverClock(now: { Desk.now }, sleep: { _ in }))
  }

  /// Services that record requests and return prepared responses.
  func services(
    catalog: (any CatalogReading)? = nil, findings: Services.Findings = Services.Findings(),
    run: @escaping @Sendable (any EventSink) async throws -> RunReport = { _ in RunReport() }
  ) -> Services {
    var services = Services(
      build: ProgramVersion(number: "1.2.3"),
      kinds: [SourceKind(ExampleAdapter.self), SourceKind(FolderAdapter.self)],
      client: { [self] request in
        policies.withLock { $0.append(request.policy) }
        if let access = request.access { accesses.withLock { $0.append(access) } }
        return NoHTTP()
      },
      catalog: { _ in catalog },
      run: { [self] request, events in
        requests.withLock { $0.append(request) }
        return try await run(events)
      },
      verify: { _, _ in findings })
    // Never the real crontab.
    services.runCommand = { _, _ in throw CommandFailure(reason: "exited with status 1", status: 1)
    }
    return services
  }

  func type(
    _ words: String..., variables: [String: String] = [:], input: PreparedInput = PreparedInput(),
    services: Services? = nil, errorTerminal: Int? = nil, outputTerminal: Int? = nil
  ) async -> Result {
    let output = MemoryOutput(isTerminal: outputTerminal != nil, columns: outputTerminal)
    let error = MemoryOutput(isTerminal: errorTerminal != nil, columns: errorTerminal)
    let tool = CommandLineTool(
      environment: environment(words, variables, output: output, error: error, input: input),
      services: services ?? self.services())
    let code = await tool.run()
    return Result(code: code, output: output.text, error: error.text)
  }

  /// The last run that was asked for.
  func request() throws -> Services.RunRequest {
    try #require(requests.withLock { $0.last })
  }

  static let configured = [
    "EXAMPLE_URL": "https://read.example.org", "EXAMPLE_TOKEN": "s3cret-token",
  ]
}
