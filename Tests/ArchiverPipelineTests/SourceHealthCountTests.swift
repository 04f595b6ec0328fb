import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// The counts by which a source is judged unavailable, and where they begin.
struct SourceHealthCountTests {
  private static let start = Date(timeIntervalSince1970: 1_750_000_000)

  private static func work(_ id: String) -> WorkItem {
    WorkItem(reference: ItemReference(id: id, revision: "1"), reason: .new)
  }

  private static func error(_ message: String) -> AdapterError {
    AdapterError(.unavailable, message)
  }

  /// What a source went through before.
  enum Past: CaseIterable { case nothing, probe, outage }

  private static func health(after past: Past) -> SourceHealth {
    var health = SourceHealth(patience: .seconds(60))
    switch past {
    case .nothing: break
    case .probe:
      for _ in 0..<3 { health.staged(isUnreached: true) }
      _ = health.beginProbe(isDue: false)
      _ = health.probed(responds: true, nil)
    case .outage:
      for _ in 0..<3 { health.staged(isUnreached: true) }
      for _ in 0..<3 { _ = health.fetched(wasUnavailable: true) }
      _ = health.begin(error("reason"), at: start)
      _ = health.beginWaiting()
      _ = health.waited(isBack: true, at: start)
    }
    return health
  }

  @Test(arguments: Past.allCases)
  func `the third item in a row without its files makes a probe due`(past: Past) {
    var health = Self.health(after: past)
    for isDue in [false, false, true] {
      health.staged(isUnreached: true)
      let begins = health.beginProbe(isDue: false)
      #expect(begins == isDue)
    }
  }

  @Test(arguments: Past.allCases)
  func `the third failed batch in a row makes a source unavailable`(past: Past) {
    var health = Self.health(after: past)
    health.suspect(Self.work("a"), Self.error("503"))
    for message in [nil, nil, "503"] as [String?] {
      let found = health.fetched(wasUnavailable: true)?.message
      #expect(found == message)
    }
  }

  @Test func `a source that delivered nothing proves no failure to be an item's own`() {
    var health = SourceHealth(patience: .zero)
    health.suspect(Self.work("a"), Self.error("503"))
    let proven = health.takeSuspects(onlyProven: true)
    #expect(proven.isEmpty)
  }

  @Test func `all suspects are taken unless only proven ones are wanted`() {
    var health = SourceHealth(patience: .zero)
    health.suspect(Self.work("a"), Self.error("503"))
    _ = health.fetched(wasUnavailable: false)
    health.suspect(Self.work("b"), Self.error("503"))
    let taken = health.takeSuspects().map(\.0.reference.id)
    #expect(taken == ["a", "b"])
    #expect(health.suspects.isEmpty)
  }

  @Test(
    arguments: [([], "reason"), (["first"], "first"), (["first", "last"], "last")]
      as [([String], String)])
  func `a source that stays away is reported with its last failure`(
    failures: [String], message: String
  ) {
    var health = SourceHealth(patience: .seconds(60))
    for failure in failures { health.suspect(Self.work(failure), Self.error(failure)) }
    _ = health.begin(Self.error("reason"), at: Self.start)
    _ = health.beginWaiting()
    let error = health.waited(isBack: false, at: Self.start)
    #expect(error?.message == message)
  }

  @Test func `of several failures the last one explains why a source is unavailable`() {
    var health = SourceHealth(patience: .zero)
    for failure in ["one", "two", "three"] {
      health.suspect(Self.work(failure), Self.error(failure))
    }
    for _ in 0..<2 { _ = health.fetched(wasUnavailable: true) }
    let error = health.fetched(wasUnavailable: true)
    #expect(error?.message == "three")
  }

  @Test(
    arguments: [
      (ScriptedSource.origin, "http://source.example:80 does not respond any more"),
      (nil, "the server does not respond any more"),
    ] as [(String?, String)])
  func `a failed probe names the server`(address: String?, message: String) {
    var health = SourceHealth(patience: .zero)
    _ = health.beginProbe(isDue: true)
    let origin = address.flatMap { WebURL($0)?.origin }
    let error = health.probed(responds: false, origin)
    #expect(error?.message == message)
    #expect(error?.code == .unavailable)
  }
}
