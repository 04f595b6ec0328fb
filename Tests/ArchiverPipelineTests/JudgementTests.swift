import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

/// Decisions that depend on a few numbers alone.
struct JudgementTests {
  @Test(arguments: [
    (0, 0, false), (0, 100, false), (1, 0, true), (1, 1, false), (39, 1, false), (40, 9, true),
    (40, 10, false), (100, 24, true), (100, 25, false), (100, 200, false),
  ])
  func `a text that shrinks below a quarter of its words is worse, or one that is empty`(
    oldWords: Int, newWords: Int, isWorse: Bool
  ) {
    let reason = Regression.reason(oldWords: oldWords, newWords: newWords)
    #expect((reason != nil) == isWorse)
    if isWorse, newWords > 0 {
      #expect(reason == "the source now delivers \(newWords) words of \(oldWords)")
    }
  }

  @Test(arguments: MissingPart.Kind.allCases)
  func `a part that was there before is lost, an image or attached file is filled in`(
    kind: MissingPart.Kind
  ) {
    let part = MissingPart(kind, name: "", reason: "404")
    var old = CatalogItem(
      key: ItemKey(source: "s", id: "a"), revision: "1", folder: "s/a",
      metadata: ItemMetadata(kind: .book, title: ""), firstArchived: .distantPast,
      lastArchived: .distantPast, contentHash: "")
    func loss(_ parts: [MissingPart], before: [MissingPart]?) -> String? {
      old.losses = before.map { Losses($0) }
      return Regression.newLoss(Losses(parts), since: old)
    }
    let counts = [.text, .mainFile, .children, .record].contains(kind)
    #expect((loss([part], before: []) != nil) == counts)
    #expect((loss([part], before: nil) != nil) == counts)
    #expect((loss([part, part], before: [part]) != nil) == counts)
    #expect(loss([part], before: [part]) == nil)
    #expect(loss([], before: []) == nil)
    if kind == .text {
      #expect(
        loss([part], before: []) == "the text is missing (404); the earlier copy is kept")
    }
    var marginal = part
    marginal.isEssential = false
    #expect(loss([marginal], before: []) == nil)
    // Of an item of an earlier version only that it failed is known.
    old.missingImages = 1
    #expect(loss([part], before: nil) == nil)
  }

  @Test(arguments: [(-5, 0), (0, 0), (90, 90), (604_800, 604_800), (604_801, 604_800)])
  func `a server's wish when to come back counts, within a week`(wish: Int, seconds: Double) {
    let now = Date(timeIntervalSince1970: 1_750_000_000)
    let next = RetrySchedule.next(attempts: 4, now: now, retryAfter: .seconds(wish))
    #expect(next == now + seconds)
  }
}

/// When a source counts as unavailable.
struct SourceHealthTests {
  /// A reference, so that an expectation may change it.
  private final class Subject {
    private var health: SourceHealth

    init(patience: Duration = .seconds(60)) { health = SourceHealth(patience: patience) }

    var isOut: Bool { health.isOut }

    func suspect(_ id: String) {
      let reference = ItemReference(id: id, revision: "1", title: "")
      health.suspect(WorkItem(reference: reference, reason: .new), SourceHealthTests.error)
    }

    func suspects(onlyProven: Bool) -> [String] {
      health.takeSuspects(onlyProven: onlyProven).map(\.0.reference.id)
    }

    func fetched(_ isAvailable: Bool) -> String? {
      health.fetched(wasUnavailable: !isAvailable)?.message
    }

    func staged(isUnreached: Bool) { health.staged(isUnreached: isUnreached) }
    func beginProbe(isDue: Bool) -> Bool { health.beginProbe(isDue: isDue) }

    func probed(responds: Bool) -> AdapterError.Code? {
      health.probed(responds: responds, nil)?.code
    }

    func begin(at now: Date) -> Bool { health.begin(SourceHealthTests.error, at: now) }
    func beginWaiting() -> Date? { health.beginWaiting() }

    func waited(isBack: Bool, at now: Date) -> String? {
      health.waited(isBack: isBack, at: now)?.message
    }
  }

  private static let error = AdapterError(.unavailable, "503")
  private let start = Date(timeIntervalSince1970: 1_750_000_000)

  @Test func `three failed batches in a row make an outage, and one that succeeds ends the row`() {
    let health = Subject()
    health.suspect("a")
    #expect(health.fetched(false) == nil)
    #expect(health.fetched(false) == nil)
    #expect(health.fetched(true) == nil)
    for _ in 0..<2 { #expect(health.fetched(false) == nil) }
    #expect(health.fetched(false) == "503")
  }

  @Test(arguments: [true, false])
  func `only failures before a success of the source are known to be the items' own`(
    onlyProven: Bool
  ) {
    let health = Subject(patience: .zero)
    health.suspect("a")
    _ = health.fetched(true)
    health.suspect("b")
    #expect(health.suspects(onlyProven: onlyProven) == (onlyProven ? ["a"] : ["a", "b"]))
    health.suspect("c")
    #expect(health.suspects(onlyProven: true) == [], "what was proven is forgotten too")
    #expect(health.suspects(onlyProven: false) == [])
  }

  @Test func `the server is probed once at a time, when it is due or files were not reached`() {
    let health = Subject()
    #expect(!health.beginProbe(isDue: false))
    #expect(health.beginProbe(isDue: true))
    #expect(!health.beginProbe(isDue: true), "a probe is under way")
    #expect(health.probed(responds: true) == nil)
    for isUnreached in [true, true, false, true, true] { health.staged(isUnreached: isUnreached) }
    #expect(!health.beginProbe(isDue: false))
    health.staged(isUnreached: true)
    #expect(health.beginProbe(isDue: false))
    #expect(health.probed(responds: false) == .unavailable)
    #expect(!health.beginProbe(isDue: false), "it counts from the start")
    #expect(health.begin(at: start))
    #expect(!health.beginProbe(isDue: true), "the outage is known")
  }

  @Test func `patience is spent by outages, and without any a run does not wait`() {
    let health = Subject()
    #expect(health.beginWaiting() == nil)
    #expect(!health.isOut)
    #expect(health.waited(isBack: false, at: start) == nil)
    #expect(health.begin(at: start))
    #expect(health.isOut)
    #expect(health.beginWaiting() == start + 60)
    #expect(health.beginWaiting() == nil, "once for each outage")
    #expect(health.waited(isBack: true, at: start + 45) == nil)
    #expect(!health.isOut)
    #expect(health.begin(at: start + 100))
    #expect(health.beginWaiting() == start + 115)
    #expect(health.waited(isBack: false, at: start + 115) == "503")
    #expect(!health.begin(at: start + 200), "all is spent")
    #expect(!health.isOut)
  }

  @Test func `a clock that went back gives no patience`() {
    let health = Subject()
    _ = health.begin(at: start)
    _ = health.beginWaiting()
    _ = health.waited(isBack: true, at: start - 500)
    _ = health.begin(at: start)
    #expect(health.beginWaiting() == start + 60)
  }

  @Test func `failures of before an outage do not count after it`() {
    let health = Subject()
    for _ in 0..<2 { _ = health.fetched(false) }
    for _ in 0..<2 { health.staged(isUnreached: true) }
    _ = health.begin(at: start)
    _ = health.beginWaiting()
    _ = health.waited(isBack: true, at: start)
    health.suspect("a")
    #expect(health.fetched(false) == nil)
    health.staged(isUnreached: true)
    #expect(!health.beginProbe(isDue: false))
  }
}
