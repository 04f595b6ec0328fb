import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// A server that goes away while its listing is read.
@Suite struct OutageTests {
  /// A clock whose pauses pass at once.
  private final class PausedClock: Sendable {
    private let state = Mutex<(now: Date, pauses: [Duration])>(
      (Date(timeIntervalSince1970: 1_790_000_000), []))

    var pauses: [Duration] { state.withLock { $0.pauses } }
    var total: Duration { pauses.reduce(.zero, +) }
    var seconds: Double {
      state.withLock { $0.now.timeIntervalSince1970 - 1_790_000_000 }
    }

    func pass(_ seconds: Double) {
      state.withLock { $0.now = $0.now.addingTimeInterval(seconds) }
    }

    var clock: ArchiverClock {
      ArchiverClock(
        now: { self.state.withLock { $0.now } },
        sleep: { pause in
          self.state.withLock {
            $0.pauses.append(pause)
            $0.now = $0.now.addingTimeInterval(pause / .seconds(1))
          }
        })
    }
  }

  private static let gone = ServerResponse(200).misbehaving(.resetAfter(0))

  /// A feed of three pages with a book each.
  private static let paged = [
    "/opds": atom(nav("/all")),
    "/all": atom(book("a") + "<link rel=\"next\" href=\"/all?p=2\"/>"),
    "/all?p=2": atom(book("b") + "<link rel=\"next\" href=\"/all?p=3\"/>"),
    "/all?p=3": atom(book("c")),
  ]

  private static let shelves = [
    "/opds": atom((1...6).map { nav("/\($0)") }.joined()),
    "/1": atom(book("a")), "/2": atom(book("b")), "/3": atom(book("c")), "/4": atom(book("d")),
    "/5": atom(book("e")), "/6": atom(book("f")),
  ]

  /// A catalog that does not respond for some seconds once a page is requested.
  private func stage(
    _ pages: [String: String], away: [(from: String, seconds: Double)],
    as answer: ServerResponse = OutageTests.gone, _ time: PausedClock
  ) throws -> CatalogStage {
    let outages = Mutex<[String: Double]>([:])
    return try CatalogStage(
      { request in
        let now = time.seconds
        let isAway = outages.withLock { outages in
          for outage in away where outage.from == request.target && outages[outage.from] == nil {
            outages[outage.from] = now + outage.seconds
          }
          return outages.values.contains { now < $0 }
        }
        if isAway { return answer }
        return pages[request.target].map { .text($0) } ?? ServerResponse(404)
      }, clock: time.clock)
  }

  @Test(arguments: [5, 60, 100, 149])
  func `a server that restarts between two pages costs no book`(seconds: Double) async throws {
    for answer in [Self.gone, ServerResponse(502), ServerResponse(503), ServerResponse(429)] {
      let time = PausedClock()
      let listed = try await stage(
        Self.paged, away: [("/all?p=2", seconds)], as: answer, time
      ).list()
      #expect(listed.references.map(\.id) == ["a", "b", "c"])
      #expect(listed.isComplete && listed.gaps.isEmpty)
      #expect(time.total <= .seconds(max(10, 2 * seconds + 10)))
    }
  }

  @Test func `a server that restarts between feeds is not three failed feeds`() async throws {
    let time = PausedClock()
    let stage = try stage(Self.shelves, away: [("/2", 100)], time)
    let listed = try await stage.list()
    #expect(Set(listed.references.map(\.id)) == ["a", "b", "c", "d", "e", "f"])
    #expect(listed.isComplete && listed.gaps.isEmpty)
    #expect(time.pauses == [10, 20, 40, 80].map { .seconds($0) })
  }

  @Test func `a server that is gone for good is waited for once, not for each feed`() async throws {
    let time = PausedClock()
    let stage = try stage(Self.shelves, away: [("/2", .infinity)], time)
    await #expect {
      _ = try await stage.list()
    } throws: {
      ($0 as? AdapterError)?.code == .unavailable
    }
    #expect(time.total == CrawlPatience.limit)
    #expect(stage.paths().count <= 9)
  }

  @Test func `the rest of a feed whose server is gone for good is told as missing`() async throws {
    let time = PausedClock()
    let stage = try stage(Self.paged, away: [("/all?p=2", .infinity)], time)
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(!listed.isComplete && listed.gaps.filter(\.isEssential).count == 1)
    #expect(time.total == CrawlPatience.limit)
  }

  @Test func `two outages of a crawl share its limit, and each begins with a short pause`()
    async throws
  {
    let time = PausedClock()
    let stage = try stage(Self.paged, away: [("/all?p=2", 60), ("/all?p=3", 1_000)], time)
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a", "b"])
    #expect(listed.hasEssentialGap)
    #expect(time.pauses == [10, 20, 40, 10, 20, 40, 10].map { .seconds($0) })
  }

  @Test(arguments: [403, 500])
  func `a feed that a running server refuses is waited for once`(status: Int) async throws {
    let time = PausedClock()
    let stage = try stage(
      Self.paged, away: [("/all?p=2", .infinity)], as: ServerResponse(status), time)
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"] && listed.hasEssentialGap)
    #expect(time.pauses == [.seconds(10)])
    #expect(stage.paths().count { $0 == "/all?p=2" } == 2)
  }

  @Test(arguments: [502, 503, 504])
  func `a feed for which a proxy always answers is not waited for while the catalog answers`(
    status: Int
  ) async throws {
    let time = PausedClock()
    let stage = try CatalogStage(
      { request in
        request.target == "/all?p=2"
          ? ServerResponse(status) : .text(Self.paged[request.target] ?? "")
      }, clock: time.clock)
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(!listed.isComplete && listed.gaps.filter(\.isEssential).count == 1)
    #expect(time.pauses == [.seconds(10)])
    #expect(stage.paths() == ["/opds", "/all", "/all?p=2", "/all?p=2", "/opds"])
  }

  @Test func `a pause is as long as the server asks for, within the limit`() async throws {
    for (asked, expected) in [("45", 45), ("4000", 150)] {
      let time = PausedClock()
      let answer = ServerResponse(503, headers: ["Retry-After": asked])
      _ = try await stage(Self.paged, away: [("/all?p=2", 30)], as: answer, time).list()
      #expect(time.pauses == [.seconds(expected)])
    }
  }

  @Test func `the time of failing requests counts as waiting`() async throws {
    let time = PausedClock()
    let isAway = Mutex(false)
    let stage = try CatalogStage(
      { request in
        let fails = isAway.withLock { away in
          away = away || request.target == "/all?p=2"
          return away
        }
        guard fails else { return .text(Self.paged[request.target] ?? "") }
        time.pass(60)
        return Self.gone
      }, clock: time.clock)
    #expect(try await stage.list().hasEssentialGap)
    #expect(time.pauses == [.seconds(10), .seconds(20)])
  }

  @Test func `a clock that is set back does not prolong the waiting`() {
    var patience = CrawlPatience()
    let start = Date(timeIntervalSince1970: 1_790_000_000)
    patience.failed(at: start)
    var pauses: [Duration] = []
    for hours in 1...9 {
      let now = start.addingTimeInterval(Double(-3_600 * hours))
      if let pause = patience.nextPause(at: now, asked: nil) { pauses.append(pause) }
    }
    #expect(pauses == [10, 20, 40, 80].map { .seconds($0) })
  }
}
