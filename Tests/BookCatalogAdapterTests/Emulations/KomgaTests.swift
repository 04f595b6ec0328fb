import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// Komga, by both of its protocols.
@Suite struct KomgaTests {
  private static let starts = ["/opds/v1.2/catalog", "/opds/v2/catalog"]

  private func stage(
    _ komga: EmulatedKomga, _ start: String
  ) throws -> (stage: CatalogStage, server: SharedKomga) {
    let server = SharedKomga(komga)
    return (try CatalogStage({ server.response($0) }, path: start), server)
  }

  /// A library that changes between listings.
  private final class SharedKomga: Sendable {
    private let komga: Mutex<EmulatedKomga>
    init(_ komga: EmulatedKomga) { self.komga = Mutex(komga) }
    func response(_ request: ServerRequest) -> ServerResponse {
      komga.withLock { $0 }.response(request)
    }
    func change(_ body: (inout EmulatedKomga) -> Void) { komga.withLock { body(&$0) } }
  }

  /// OPDS 2.0 has one feed of all books, in pages of 20. In OPDS 1.2 each book is listed by its series
  /// and by the feed of new books.
  @Test(arguments: zip(starts, [145, 22]))
  func `400 books in 40 series are all listed, at a bounded cost`(
    start: String, ceiling: Int
  ) async throws {
    let (stage, _) = try stage(EmulatedKomga(bookCount: 400), start)
    let listed = try await stage.list()
    #expect(listed.references.count == 400)
    #expect(listed.isComplete && listed.gaps.isEmpty, "\(listed.gaps)")
    #expect(stage.paths().count <= ceiling, "\(stage.paths().count)")
  }

  @Test(arguments: starts)
  func `a book deleted while pages are read hides no other`(start: String) async throws {
    let komga = EmulatedKomga(bookCount: 60)
    let server = SharedKomga(komga)
    let stage = try CatalogStage(
      { request in
        defer {
          // The feed of new books begins with the highest number.
          if request.path.hasSuffix("books/latest"), request.parameter("page") == "1" {
            server.change { $0.books.removeAll { $0 == 55 } }
          }
        }
        return server.response(request)
      }, path: start)
    let listed = try await stage.list()
    let missing = (0..<60).filter { number in
      !listed.references.contains {
        $0.id.hasSuffix("0B\(number)") || $0.id.contains("0B\(number)/")
      }
    }
    #expect(Set(missing).subtracting([55]).isEmpty || !listed.isComplete, "\(missing)")
    #expect(listed.references.count >= 59 || !listed.isComplete)
  }

  @Test(arguments: starts)
  func `reading changes no book, a replaced file changes one, a deleted book is gone`(
    start: String
  ) async throws {
    let (stage, server) = try stage(EmulatedKomga(bookCount: 60), start)
    let first = try await stage.list()
    server.change { $0.reading = [17, 3] }
    let read = try await stage.list(since: first.checkpoint)
    #expect(read.isComplete && read.gaps.isEmpty, "\(read.gaps)")
    #expect(revisions(read) == revisions(first))
    #expect(titles(read) == titles(first))
    server.change {
      $0.replaced = [20]
      $0.books.removeAll { $0 == 31 }
    }
    let last = try await stage.list(since: read.checkpoint)
    #expect(last.isComplete && last.gaps.isEmpty, "\(last.gaps)")
    #expect(last.references.count == 59)
    let different = revisions(last).filter { revisions(first)[$0.key] != $0.value }
    #expect(different.keys.map(\.self).count == 1 && different.keys.first?.contains("0B20") == true)
  }

  private func revisions(_ listed: CatalogStage.Listed) -> [String: String] {
    Dictionary(listed.references.map { ($0.id, $0.revision) }) { first, _ in first }
  }

  private func titles(_ listed: CatalogStage.Listed) -> [String: String] {
    Dictionary(listed.references.map { ($0.id, $0.title) }) { first, _ in first }
  }
}
