import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// Which books are looked at again although the catalog lists them unchanged.
@Suite struct FileTurnTests {
  private static func clock(hour: Double) -> ArchiverClock {
    ArchiverClock(
      now: { Date(timeIntervalSince1970: 1_800_000_000 + hour * 3_600) }, sleep: { _ in })
  }

  private func revisited(
    _ count: Int, hour: Double, since checkpoint: Checkpoint?, link: String? = nil
  ) async throws -> (books: Set<String>, checkpoint: Checkpoint?) {
    let books = (0..<count).map { book("b\($0)", link) }.joined()
    let stage = try CatalogStage(pages: ["/opds": atom(books)], clock: Self.clock(hour: hour))
    var found: Set<String> = []
    var next = checkpoint
    for try await page in stage.adapter.listing(since: checkpoint) {
      found.formUnion(page.revisited)
      next = page.checkpoint ?? next
    }
    return (found, next)
  }

  @Test func `in fourteen nights each book has its turn once`() async throws {
    var (books, checkpoint) = try await revisited(300, hour: 0, since: nil)
    #expect(books.isEmpty, "the first listing has nothing to look at again")
    var turns: [String: Int] = [:]
    for night in 1...14 {
      (books, checkpoint) = try await revisited(300, hour: Double(night) * 24, since: checkpoint)
      #expect((5...45).contains(books.count), "night \(night): \(books.count)")
      for book in books { turns[book, default: 0] += 1 }
    }
    #expect(turns.count == 300 && turns.values.allSatisfy { $0 == 1 })
  }

  @Test func `hourly runs look at no more books than nightly ones`() async throws {
    var (books, checkpoint) = try await revisited(100, hour: 0, since: nil)
    var nights = 0
    for hour in 1...48 {
      (books, checkpoint) = try await revisited(100, hour: Double(hour), since: checkpoint)
      if !books.isEmpty { nights += 1 }
    }
    #expect(nights == 2)
  }

  @Test(arguments: [(3_000, 14), (20_000, 112), (1_000_000, 7_168)])
  func `in a large catalog about 250 books have their turn in a night`(books: Int, nights: Int) {
    let identities = (0..<min(books, 20_000)).map { "urn:book:\($0)" }
    var turn = FileTurn(number: 0, since: Date(), books: books)
    var first = 0
    for number in 0..<2 {
      turn.number = number * nights
      let taken = identities.count(where: turn.takes)
      // The same books after as many nights.
      if number == 0 { first = taken } else { #expect(taken == first) }
    }
    let expected = identities.count / nights
    #expect(abs(first - expected) <= 20 + expected / 2, "\(first) of \(expected)")
    #expect(books / nights <= 250)
  }

  @Test func `a checkpoint with odd values is read`() {
    for value in [Int.min, -1, Int.max] {
      let turn = FileTurn(number: value, since: Date.distantFuture, books: value)
      #expect(turn.isDue(at: Date()))
      _ = turn.takes("a")
      let next = FileTurn.after(turn, isTaken: true, books: 3, at: Date())
      #expect(next.number >= 0 && next.books == 3)
    }
  }

  @Test func `books of calibre and books without a file are not looked at again`() async throws {
    let calibre =
      "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/get/epub/1/L\"/>"
    let stream =
      "<link rel=\"http://vaemendis.net/opds-pse/stream\" type=\"image/jpeg\" href=\"/p/{pageNumber}\"/>"
    for link in [calibre, stream] {
      var (books, checkpoint) = try await revisited(60, hour: 0, since: nil, link: link)
      for night in 1...14 {
        (books, checkpoint) = try await revisited(
          60, hour: Double(night) * 24, since: checkpoint, link: link)
        #expect(books.isEmpty)
      }
    }
  }

  @Test(
    arguments: [
      (["Content-Length": "7"], 200, 7), (["Content-Length": "7", "ETag": "\"a\""], 200, nil),
      (["Content-Length": "7", "Last-Modified": "Sat, 21 Nov 2026 00:00:33 GMT"], 200, nil),
      (
        [
          "Content-Length": "7", "Last-Modified": "Sat, 21 Nov 2026 00:00:33 GMT",
          "Date": "Sat, 21 Nov 2026 00:00:33 GMT",
        ], 200, 7
      ),
      (["Content-Length": "0"], 200, nil),
      (["Content-Length": "7", "Content-Encoding": "gzip"], 200, nil),
      (["Content-Length": "1", "Content-Range": "bytes 0-0/7"], 206, 7),
      (["Content-Length": "1", "Content-Range": "bytes 0-0/*"], 206, nil),
    ] as [([String: String], Int, Int?)])
  func `the size that counts is that of a file without another mark`(
    fields: [String: String], status: Int, size: Int?
  ) async throws {
    let stage = try CatalogStage { request in
      guard request.path == "/f/a.epub" else { return .text(atom(book("a"))) }
      // Refused, so that the first byte is asked for.
      if request.method == "HEAD", status == 206 { return ServerResponse(405) }
      return ServerResponse(
        status, headers: HTTPHeaders(fields.map { HTTPHeaders.Field($0.key, $0.value) }))
    }
    let listed = try await stage.list()
    let item = try await stage.adapter.item(try #require(listed.references.first))
    #expect(item.attachments.map(\.servedByteCount) == [size])
  }
}
