import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Testing

/// How a picture that is archived already is asked for again.
struct RevalidationTests {
  private static let path = "/pic/0-0.gif"

  /// Archives an item whose picture comes with these fields, then changes the item's text twice.
  private func thrice(
    _ headers: HTTPHeaders, then second: ServerResponse? = ServerResponse(304)
  ) async throws -> Bench.Fields {
    let source = ScriptedSource(count: 1)
    let picture = ScriptedSource.gif(RevalidationTests.path)
    source.picture(
      RevalidationTests.path, .data(picture, type: "image/gif", headers: headers))
    var fields = Bench.Fields()
    try await Bench.with(source) { (bench: Bench) async throws in
      for revision in 2...4 {
        #expect(try await bench.run().archived == 1)
        #expect(try bench.item("item0").missingImages == 0)
        #expect(try bench.page("item0").contains("assets/"))
        source.change("item0") {
          $0.revision = "\(revision)"
          $0.html = ($0.html ?? "") + "<p>More.</p>"
        }
        source.picture(RevalidationTests.path, second)
      }
      fields = bench.fields(RevalidationTests.path)
    }
    return fields
  }

  @Test func `an ETag goes back to the letter, alone, and outlives an answer without one`()
    async throws
  {
    // Unquoted and with the encoding's name, as Readeck makes them.
    let fields = try await thrice([
      "ETag": "b73dfe12e9222473-gzip", "Last-Modified": "Sat, 21 Nov 2026 00:00:33 GMT",
    ])
    #expect(fields.etags == [nil, "b73dfe12e9222473-gzip", "b73dfe12e9222473-gzip"])
    #expect(fields.dates == [nil, nil, nil])
  }

  @Test func `a date serves where there is no ETag`() async throws {
    let fields = try await thrice(["Last-Modified": "Sat, 21 Nov 2026 00:00:33 GMT"])
    #expect(
      fields.dates == [nil, "Sat, 21 Nov 2026 00:00:33 GMT", "Sat, 21 Nov 2026 00:00:33 GMT"])
    #expect(fields.etags == [nil, nil, nil])
  }

  @Test func `an item that changed asks for its images although they are good for a year`()
    async throws
  {
    let fields = try await thrice([
      "Cache-Control": "public, max-age=31536000", "ETag": "\"1\"",
    ])
    #expect(fields.etags == [nil, "\"1\"", "\"1\""])
  }

  @Test func `what is good for a year is not requested again by another item`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture(
      RevalidationTests.path,
      .data(
        ScriptedSource.gif("/p"), type: "image/gif",
        headers: ["Cache-Control": "public, max-age=31536000"]))
    try await Bench.with(source) { (bench: Bench) async throws in
      _ = try await bench.run()
      var other = ScriptedSource.article(1, pictures: 0)
      other.html = (other.html ?? "") + "<img src=\"\(RevalidationTests.path)\">"
      source.set(other)
      #expect(try await bench.run().archived == 1)
      #expect(bench.requests(RevalidationTests.path) == 1)
    }
  }

  @Test func `an image that is no longer available stays`() async throws {
    let fields = try await thrice(["ETag": "\"1\""], then: ServerResponse(404))
    #expect(fields.etags.count == 3)
  }
}
