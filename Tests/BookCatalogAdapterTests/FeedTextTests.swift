import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// Characters and text of feeds.
@Suite struct FeedTextTests {
  private func titles(_ bytes: [UInt8], type: String = "application/atom+xml") async throws
    -> [String]
  {
    let stage = try CatalogStage { _ in .data(bytes, type: type) }
    return try await stage.list().references.map(\.title)
  }

  private func titled(_ title: String) -> String {
    book("a").replacing("<title>a</title>", with: title)
  }

  @Test(arguments: [
    ("<title type=\"html\">A &lt;b&gt;bold&lt;/b&gt; &amp;amp; more</title>", "A bold & more"),
    ("<title>A &lt;b&gt;</title>", "A <b>"), ("<title>R&D and more</title>", "R&D and more"),
    ("<title>caf&eacute; &nosuch; &#233;</title>", "café &nosuch; é"),
    ("<title><![CDATA[R&D]]> & co</title>", "R&D & co"),
  ])
  func `titles say what they said`(title: String, expected: String) async throws {
    #expect(try await titles(Array(atom(titled(title)).utf8)) == [expected])
  }

  @Test func `a charset that only the header names holds`() async throws {
    let text = "<feed><title>T</title>\(titled("<title>caf\u{E9}</title>"))</feed>"
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let type = "application/atom+xml;charset=ISO-8859-1"
    #expect(try await titles(bytes, type: type) == ["café"])
    #expect(try await titles(bytes) == ["café"], "and where nobody names one")
  }

  @Test(arguments: [
    ("ISO-8859-1", "UTF-8", false, false), ("UTF-8", "ISO-8859-1", true, false),
    ("ISO-8859-1", "ISO-8859-1", true, true), ("ISO-8859-1", "UTF-8", true, false),
    (nil, "iso-8859-1", false, false), ("utf-8", "ISO-8859-1", false, false),
  ])
  func `the header outranks the XML declaration, and a byte order mark both`(
    header: String?, declared: String, isUTF8: Bool, hasMark: Bool
  ) async throws {
    let text =
      (hasMark ? "\u{FEFF}" : "") + "<?xml version='1.0' encoding='\(declared)'?>"
      + "<feed><title>T</title>\(titled("<title>caf\u{E9}</title>"))</feed>"
    let bytes =
      isUTF8
      ? Array(text.utf8) : text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let type = "application/atom+xml" + (header.map { ";charset=\($0)" } ?? "")
    #expect(try await titles(bytes, type: type) == ["café"])
  }

  @Test func `bytes of another encoding in a feed of UTF-8 cost no book`() async throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><feed><title>T</title>"
      + book("é") + book("MARK") + book("z") + "</feed>"
    var bytes = Array(text.utf8)
    let place = try #require(bytes.firstRange(of: Array("MARK".utf8)))
    // “café” in Windows-1252.
    bytes.replaceSubrange(place, with: [0x93, 0x63, 0x61, 0x66, 0xE9, 0x94])
    let feed = bytes
    let listed = try await CatalogStage { _ in .data(feed, type: "application/atom+xml") }.list()
    #expect(listed.references.map(\.title) == ["é", "“café”", "z"])
    #expect(listed.gaps.isEmpty)
  }

  @Test(arguments: [true, false])
  func `feeds in UTF-16 are read`(isBig: Bool) async throws {
    let text =
      "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?>"
      + "<feed><title>T</title>\(titled("<title>漢字</title>"))</feed>"
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? pair : pair.reversed()
    }
    #expect(try await titles(bytes) == ["漢字"])
  }

  @Test(arguments: [
    "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/atom+xml;type=entry\" href=\"/e\"/>",
    "<link rel=\"alternate\" type=\"application/atom+xml;type=entry\" href=\"/e\"/>",
  ])
  func `a book behind an entry of its own is found`(link: String) async throws {
    let whole = book("a").replacing(
      "<entry>", with: "<entry xmlns=\"http://www.w3.org/2005/Atom\">")
    let stage = try CatalogStage(pages: [
      "/opds": atom(book("a", link)), "/e": whole, "/f/a.epub": "PK",
    ])
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.attachments.count == 1)
    #expect(item.notes.isEmpty)
  }

  /// Archives a stream of a catalog that has this many pages.
  private func stream(
    _ count: String, has pages: Int, address: String = "/p/{pageNumber}", beyond: Int = 404
  ) async throws -> (item: SourceItem, requests: Int) {
    let link =
      "<link rel=\"http://vaemendis.net/opds-pse/stream\" xmlns:pse=\"p\"\(count) type=\"image/jpeg\" href=\"\(address)\"/>"
    let stage = try CatalogStage { request in
      if request.path == "/opds" { return .text(atom(book("a", link))) }
      guard let page = Int(request.path.dropFirst(3)), page < pages else {
        return .text("no such page", status: beyond)
      }
      return .data([0xFF, 0xD8, 0xFF], type: "image/jpeg")
    }
    let reference = try #require(try await stage.list().references.first)
    let before = stage.paths().count
    let item = try await stage.adapter.item(reference)
    return (item, stage.paths().count - before)
  }

  @Test(arguments: ["", " pse:count=\"0\"", " pse:count=\"-3\""], [1, 2, 3, 70, 1_000])
  func `the pages of a stream that does not count them are counted`(
    count: String, pages: Int
  ) async throws {
    let (item, requests) = try await stream(count, has: pages)
    #expect(item.missing.isEmpty)
    guard case .html(let bytes, _) = item.body else {
      Issue.record("no pages")
      return
    }
    let html = String(decoding: bytes, as: UTF8.self)
    #expect(html.contains("/p/\(pages - 1)\"") && !html.contains("/p/\(pages)\""))
    #expect(requests <= 24)
  }

  @Test(arguments: [0, 1_000_000])
  func `a stream whose pages cannot be counted is a missing file`(pages: Int) async throws {
    let (item, requests) = try await stream("", has: pages)
    #expect(item.missing.map(\.kind) == [.mainFile])
    #expect(requests <= 24)
  }

  @Test(arguments: [401, 403, 408, 429, 502, 503, 504])
  func `a failure that may pass is not taken for a comic's end`(status: Int) async throws {
    let (item, _) = try await stream("", has: 40, beyond: status)
    #expect(item.missing.map(\.kind) == [.mainFile])
    #expect(item.missing.map(\.isPermanent) == [false])
  }

  @Test func `pages beyond the limit and streams of unknown URLs are reported`() async throws {
    let long = try await stream(" pse:count=\"2100\"", has: 2_100).item
    #expect(long.missing.map(\.name) == ["100 pages of \"a\""])
    let odd = try await stream(" pse:count=\"5\"", has: 5, address: "/p/{pageNumber}?k={key}").item
    #expect(odd.missing.map(\.kind) == [.mainFile])
  }
}
