import ArchiverCore
import ArchiverTestKit
import Testing

@testable import CommandAdapter

/// The processes of a program: how long they may be silent, and when they end.
@Suite struct ProgramLifetimeTests {
  @Test(.timeLimit(.minutes(1)))
  func `a program without progress is ended, one whose count grows is not`() async throws {
    let workshop = try Workshop()
    var limits = Workshop.limits
    limits.silence = .seconds(60)
    limits.standstill = .milliseconds(600)
    let remarks = [
      #"say '{"type":"progress","count":3}'"#, #"say '{"type":"log","message":"trying"}'"#, "echo",
    ]
    for remark in remarks {
      let program = try workshop.program(list: "while \(remark); do sleep 0.05; done")
      let source = try workshop.source(program, limits: limits)
      let error = await failure { _ = try await pages(source) }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("without a result") == true, "\(error?.message ?? "none")")
    }
    let program = try workshop.program(
      list: """
        for n in 1 2 3 4 5 6 7 8; do say '{"type":"progress","count":'$n'}'; sleep 0.2; done
        say '{"type":"page","references":[{"id":"1","revision":"r"}]}'; say '{"type":"done"}'
        """)
    let source = try workshop.source(program, limits: limits)
    #expect(try await pages(source).flatMap(\.references).count == 1)
  }

  @Test func `child processes end with the program`() async throws {
    let workshop = try Workshop()
    let program = try workshop.program(
      item: "sleep 300 & echo $! >'\(workshop.folder)/pid'; wait")
    let source = try workshop.source(program)
    _ = await failure { _ = try await source.item(ProtocolTests.reference) }
    let text = try String(
      decoding: Data(contentsOf: URL(filePath: workshop.folder + "/pid")), as: UTF8.self)
    let pid = text.filter(\.isNumber)
    for _ in 0..<100 where FileManager.default.fileExists(atPath: "/proc/\(pid)/cwd") {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)/cwd"))
  }

  @Test func `cancelling ends a call within two seconds`() async throws {
    let workshop = try Workshop()
    var limits = Workshop.limits
    limits.silence = .seconds(60)
    let source = try workshop.source(
      try workshop.program(list: "sleep 60", item: "sleep 60"), limits: limits)
    for call in [
      { _ = try await source.item(ProtocolTests.reference) }, { _ = try await pages(source) },
    ]
      as [@Sendable () async throws -> Void]
    {
      let task = Task { await failure(call) }
      try await Task.sleep(for: .milliseconds(200))
      let start = ContinuousClock.now
      task.cancel()
      #expect(await task.value?.code == .cancelled)
      #expect(ContinuousClock.now - start < .seconds(2))
    }
  }

  @Test func `an answer to open of an unknown type is named soon`() async throws {
    let workshop = try Workshop()
    var limits = Workshop.limits
    limits.silence = .seconds(60)
    let source = try workshop.source(
      try workshop.program(open: #"say '{"type":"opened"}'"#), limits: limits)
    let start = ContinuousClock.now
    let error = await failure { _ = try await source.item(ProtocolTests.reference) }
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(error?.code == .unavailable)
    #expect(
      error?.message
        == "toy printed nothing for too long (a reply of the unknown type 'opened' was ignored)")
  }

  @Test func `as many processes work at once as the program says, and end with it`() async throws {
    let workshop = try Workshop()
    let here = workshop.folder + "/here"
    try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
    // Each waits for the others.
    let program = try workshop.program(
      description:
        #"say '{"type":"description","protocol":1,"kind":"toy","summary":"x","processes":12}'"#,
      item: """
        : > \(here)/$$; until [ $(ls \(here) | wc -l) -ge 12 ]; do sleep 0.05; done
        say "{\\"type\\":\\"item\\",\\"metadata\\":{\\"title\\":\\"$$\\"}}"
        """)
    var limits = Workshop.limits
    limits.silence = .seconds(4)
    limits.opening = .seconds(4)
    let titles = try await titles(12, try workshop.source(program, limits: limits))
    #expect(titles.count == 12)
    // The source has been released.
    for process in titles.compactMap(pid_t.init) {
      try await Condition.wait(limit: .seconds(10)) { kill(process, 0) != 0 }
    }
  }

  /// The titles of items asked for at once.
  private func titles(_ count: Int, _ source: some Source) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<count {
        group.addTask {
          try await source.item(ItemReference(id: "\(number)", revision: "1")).metadata.title
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
  }
}
