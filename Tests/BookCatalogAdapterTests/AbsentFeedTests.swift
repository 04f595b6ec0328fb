import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// A missing feed delays removals, but not forever.
@Suite struct AbsentFeedTests {
  /// A catalog of two feeds; the second is absent where `hasSecond` is false.
  private static func pages(hasSecond: Bool, extra: String = "") -> [String: String] {
    var pages = ["/opds": atom(nav("/one") + nav("/two") + extra), "/one": atom(book("a"))]
    if hasSecond { pages["/two"] = atom(book("b")) }
    return pages
  }

  private static func clock(day: Int) -> ArchiverClock {
    ArchiverClock(
      now: { Date(timeIntervalSince1970: 1_800_000_000 + Double(day) * 86_400) }, sleep: { _ in })
  }

  /// Lists on a day of the catalog; the second feed is there or not.
  private func night(
    _ day: Int, hasSecond: Bool = false, extra: String = "", since checkpoint: Checkpoint?
  ) async throws -> CatalogStage.Listed {
    let pages = Self.pages(hasSecond: hasSecond, extra: extra)
    return try await CatalogStage(pages: pages, clock: Self.clock(day: day)).list(since: checkpoint)
  }

  @Test func `a feed that named books is a gap for six complete listings and gone at the seventh`()
    async throws
  {
    var listed = try await night(0, hasSecond: true, since: nil)
    #expect(listed.isComplete && listed.gaps.isEmpty)
    // All of them on the day it was last listed.
    for round in 1...6 {
      listed = try await night(0, since: listed.checkpoint)
      #expect(!listed.isComplete && listed.hasEssentialGap, "round \(round)")
      #expect(listed.gaps.contains { $0.message.contains("/two") && $0.message.contains("404") })
    }
    listed = try await night(0, since: listed.checkpoint)
    #expect(listed.isComplete && !listed.hasEssentialGap)
    #expect(listed.references.map(\.id) == ["a"])
    #expect(listed.gaps.contains { $0.message.contains("/two") }, "it is still told")
    listed = try await night(0, since: listed.checkpoint)
    #expect(listed.isComplete && !listed.hasEssentialGap)
  }

  @Test func `a feed that was absent for fourteen days is gone`() async throws {
    var listed = try await night(0, hasSecond: true, since: nil)
    listed = try await night(1, since: listed.checkpoint)
    listed = try await night(14, since: listed.checkpoint)
    #expect(!listed.isComplete && listed.hasEssentialGap)
    listed = try await night(15, since: listed.checkpoint)
    #expect(listed.isComplete && !listed.hasEssentialGap)
  }

  @Test func `a feed that comes back begins again`() async throws {
    var listed = try await night(0, hasSecond: true, since: nil)
    for day in 1...6 { listed = try await night(day, since: listed.checkpoint) }
    listed = try await night(7, hasSecond: true, since: listed.checkpoint)
    #expect(listed.isComplete && listed.references.count == 2)
    for day in 8...13 {
      listed = try await night(day, since: listed.checkpoint)
      #expect(!listed.isComplete, "day \(day)")
    }
  }

  @Test func `a feed that never named anything is no loss, and hides no longer`() async throws {
    var listed = try await night(0, since: nil)
    for round in 1...6 {
      #expect(!listed.isComplete && !listed.hasEssentialGap, "round \(round)")
      listed = try await night(0, since: listed.checkpoint)
    }
    #expect(listed.isComplete && listed.gaps.isEmpty)
  }

  @Test func `listings with other gaps do not count`() async throws {
    var listed = try await night(0, hasSecond: true, since: nil)
    for _ in 1...20 {
      // An entry that links to a web page instead of a feed.
      let pages = Self.pages(hasSecond: false, extra: nav("/broken"))
        .merging(["/broken": "<!DOCTYPE html><html></html>"]) { $1 }
      listed = try await CatalogStage(pages: pages, clock: Self.clock(day: 1))
        .list(since: listed.checkpoint)
      #expect(!listed.isComplete)
    }
    listed = try await night(2, since: listed.checkpoint)
    #expect(!listed.isComplete && listed.hasEssentialGap)
  }

  @Test func `a further page that is absent is a gap for ever`() async throws {
    var pages = Self.pages(hasSecond: true)
    pages["/one"] = atom(
      book("a") + "<link rel=\"next\" type=\"application/atom+xml\" href=\"/one?p=2\"/>")
    var checkpoint: Checkpoint?
    for day in 0..<20 {
      let listed = try await CatalogStage(pages: pages, clock: Self.clock(day: day))
        .list(since: checkpoint)
      #expect(!listed.isComplete && listed.hasEssentialGap)
      checkpoint = listed.checkpoint
    }
  }

  @Test func `a checkpoint contains no key of the catalog's URL`() async throws {
    let stage = try CatalogStage(
      { request in
        request.path == "/api/opds/s3cretkey1"
          ? .text(atom(nav("/api/opds/s3cretkey1/new"))) : .text(atom(book("a")))
      }, path: "/api/opds/s3cretkey1")
    let checkpoint = try #require(try await stage.list().checkpoint)
    #expect(!checkpoint.value.contains("s3cret"))
    #expect(FeedMemory(checkpoint).named.count == 2)
  }

  @Test func `a clock that was ahead does not keep a feed for ever`() async throws {
    var listed = try await night(0, hasSecond: true, since: nil)
    listed = try await night(9_000, since: listed.checkpoint)
    listed = try await night(1, since: listed.checkpoint)
    listed = try await night(15, since: listed.checkpoint)
    #expect(listed.isComplete)
  }
}
