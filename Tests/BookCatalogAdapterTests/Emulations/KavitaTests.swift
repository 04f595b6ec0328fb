import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

@Suite struct KavitaTests {
  /// A library that changes between listings.
  private final class Shared: Sendable {
    private let kavita: Mutex<EmulatedKavita>
    init(_ kavita: EmulatedKavita) { self.kavita = Mutex(kavita) }
    func response(_ request: ServerRequest) -> ServerResponse {
      kavita.withLock { $0 }.response(request)
    }
    func change(_ body: (inout EmulatedKavita) -> Void) { kavita.withLock { body(&$0) } }
  }

  private func stage(_ bookCount: Int) throws -> (stage: CatalogStage, server: Shared) {
    let server = Shared(EmulatedKavita(bookCount: bookCount))
    return (
      try CatalogStage({ server.response($0) }, path: EmulatedKavita.start), server
    )
  }

  private func revisions(_ listed: CatalogStage.Listed) -> [String: String] {
    Dictionary(listed.references.map { ($0.id, $0.revision) }) { first, _ in first }
  }

  /// Each series has a feed of its own; the lists of series have 20 a page.
  @Test func `400 books in 40 series are all listed with at most 70 requests`() async throws {
    let (stage, _) = try stage(400)
    let listed = try await stage.list()
    #expect(listed.references.count == 400)
    #expect(listed.isComplete && listed.gaps.isEmpty, "\(listed.gaps)")
    #expect(stage.paths().count <= 70, "\(stage.paths().count)")
  }

  @Test func `a genre of the day, progress and time change nothing; what left is gone`()
    async throws
  {
    let (stage, server) = try stage(400)
    let first = try await stage.list()
    for day in 2...4 {
      server.change {
        $0.genre = day
        $0.progress = [3: day, 17: 2]
      }
      let next = try await stage.list(since: first.checkpoint)
      #expect(next.isComplete && next.gaps.isEmpty, "\(next.gaps)")
      #expect(revisions(next) == revisions(first))
    }
    server.change {
      $0.books.removeAll { $0 == 31 }
      $0.sizes[20] = 25
    }
    let last = try await stage.list(since: first.checkpoint)
    #expect(last.isComplete && last.gaps.isEmpty, "\(last.gaps)")
    #expect(Set(revisions(first).keys).subtracting(revisions(last).keys) == ["31"])
    let different = revisions(last).filter { revisions(first)[$0.key] != $0.value }
    #expect(Array(different.keys) == ["20"])
  }
}
