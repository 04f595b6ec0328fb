import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Who hears of which night: mail (standard error of a quiet run), `--notify`, ping and exit code.
@Suite struct NightTellingTests {
  private struct Night {
    var code: ExitCode
    var mail: String
    /// `ARCHIVER_EXIT_CODE` and `ARCHIVER_SUMMARY`; `nil` if the command was not started.
    var told: String?
    var pings: [(path: String, body: String)]
    var log: String
  }

  private func live(
    _ words: [String] = [], file: String? = nil, status: Int = 200,
    _ change: @escaping @Sendable (inout SourceReport) throws -> Void
  ) async throws -> Night {
    let desk = try Desk()
    if let file { try desk.configure(file) }
    let monitor = AnnouncingTests.Monitor(status: status)
    let (output, error) = (MemoryOutput(), MemoryOutput())
    let command = "echo \"$ARCHIVER_EXIT_CODE $ARCHIVER_SUMMARY\" > \(desk.home)/told"
    let ping = file == nil ? ["--ping-url", "https://hc.example/u"] : []
    let environment = desk.environment(
      ["run", "--quiet", "--notify", command, "--log-file", "~/log"] + ping + words,
      Desk.configured, output: output, error: error)
    var services = desk.services { events in
      var source = SourceReport(name: "books", kind: "example")
      try change(&source)
      events.send(.sourceFinished(source: source.name, failure: source.failure?.message))
      return RunReport(sources: [source], duration: .seconds(1))
    }
    services.client = { _ in monitor }
    let code = await CommandLineTool(environment: environment, services: services).run()
    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: "\(desk.home)/\(name)").map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    return Night(
      code: code, mail: error.text, told: text("told"), pings: monitor.calls.withLock { $0 },
      log: text("log") ?? "")
  }

  private static let note = SourceReport.ItemNote(id: "7", title: "Moby Dick", message: "it broke")

  @Test func `a copy that is newly held back is told by every channel`() async throws {
    let night = try await live { source in
      source.kept = [Self.note]
      source.heldBack = [Self.note]
    }
    #expect(night.code == .someFailed)
    let line =
      "books: a worse copy of Moby Dick was held back (it broke); see 'archiver list --held', or "
      + "take it with 'archiver accept'"
    #expect(night.mail == line + ".\n")
    #expect(night.told == "1 \(line)\n")
    #expect(night.pings.last?.path == "/u/fail")
    #expect(night.pings.last?.body.contains(line) == true)
  }

  @Test func `a copy that stays held back is no news`() async throws {
    let night = try await live { $0.kept = [Self.note] }
    #expect(night.code == .success && night.mail == "" && night.told == nil)
    #expect(night.pings.last?.path == "/u")
  }

  @Test(arguments: [false, true])
  func `deletions of most items at once are told by every channel`(isRefused: Bool) async throws {
    let night = try await live { source in
      source.vanished = .init(count: 100, total: 100, wasRefused: isRefused)
    }
    #expect(night.code == (isRefused ? .someFailed : .success))
    #expect(night.mail.hasPrefix("books: 100 of 100 items "))
    #expect(night.mail.split(separator: "\n").count == 1)
    #expect(night.told?.hasPrefix("\(night.code.rawValue) books: 100 of 100 items") == true)
    #expect(night.pings.last?.path == (isRefused ? "/u/fail" : "/u"))
    #expect(night.pings.last?.body.contains("100 of 100 items") == true)
  }

  @Test func `a run that died is told by the next one`() async throws {
    let night = try await live { $0.diedBefore = Desk.now }
    let line = "The run that began at 2026-11-21T00:00:00Z ended without a report: it was killed"
    #expect(night.code == .success)
    #expect(night.mail.hasPrefix(line))
    #expect(night.told?.hasPrefix("0 " + line) == true)
    #expect(night.pings.last?.path == "/u" && night.pings.last?.body.contains(line) == true)
  }

  @Test func `items that still fail are in the report and wake nobody`() async throws {
    let night = try await live { $0.stillFailing = 2 }
    #expect(night.code == .success && night.mail == "" && night.told == nil)
    #expect(night.pings.last?.path == "/u")
    #expect(
      night.pings.last?.body.contains("2 items still fail; see 'archiver list --failed'.") == true)
  }

  @Test func `a source that fails in mid-run is one line, and the summary names it`() async throws {
    let night = try await live { source in
      source.unreached = 3
      source.failure = AdapterError(.unavailable, "the server does not respond any more")
    }
    #expect(night.code == .source)
    #expect(night.mail == "books: the server does not respond any more\n")
    #expect(night.told == "3 books: the server does not respond any more\n")
    #expect(night.log.split(separator: "\n").count { $0.contains("does not respond") } == 1)
  }

  @Test func `the summary is one sentence, and counts what else went wrong`() async throws {
    let night = try await live { source in
      source.failed = [Self.note]
      source.gaps = [ListingGap("the shelf could not be read", isEssential: true)]
    }
    #expect(
      night.told
        == "1 books: 1 item failed; see 'archiver list --failed' (and 1 more)\n")
  }

  @Test(arguments: [nil, "{ pingURL: 'https://hc.example/u' }"])
  func `a monitoring service that is down is one warning that names the setting`(
    file: String?
  ) async throws {
    let night = try await live(file: file, status: 0) { _ in }
    let setting = file == nil ? "--ping-url" : "pingURL in the configuration file"
    #expect(
      night.mail
        == "archiver: warning: the URL of \(setting) could not be reached: the server accepted no "
        + "connection\n")
  }

  @Test func `another run at work is no error in the log`() async throws {
    let night = try await live { _ in throw StorageError(.locked, "another run is at work") }
    #expect(night.code == .locked && night.mail == "")
    #expect(night.log.hasSuffix("Z another run is at work\n"), "\(night.log)")
  }
}
