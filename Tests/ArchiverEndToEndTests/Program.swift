import ArchiverCore
import ArchiverTestKit
import Testing

/// The built programs, run as a person or cron runs them.
enum Program {
  /// The folder of the test bundle, where `swift build` puts the programs too.
  private static var folder: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }

  /// Starts `archiver` with only these variables and a home of its own.
  static func start(
    _ arguments: [String], home: String, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    var variables = ["HOME": home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": home + "/config"]
    variables.merge(environment) { _, new in new }
    return try ChildProcess(folder + "/archiver", arguments, environment: variables)
  }

  /// Runs `archiver` to its end.
  static func run(
    _ arguments: [String], home: String, environment: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    let process = try start(arguments, home: home, environment: environment)
    let code = try await process.wait(limit: .seconds(120))
    return (code, process.output, process.errorOutput)
  }

  /// Runs any other program to its end.
  static func tool(
    _ name: String, _ arguments: [String]
  ) async throws -> (code: Int32, output: String) {
    let path = try #require(ChildProcess.find(name), "\(name) is not installed")
    let process = try ChildProcess(path, arguments, environment: ["PATH": "/usr/bin:/bin"])
    return (try await process.wait(), process.output + process.errorOutput)
  }
}

/// The demo Readeck as a process, and an archive of it.
final class Demo: Sendable {
  let archive: String
  let home: String
  private let server: ChildProcess
  private let url: String

  /// Starts the server and hands out an archive folder that is removed afterwards.
  static func with(_ body: (Demo) async throws -> Void) async throws {
    try await TemporaryFolder.with("end-to-end") { home in
      try await body(try await Demo(home: home))
    }
  }

  private init(home: String) async throws {
    self.home = home
    archive = home + "/archive"
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    server = try ChildProcess(
      folder + "/archiver-demo-server", ["--token", "demo"], environment: [:],
      keepsInputOpen: true)
    let line = try await server.firstLine()
    url = String(line.dropFirst("READECK_URL=".count).prefix { $0 != " " })
  }

  var environment: [String: String] {
    ["READECK_URL": url, "READECK_TOKEN": "demo", "ARCHIVER_ARCHIVE": archive]
  }

  /// Runs `archiver run --source readeck` with further arguments; returns its last JSON line too.
  func run(_ arguments: String...) async throws -> (code: Int32, summary: JSONValue) {
    let result = try await Program.run(
      ["run", "--source", "readeck", "--json"] + arguments, home: home, environment: environment)
    let last = result.output.split(separator: "\n").last.map(String.init) ?? "null"
    let summary = try JSONDecoder().decode(JSONValue.self, from: Data(last.utf8))
    return (result.code, summary)
  }

  /// The folders of the bundles.
  func bundles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: archive + "/readeck")
      .map { "\(archive)/readeck/\($0)" }.sorted()
  }

  /// Every file outside `.archiver`, with its inode, size and time.
  func publicFiles() async throws -> [String: String] {
    let result = try await Program.tool(
      "find", [archive, "-name", ".archiver", "-prune", "-o", "-type", "f", "-printf", "%P\t%i %s %T@\n"])
    var files: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      let parts = line.split(separator: "\t")
      files[String(parts[0])] = String(parts[1])
    }
    return files
  }
}
