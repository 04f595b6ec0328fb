import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// Answers recorded from calibre-server 6.13 and Calibre-Web 0.6.27, beside the project.
enum RecordedFeeds {
  static let folder: String? = {
    var candidates = [String]()
    if let set = ProcessInfo.processInfo.environment["ARCHIVER_FIXTURES"] {
      candidates.append(set + "/books")
    }
    var parts = #filePath.split(separator: "/").map(String.init)
    while !parts.isEmpty {
      parts.removeLast()
      let root = "/" + parts.joined(separator: "/")
      if FileManager.default.fileExists(atPath: root + "/Package.swift") {
        candidates.append(root + "/../shared/fixtures/books")
        break
      }
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }()
}

@Suite(.enabled(if: RecordedFeeds.folder != nil, "the recorded feeds are not beside the project"))
struct RecordedFeedTests {
  private func feed(_ name: String) async throws -> CatalogFeed {
    let folder = try #require(RecordedFeeds.folder)
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name).xml")))
    let base = try #require(WebURL("http://books.test/opds"))
    let client = CatalogClient(
      base: base, http: HandlerHTTPClient(baseURL: base) { _ in .data(bytes) },
      hasCredential: false)
    guard case .feed(let feed) = try await client.document(base).0 else {
      throw ChildProcess.Failure("\(name) is no feed")
    }
    return feed
  }

  @Test(
    arguments: [
      ("calibre/opds-root", 0, nil), ("calibre/nav-authors", 0, nil),
      ("calibre/acq-bytitle-p1", 30, "offset=30"), ("calibre/acq-bytitle-p2", 7, nil),
      ("calibre-web/opds-root", 0, nil), ("calibre-web/opds-new-p1", 10, "offset=10"),
      ("calibre-web/opds-letter-all-p4", 7, nil), ("calibre-web/search-none", 0, nil),
    ] as [(String, Int, String?)])
  func `books and pages are told by content`(name: String, count: Int, next: String?) async throws {
    let feed = try await feed(name)
    #expect(feed.publications.count == count)
    #expect(feed.publications.allSatisfy { $0.identity != nil && !$0.title.isEmpty })
    if let next {
      #expect(feed.next?.contains(next) == true)
    } else {
      #expect(feed.next == nil)
    }
    if count == 0, !name.contains("search") { #expect(!feed.navigation.isEmpty) }
  }

  @Test(arguments: ["calibre/opds-root", "calibre-web/opds-root"])
  func `the whole library is one feed away`(name: String) async throws {
    let base = try #require(WebURL("http://books.test/opds"))
    let ways = Shortcut.complete(try await feed(name), base)
    #expect(ways.first?.address.contains("/opds/n") == true)
  }

  @Test func `an edited book has another revision, its file the same address`() async throws {
    let old = try await feed("calibre/acq-bytitle-p1").publications
    let old2 = try await feed("calibre/acq-bytitle-p2").publications
    let new = try #require(try await feed("calibre/acq-moby-after-edit").publications.first)
    let before = try #require((old + old2).first { $0.id == new.id })
    #expect(before.revision != new.revision)
    #expect(before.links.map(\.address) == new.links.map(\.address))
  }

  @Test func `what calibre writes before the description is read`() async throws {
    let book = try #require(
      try await feed("calibre/acq-bytitle-p1").publications.first { $0.title == "autoconf" })
    #expect(book.series == CatalogEntry.Series(name: "GNU & Debian Monthly", position: "1"))
    #expect(book.subjects == ["Magazine"])
    #expect(book.description == nil)
  }
}
