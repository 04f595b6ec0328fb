import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// What a catalog has beside what is read is told, or kept.
@Suite struct LeftOutTests {
  private func item(
    _ entry: String, pages: [String: String] = ["/f/a.epub": "PK"]
  ) async throws -> SourceItem {
    var pages = pages
    pages["/opds"] = atom(entry)
    let stage = try CatalogStage(pages: pages)
    return try await stage.adapter.item(try #require(try await stage.list().references.first))
  }

  private func publication(_ metadata: String) async throws -> SourceItem {
    let feed = """
      {"metadata": {"title": "T"}, "links": [], "publications": [
        {"metadata": {"title": "A", "identifier": "a", \(metadata)},
         "links": [{"rel": "download", "href": "/a.epub", "type": "application/epub+zip"}]}]}
      """
    let stage = try CatalogStage(pages: ["/opds": feed, "/a.epub": "PK"])
    return try await stage.adapter.item(try #require(try await stage.list().references.first))
  }

  private func html(_ item: SourceItem) -> String {
    guard case .html(let bytes, _) = item.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `unknown elements with text are told once for each name`() async throws {
    let unknown =
      "<x:mood xmlns:x=\"urn:x\">calm</x:mood><x:mood xmlns:x=\"urn:x\">sad</x:mood>"
      + "<shelfmark>B 12</shelfmark><empty/>"
    let listed = try await CatalogStage(pages: [
      "/opds": atom(book("a", extra: unknown) + book("b", extra: unknown))
    ]).list()
    #expect(listed.gaps.count == 1 && listed.isComplete)
    #expect(listed.gaps.allSatisfy { !$0.isEssential })
    #expect(listed.gaps.first?.message.contains("2 names") == true, "\(listed.gaps)")
    #expect(listed.gaps.first?.message.contains("mood, shelfmark") == true, "\(listed.gaps)")
  }

  @Test func `elements of usual vocabularies are not told`() async throws {
    let usual =
      "<dcterms:extent xmlns:dcterms=\"http://purl.org/dc/terms/\">2 MB</dcterms:extent>"
      + "<calibre:rating xmlns:calibre=\"http://calibre.kovidgoyal.net/2009/metadata\">8</calibre:rating>"
      + "<thr:total xmlns:thr=\"http://purl.org/syndication/thread/1.0\">3</thr:total>"
      + "<m:credit xmlns:m=\"http://search.yahoo.com/mrss/\">N</m:credit>"
      + "<s:Rating xmlns:s=\"http://schema.org/\">4</s:Rating><source><title>S</title></source>"
    let listed = try await CatalogStage(pages: ["/opds": atom(book("a", extra: usual))]).list()
    #expect(listed.gaps.isEmpty, "\(listed.gaps)")
  }

  @Test func `unknown metadata of OPDS 2 is told`() async throws {
    let feed = """
      {"metadata": {"title": "T"}, "publications": [
        {"metadata": {"title": "A", "identifier": "a", "mood": "calm", "none": null, "sortAs": "A"},
         "links": [{"rel": "download", "href": "/a.epub", "type": "application/epub+zip"}]}]}
      """
    let listed = try await CatalogStage(pages: ["/opds": feed]).list()
    #expect(listed.gaps.count == 1 && listed.gaps.first?.message.contains("mood") == true)
  }

  @Test(arguments: ["", "<link type=\"text/html\" href=\"/c\"/>"])
  func `an entry that is no book and leads nowhere is told`(link: String) async throws {
    let idle = "<entry><title>Lost</title><id>l</id>\(link)</entry>"
    let search =
      "<entry><title>S</title><id>s</id><link rel=\"search\" type=\"application/atom+xml\" href=\"/s/{searchTerms}\"/></entry>"
    let listed = try await CatalogStage(pages: ["/opds": atom(idle + search + book("a"))]).list()
    #expect(listed.references.map(\.id) == ["a"] && listed.isComplete)
    #expect(listed.gaps.map(\.isEssential) == [false])
    #expect(listed.gaps.first?.message.contains("\"Lost\"") == true, "\(listed.gaps)")
  }

  @Test func `more entries than are remembered are no exact number`() async throws {
    let idle = (0...1_000).map { "<entry><title>Lost \($0)</title><id>l\($0)</id></entry>" }
    let listed = try await CatalogStage(pages: ["/opds": atom(idle.joined() + book("a"))]).list()
    #expect(listed.gaps.first?.message.contains("at least 1000 titles") == true, "\(listed.gaps)")
  }

  @Test func `a configured feed that the catalog does not have is told`() async throws {
    let stage = try CatalogStage(pages: ["/opds": atom(nav("one")), "/one": atom(book("a"))]) {
      $0.feeds = ["ONE", "Other"]
    }
    let listed = try await stage.list()
    #expect(listed.references.map(\.id) == ["a"])
    #expect(listed.gaps.count == 1 && listed.hasEssentialGap)
    #expect(listed.gaps.first?.message.contains("\"Other\"") == true, "\(listed.gaps)")
  }

  @Test func `a plain text that the summary does not contain is the description`() async throws {
    let text = "<summary>Short.</summary><content>A &lt; B, at length.\n\nAnd more.</content>"
    let both = try await item(book("a", extra: text))
    #expect(both.metadata.summary == "Short.")
    #expect(html(both) == "<p>A &lt; B, at length.</p><p>And more.</p>")
    let type = "<summary>File type: EPUB, 2 MB</summary><content type=\"text\">epub</content>"
    let told = try await item(book("a", extra: type))
    #expect(html(told) == "<p>File type: EPUB, 2 MB</p>")
    let medium = "<summary>A tale.</summary><content type=\"text\">application/epub+zip</content>"
    #expect(html(try await item(book("a", extra: medium))) == "<p>A tale.</p>")
    let other = "<summary>A tale of a long voyage.</summary><content>Signed.</content>"
    #expect(html(try await item(book("a", extra: other))) == "<p>Signed.</p>")
  }

  @Test func `what a description embeds reaches the pipeline, which counts it`() async throws {
    let content =
      "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>See <iframe src=\"/v\"/>"
      + "<video controls=\"controls\"><source src=\"/f.mp4\"/></video></p><script>x</script></div></content>"
    let text = html(try await item(book("a", extra: content)))
    #expect(text.contains("<iframe src=\"/v\"></iframe>"), "\(text)")
    #expect(text.contains("<source src=\"/f.mp4\"></video>"), "\(text)")
    #expect(!text.contains("script"))
  }

  @Test func `an image in a description is kept`() async throws {
    let content =
      "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>Map: <img src=\"/m.png\" alt=\"m\"/></p></div></content>"
    let item = try await item(book("a", extra: content))
    let text = html(item)
    #expect(text.contains("<img src=\"/m.png\" alt=\"m\">"), "\(text)")
  }

  @Test func `contributors beside authors, and subjects of Dublin Core, are kept`() async throws {
    let more =
      "<author><name>A</name></author><contributor><name>T</name></contributor>"
      + "<dc:subject xmlns:dc=\"http://purl.org/dc/elements/1.1/\">Sea</dc:subject>"
    let item = try await item(book("a", extra: more))
    #expect(item.metadata.authors == ["A"] && item.metadata.labels == ["Sea"])
    #expect(item.metadata.properties.contains(ItemProperty("Contributor", "T")))
  }

  @Test func `further series, collections and identifiers of OPDS 2 are kept`() async throws {
    let item = try await publication(
      """
      "altIdentifier": ["isbn:1", {"value": "2", "scheme": "x"}],
      "belongsTo": {"series": [{"name": "S", "position": 1}, {"name": "U", "position": 2}],
                    "collection": "C"}
      """)
    let properties = item.metadata.properties
    #expect(item.metadata.series == ItemSeries("S", position: "1"))
    for property in [
      ItemProperty("Series", "U [2]"), ItemProperty("Collection", "C"),
      ItemProperty("Identifier", "isbn:1"), ItemProperty("Identifier", "2"),
    ] {
      #expect(properties.contains(property), "\(property)")
    }
  }

  @Test func `one publication in place of a list is read`() async throws {
    let feed = """
      {"metadata": {"title": "T"}, "publications":
        {"metadata": {"title": "A", "identifier": "a"},
         "links": {"rel": "download", "href": "/a.epub", "type": "application/epub+zip"}}}
      """
    let listed = try await CatalogStage(pages: ["/opds": feed]).list()
    #expect(listed.references.map(\.id) == ["a"])
  }

  private static let calibre =
    "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\" href=\"/get/epub/7/lib\"/>"

  @Test func `columns of calibre that are left out are told`() async throws {
    let long = String(repeating: "x", count: 5_000)
    let record = """
      {"user_metadata": {"#a": {"name": "Long", "datatype": "text", "#value#": "\(long)"},
        "#b": {"datatype": "text", "#value#": "nameless"},
        "#c": {"name": "Empty", "datatype": "text", "#value#": null},
        "#d": {"name": "Years", "datatype": "text", "#value#": [1999, "2000"]}}}
      """
    let item = try await item(book("a", Self.calibre), pages: ["/ajax/book/7/lib": record])
    #expect(item.metadata.properties == [ItemProperty("Years", "1999, 2000")])
    #expect(item.notes.count == 1 && item.notes[0].contains(": 2."), "\(item.notes)")
  }

  @Test func `a file in calibre's record without a URL is missing`() async throws {
    let cover = "<link rel=\"http://opds-spec.org/image\" href=\"/get/cover/7/lib\"/>"
    let item = try await item(
      book("a", cover), pages: ["/ajax/book/7/lib": "{\"main_format\": {\"epub\": null}}"])
    #expect(item.missing.map(\.kind) == [.mainFile])
    #expect(item.notes.isEmpty, "\(item.notes)")
  }
}
