import ArchiverCore
import Dispatch
import Synchronization

/// Starts a source program and implements the protocol with its processes.
struct ProgramRunner: Sendable {
  let program: SourceProgram
  /// This process's environment. Programs inherit a few variables of it.
  let variables: [String: String]
  let limits: ProgramLimits
  let report: @Sendable (LogLevel, String) -> Void
  /// Sentences about ignored parts of replies.
  let remarks = Remarks()

  /// Set when the task that waits for the work is cancelled.
  final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  /// Runs blocking work outside of Swift's cooperative threads. The flag tells it that its caller
  /// was cancelled.
  static func blocking<T: Sendable>(
    _ body: @escaping @Sendable (Flag) throws(AdapterError) -> T
  ) async throws(AdapterError) -> T {
    let flag = Flag()
    let result: Result<T, AdapterError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A new queue gets a thread at once. A shared concurrent queue has as many threads as
        // cores, and adds one only once a second while they are blocked.
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

  /// A process that describes itself and has to reply until `deadline`.
  struct DescriptionRequest {
    let runner: ProgramRunner
    fileprivate let process: ProgramProcess
    fileprivate let deadline: ContinuousClock.Instant

    /// Waits for the reply. Blocks.
    func answer() throws(AdapterError) -> ProgramDescription {
      do throws(AdapterError) {
        // A reply that arrived while others were awaited is available at once.
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

  /// Starts a process and requests its description.
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

  /// Starts a process and sends its settings. Blocks.
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

  /// Sends a request and returns the first reply that is not a progress or log message. Blocks.
  func exchange(
    _ request: [String: JSONValue], with process: ProgramProcess, silence: Duration,
    isCancelled: () -> Bool, progress: (Int, Int?) -> Void = { _, _ in }
  ) throws(AdapterError) -> ProgramReply {
    try send(request, to: process, isCancelled: isCancelled)
    return try next(from: process, silence: silence, isCancelled: isCancelled, progress: progress)
  }

  /// Sends a request. Blocks until the program has read it.
  func send(
    _ request: [String: JSONValue], to process: ProgramProcess, isCancelled: () -> Bool
  ) throws(AdapterError) {
    try refuseReplies(of: process)
    try process.send(encoded(request), isCancelled: isCancelled)
  }

  /// Throws if the program printed a second reply. It would be taken for the reply to the next
  /// request, and every later reply for that of another item.
  private func refuseReplies(of process: ProgramProcess) throws(AdapterError) {
    while let line = process.printedLine() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      switch try ProgramReply.read(line, of: program) {
      case .log(let level, let message): report(level, message)
      case .progress, .unknown: continue
      default:
        throw AdapterError(.malformed, "\(program.name) printed two replies to one request")
      }
    }
  }

  /// Returns the next reply that is not a progress or log message; the process is usable after an
  /// error.
  ///
  /// Such messages show that the program is alive, but only while its count grows or for a limited
  /// time.
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
          error.code, "\(error.message) (a reply of the unknown type '\(unknown)' was ignored)")
      }
      received += line.count + 1
      if ContinuousClock.now > deadline {
        throw AdapterError(
          .unavailable, "\(program.name) reported progress for too long without a result")
      }
      if received > limits.answerBytes {
        throw AdapterError(
          .tooLarge,
          "\(program.name) exceeded the size of one response "
            + Limit.fixed(bytes: limits.answerBytes))
      }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      let reply = try ProgramReply.read(line, of: program) { found in
        for sentence in remarks.new(among: found) { report(.info, sentence) }
      }
      switch reply {
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

  /// Returns the error in a reply, or an error that says which reply was expected.
  func unexpected(_ reply: ProgramReply, _ what: String) -> AdapterError {
    if case .error(let error) = reply { return error }
    return AdapterError(.malformed, "\(program.name) responded with something other than \(what)")
  }

  /// Returns a request in one line, with sorted keys and unescaped slashes, so that shell scripts
  /// can parse it.
  private func encoded(_ request: [String: JSONValue]) throws(AdapterError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(JSONValue.object(request)))
    } catch {
      throw AdapterError(.configuration, "a setting cannot be written as JSON", underlying: error)
    }
  }

  /// The inherited variables: paths, language and proxies, but no secrets.
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
