import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// Which of several files of a book are taken, and that the others are told.
@Suite struct FileChoiceTests {
  private static func file(
    _ href: String, type: String = "application/epub+zip", title: String = ""
  ) -> String {
    "<link rel=\"http://opds-spec.org/acquisition\" type=\"\(type)\" href=\"\(href)\" title=\"\(title)\"/>"
  }

  private static func parts(_ count: Int) -> String {
    (1...count).map { file("/f/\($0).mp3", type: "audio/mpeg") }.joined()
  }

  private func item(
    _ links: String, dead: Set<String> = [],
    _ change: (inout BookCatalogConfiguration) -> Void = { _ in }
  ) async throws -> SourceItem {
    let stage = try CatalogStage(
      { request in
        if request.path == "/opds" { return .text(atom(book("a", links))) }
        return dead.contains(request.path) ? ServerResponse(404) : .data(Array("PK".utf8))
      }, change)
    return try await stage.adapter.item(try #require(try await stage.list().references.first))
  }

  private func paths(_ item: SourceItem) -> [String] {
    item.targets.map { String(($0 ?? "").dropFirst(CatalogStage.base.count)) }
  }

  @Test func `all parts of an audiobook are taken`() async throws {
    let item = try await item(Self.parts(12))
    #expect(paths(item) == (1...12).map { "/f/\($0).mp3" })
    #expect(item.attachments.first?.caption == "a (MP3), file 1")
    #expect(Set(item.attachments.map(\.name)).count == 12)
    #expect(item.notes.isEmpty && item.missing.isEmpty)
  }

  @Test func `a part of an audiobook that is gone costs only itself`() async throws {
    let item = try await item(Self.parts(3) + Self.file("/f.pdf"), dead: ["/f.pdf", "/f/2.mp3"]) {
      $0.formats = ["mp3"]
    }
    #expect(paths(item) == ["/f/1.mp3", "/f/2.mp3", "/f/3.mp3"], "the download reports it")
  }

  @Test func `a part of an audiobook without a URL is missing`() async throws {
    let item = try await item(Self.parts(2) + Self.file("", type: "audio/mpeg"))
    #expect(paths(item) == ["/f/1.mp3", "/f/2.mp3"])
    #expect(item.missing.map(\.kind) == [.file] && item.missing.allSatisfy(\.isEssential))
  }

  @Test func `an added part of an audiobook is a change of the book`() async throws {
    func revision(_ count: Int) async throws -> String? {
      try await CatalogStage(pages: ["/opds": atom(book("a", Self.parts(count)))]).list()
        .references.first?.revision
    }
    #expect(try await revision(12) == revision(12))
    #expect(try await revision(12) != revision(13))
  }

  @Test func `files of one format that are left out are told`() async throws {
    let links =
      Self.file("/one.epub") + Self.file("/two.epub") + Self.file("/two.epub")
      + Self.file("/f.pdf", type: "application/pdf")
    let single = try await item(links)
    #expect(paths(single) == ["/one.epub"])
    #expect(single.notes.count == 1 && single.notes[0].contains("another EPUB file"))
    let all = try await item(links + Self.file("/three.epub")) { $0.allFormats = true }
    #expect(paths(all) == ["/one.epub", "/f.pdf"])
    #expect(all.notes.count == 1 && all.notes[0].contains("2 more EPUB files"))
  }

  @Test func `another file of the same format is taken where the first one is gone`() async throws {
    let links =
      Self.file("/one.epub") + Self.file("/two.epub")
      + Self.file("/f.pdf", type: "application/pdf")
    let item = try await item(links, dead: ["/one.epub"])
    #expect(paths(item) == ["/two.epub"])
    #expect(item.notes.count == 1 && item.notes[0].contains("could not be downloaded"))
  }

  @Test func `a book of many dead files costs a bounded number of requests`() async throws {
    let links = (1...300).map { Self.file("/\($0).epub") }.joined()
    let stage = try CatalogStage { request in
      request.path == "/opds" ? .text(atom(book("a", links))) : ServerResponse(404)
    }
    _ = try await stage.adapter.item(try #require(try await stage.list().references.first))
    #expect(stage.paths().count <= 45, "\(stage.paths().count)")
  }

  @Test(arguments: [
    "application/atom+xml", "application/atom+xml;profile=opds-catalog;kind=acquisition",
    "application/opds+json",
  ])
  func `a link that leads to a feed instead of a file is counted`(type: String) async throws {
    let feed = Self.file("/feed", type: type)
    let without = try await item(feed)
    #expect(without.attachments.isEmpty && without.notes.isEmpty)
    #expect(without.missing.map(\.kind) == [.mainFile])
    #expect(without.missing.allSatisfy { $0.isEssential && $0.isPermanent })
    let with = try await item(feed + Self.file("/f.epub"))
    #expect(paths(with) == ["/f.epub"])
    #expect(with.missing.map(\.kind) == [.file])
    #expect(with.missing.allSatisfy { !$0.isEssential && $0.isPermanent })
  }

  @Test func `a feed in place of a file of a book on loan is no missing file of it`() async throws {
    let loan = "<link rel=\"http://opds-spec.org/acquisition/borrow\" href=\"/b\"/>"
    let item = try await item(Self.file("/feed", type: "application/atom+xml") + loan)
    #expect(item.missing.map(\.isEssential) == [false])
    #expect(item.notes.first?.contains("lends") == true)
  }

  @Test func `a broken link beside a file is told`() async throws {
    let item = try await item(
      Self.file("ftp://books.test/a.epub") + Self.file("/f.pdf", type: "application/pdf"))
    #expect(paths(item) == ["/f.pdf"])
    #expect(item.notes.count == 1 && item.notes[0].contains("not an http or https URL"))
    #expect(item.missing.isEmpty)
  }
}
