import ArchiverCore
import Dispatch
import Synchronization

/// Starts a program and speaks the protocol with its processes.
struct ProgramRunner: Sendable {
  let program: SourceProgram
  /// All variables of ours; programs get a few of them.
  let variables: [String: String]
  let limits: ProgramLimits
  let report: @Sendable (LogLevel, String) -> Void

  /// Set when the task is cancelled that waits for the work.
  final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  /// Does blocking work, never on Swift's cooperative threads. The flag tells it when its caller
  /// has stopped waiting.
  static func blocking<T: Sendable>(
    _ body: @escaping @Sendable (Flag) throws(AdapterError) -> T
  ) async throws(AdapterError) -> T {
    let flag = Flag()
    let result: Result<T, AdapterError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A queue of its own has a thread at once. One for all, concurrent, has as many as there are
        // processors and gets another one each second while those wait.
        DispatchQueue(label: "archiver.source-program").async { @Sendable in
          do throws(AdapterError) {
            continuation.resume(returning: .success(try body(flag)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }

  /// A process that was asked to describe itself and has until `deadline` to answer.
  struct DescriptionRequest {
    fileprivate let runner: ProgramRunner
    fileprivate let process: ProgramProcess
    fileprivate let deadline: ContinuousClock.Instant

    /// Waits for the answer. Blocks.
    func answer() throws(AdapterError) -> ProgramDescription {
      do throws(AdapterError) {
        // What came while others were waited for is there at once.
        let rest = max(deadline - ContinuousClock.now, .milliseconds(100))
        let reply = try runner.next(
          from: process, silence: rest, isCancelled: { Task.isCancelled })
        if case .description(let description) = reply { return description }
        throw runner.unexpected(reply, "a description")
      } catch {
        process.terminate()
        throw error
      }
    }
  }

  /// Asks a fresh process to describe itself.
  func askDescription() throws(AdapterError) -> DescriptionRequest {
    let process = try start(settings: [:])
    let deadline = ContinuousClock.now + limits.description
    do throws(AdapterError) {
      try send(
        ["request": "describe", "protocol": .integer(ProgramDescription.version)], to: process,
        isCancelled: { Task.isCancelled })
      return DescriptionRequest(runner: self, process: process, deadline: deadline)
    } catch {
      process.terminate()
      throw error
    }
  }

  /// Starts a process and gives it its settings. Blocks.
  func open(
    name: String, settings: [String: JSONValue], plain: [String: String], _ flag: Flag
  ) throws(AdapterError) -> ProgramProcess {
    if flag.isSet { throw AdapterError(.cancelled, "\(program.name) was interrupted") }
    let process = try start(settings: plain)
    do throws(AdapterError) {
      let reply = try exchange(
        [
          "request": "open", "protocol": .integer(ProgramDescription.version),
          "name": .string(name), "settings": .object(settings), "folder": .string(process.folder),
        ], with: process, silence: limits.opening, isCancelled: { flag.isSet })
      if case .ready = reply { return process }
      throw unexpected(reply, "ready")
    } catch {
      process.terminate()
      throw error
    }
  }

  /// Sends a request and returns the first reply that is more than a remark. Blocks.
  func exchange(
    _ request: [String: JSONValue], with process: ProgramProcess, silence: Duration,
    isCancelled: () -> Bool, progress: (Int, Int?) -> Void = { _, _ in }
  ) throws(AdapterError) -> ProgramReply {
    try send(request, to: process, isCancelled: isCancelled)
    return try next(from: process, silence: silence, isCancelled: isCancelled, progress: progress)
  }

  /// Sends a request. Blocks while the program does not read it.
  func send(
    _ request: [String: JSONValue], to process: ProgramProcess, isCancelled: () -> Bool
  ) throws(AdapterError) {
    try process.send(encoded(request), isCancelled: isCancelled)
  }

  /// Returns the next reply that is more than a remark; after an error the process is still good.
  ///
  /// Remarks show that it is alive. They are believed as long as its count grows, or not for ever.
  func next(
    from process: ProgramProcess, silence: Duration, isCancelled: () -> Bool,
    progress: (Int, Int?) -> Void = { _, _ in }
  ) throws(AdapterError) -> ProgramReply {
    var received = 0
    var unknown: String?
    var furthest = 0
    var deadline = ContinuousClock.now + limits.standstill
    while true {
      let line: [UInt8]
      do throws(AdapterError) {
        line = try process.nextLine(silence: silence, isCancelled: isCancelled)
      } catch {
        guard let unknown, error.code != .cancelled else { throw error }
        throw AdapterError(
          error.code, "\(error.message) (a reply of the unknown type '\(unknown)' was passed over)")
      }
      received += line.count + 1
      if ContinuousClock.now > deadline {
        throw AdapterError(
          .unavailable, "\(program.name) said that it is at work for too long without getting on")
      }
      if received > limits.answerBytes {
        throw AdapterError(
          .tooLarge,
          "\(program.name) printed more than one answer may have "
            + Limit.fixed(bytes: limits.answerBytes))
      }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      switch try ProgramReply.read(line, of: program) {
      case .log(let level, let message): report(level, message)
      case .progress(let count, let total):
        if count > furthest { deadline = ContinuousClock.now + limits.standstill }
        furthest = max(furthest, count)
        progress(count, total)
      case .unknown(let type):
        unknown = String(type.prefix(40))
        report(.debug, "it printed an unknown '\(type)'")
      case let reply: return reply
      }
    }
  }

  /// Returns the error that a reply reports, or that it was not the requested one.
  func unexpected(_ reply: ProgramReply, _ what: String) -> AdapterError {
    if case .error(let error) = reply { return error }
    return AdapterError(.malformed, "\(program.name) answered something else than \(what)")
  }

  /// One line. Slashes stand as they are and keys are sorted, so that a shell can take it apart.
  private func encoded(_ request: [String: JSONValue]) throws(AdapterError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(JSONValue.object(request)))
    } catch {
      throw AdapterError(.configuration, "a setting cannot be written as JSON", underlying: error)
    }
  }

  /// What a program inherits: where things are, the language, proxies; no secret of others.
  private static let inherited: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM",
    "http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
    "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "PYTHONPATH", "NODE_PATH",
  ]

  private func start(settings: [String: String]) throws(AdapterError) -> ProgramProcess {
    var environment = variables.filter { name, _ in
      ProgramRunner.inherited.contains(name) || name.hasPrefix("LC_") || name.hasPrefix("XDG_")
    }
    for (name, value) in settings { environment[name] = value }
    return try ProgramProcess(program, environment: environment, limits: limits, report: report)
  }
}
