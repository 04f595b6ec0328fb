import ArchiverCore
import ArchiverTestKit
import Synchronization

@testable import CommandAdapter

/// A folder with a program in it, written by the test in shell.
final class Workshop: Sendable {
  let folder: String
  let logs = Mutex<[String]>([])

  init() throws {
    folder = try TemporaryFolder.make("workshop")
  }

  deinit { remove() }

  /// For callers that exit without releasing it.
  func remove() { TemporaryFolder.remove(folder) }

  static let description = """
    {"type":"description","protocol":1,"kind":"toy","summary":"Toys","settings":[\
    {"key":"path","help":"Where they are"},{"key":"maxAge","type":"integer","default":7,"help":"Age"},\
    {"key":"token","type":"secret","help":"Token"}]}
    """

  /// Writes a program with a shell command per request.
  func program(
    _ name: String = "toy", description: String = "say '\(Workshop.description)'",
    open: String = "say '{\"type\":\"ready\"}'", list: String = "say '{\"type\":\"done\"}'",
    item: String = ":"
  ) throws -> SourceProgram {
    let text = """
      #!/bin/sh
      say() { printf '%s\\n' "$1"; }
      while IFS= read -r line; do
        case $line in
          *'"request":"describe"'*) \(description) ;;
          *'"request":"open"'*) \(open) ;;
          *'"request":"list"'*) \(list) ;;
          *'"request":"item"'*) \(item) ;;
        esac
      done
      """
    let path = folder + "/archiver-source-" + name
    try ProgramFile.write(text, to: path)
    return SourceProgram(name: name, path: path)
  }

  static let limits: ProgramLimits = {
    var limits = ProgramLimits()
    limits.silence = .milliseconds(700)
    limits.opening = .milliseconds(700)
    limits.description = .seconds(5)
    limits.lineBytes = 1 << 20
    limits.fileBytes = 1 << 20
    return limits
  }()

  static let variables = [
    "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/", "READECK_TOKEN": "another's",
  ]

  /// Opens the program as a source.
  func source(
    _ program: SourceProgram, settings: String = "{}", limits: ProgramLimits = Workshop.limits
  ) throws -> any Source {
    let kind = try ProgramKinds.kind(
      of: program, variables: Workshop.variables, limits: limits)
    return try kind.open(settings: Data(settings.utf8)).make(
      AdapterContext(name: "mine", http: Nobody(), events: Listener(workshop: self)))
  }

  private struct Listener: EventSink {
    let workshop: Workshop

    func send(_ event: Event) {
      if case .log(.info..., _, let message) = event {
        workshop.logs.withLock { $0.append(message) }
      }
    }
  }

  /// A client that reaches no server.
  struct Nobody: HTTPClient {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      throw HTTPError(.connect, "no request was expected: \(request.url)")
    }
  }
}

/// The pages of a listing.
func pages(_ source: some Source, since checkpoint: String? = nil) async throws -> [ListingPage] {
  var pages: [ListingPage] = []
  for try await page in source.listing(since: checkpoint.map { Checkpoint($0) }) {
    pages.append(page)
  }
  return pages
}

/// The error of a call; `nil` when it succeeded.
func failure(_ call: () async throws -> Void) async -> AdapterError? {
  do {
    try await call()
    return nil
  } catch {
    return error as? AdapterError
  }
}

/// The checks of a program.
func conformance(
  of program: SourceProgram, settings: [String: JSONValue] = [:]
) throws -> AdapterConformance<ProgramSource> {
  let kind = try ProgramKinds.kind(of: program, variables: Workshop.variables)
  let opening = try kind.open(settings: JSONEncoder().encode(settings))
  var subject = AdapterConformance<ProgramSource>.Subject(
    client: Workshop.Nobody(), refusedClient: nil, secret: nil,
    gone: ItemReference(id: "no such item", revision: "1"))
  subject.asksOnlyClient = false
  return AdapterConformance<ProgramSource>(
    subject, kind: kind.name, properties: kind.properties
  ) { client in
    let source = try opening.make(AdapterContext(name: program.name, http: client))
    guard let source = source as? ProgramSource else {
      throw AdapterError(.malformed, program.name)
    }
    return source
  }
}
