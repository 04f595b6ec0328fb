import ArchiverCore
import ArchiverTestKit
import Testing

/// Some catalogs know their readers by a key in the path of every address (Kavita).
@Suite struct AddressKeyTests {
  private static let key = "k3y-planted-in-the-path-4711"
  private static let prefix = "/api/opds/\(key)"

  @Test func `a key in a catalog's addresses is nowhere in the archive or in any output`()
    async throws
  {
    let server = try LoopbackServer(handler: Self.handler())
    defer { server.stop() }
    try await TemporaryFolder.with("key") { home in
      let url = "http://127.0.0.1:\(server.port)\(Self.prefix)/"
      var outputs: [String] = []
      func run(_ words: [String], _ url: String) async throws {
        let result = try await Program.run(
          words, home: home, environment: ["BOOKS_URL": url, "ARCHIVER_ARCHIVE": home + "/archive"])
        outputs.append("\(words) \(result.code): \(result.output)\(result.error)")
      }
      for words in [["run", "-s", "books", "-vv"], ["run", "-s", "books", "--json", "-vv"]] {
        try await run(words, url)
      }
      for words in [
        ["run", "-s", "books", "--dry-run", "--force"],
        ["list", "--json"], ["list", "--failed"], ["list", "--status", "all"], ["status"],
        ["sources"], ["sources", "--json"], ["source", "test", "books"],
      ] {
        try await run(words, url)
      }
      try await run(
        ["run", "-s", "books", "-vv"], "http://127.0.0.1:\(server.port)\(Self.prefix)/x")
      for output in outputs { #expect(!output.contains(Self.key), "\(output)") }
      let grep = try await Program.tool("grep", ["-rlaF", Self.key, home])
      #expect(grep.code == 1, "\(grep.output)")
      let control = try await Program.tool("grep", ["-rlaF", "Book 1", home + "/archive/books"])
      #expect(control.code == 0, "what is not secret is found; \(outputs[0])")
      let files = try await Program.tool("find", [home + "/archive/books", "-name", "*.epub"])
      #expect(files.output.split(separator: "\n").count == 2, "the key is sent: \(files.output)")
    }
  }

  /// A catalog under the key; one file is cut off, another is missing.
  private static func handler() -> LoopbackServer.Handler {
    { request in
      guard request.path.hasPrefix(prefix) else { return .text("not found", status: 404) }
      switch request.path.dropFirst(prefix.count) {
      case "/": return .text(feed, type: "application/atom+xml")
      case "/1.epub": return .data(Array("PK\u{3}\u{4} no book".utf8), type: "application/epub+zip")
      case "/2.epub" where request.method == "HEAD":
        return .data([], type: "application/epub+zip")
      case "/2.epub":
        return .data([UInt8](repeating: 0x50, count: 9_000), type: "application/epub+zip")
          .misbehaving(.truncateAfter(100))
      default: return .text("not found", status: 404)
      }
    }
  }

  private static let feed = """
    <feed xmlns="http://www.w3.org/2005/Atom"><id>f</id><title>T</title>
    \((1...3).map(entry).joined())
    <entry><title>Without an id</title><link rel="http://opds-spec.org/acquisition"
    type="application/epub+zip" href="\(prefix)/1.epub"/></entry></feed>
    """

  private static func entry(_ number: Int) -> String {
    """
    <entry><title>Book \(number)</title><id>urn:\(number)</id>
    <updated>2026-01-0\(number)T00:00:00Z</updated>
    <content type="html">&lt;p&gt;See &lt;a href="\(prefix)/about"&gt;more&lt;/a&gt;
    &lt;img src="\(prefix)/missing.png"&gt;&lt;/p&gt;</content>
    <link rel="http://opds-spec.org/image" type="image/png" href="\(prefix)/c\(number).png"/>
    <link rel="http://opds-spec.org/acquisition" type="application/epub+zip"
    href="\(prefix)/\(number).epub"/></entry>
    """
  }
}
