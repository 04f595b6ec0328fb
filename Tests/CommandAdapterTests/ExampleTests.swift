import ArchiverCore
import ArchiverTestKit
import Testing

@testable import CommandAdapter

/// The two example programs keep the contract.
@Suite struct ExampleTests {
  private static func program(_ name: String) -> SourceProgram {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return SourceProgram(
      name: name, path: "/\(root)/Scripts/examples/archiver-source-\(name)")
  }

  private static func violations(
    _ name: String, settings: [String: JSONValue]
  ) async throws -> [String] {
    try await conformance(of: program(name), settings: settings).violations()
  }

  @Test func `the folder of Markdown files keeps the contract`() async throws {
    try await TemporaryFolder.with("notes") { folder in
      try Data("# One\n\nHello *you*.\n".utf8).write(to: URL(filePath: folder + "/one.md"))
      try Data("plain \\ text\n".utf8).write(to: URL(filePath: folder + "/a \"b\" ü.md"))
      // An old file: Latin-1 in a heading and in a name.
      try Data(Array("# Caf".utf8) + [0xE9, 0x0A]).write(to: URL(filePath: folder + "/two.md"))
      let odd = Array(folder.utf8) + Array("/l".utf8) + [0xE9] + Array(".md".utf8) + [0]
      close(open(odd.map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT, 0o600))
      let violations = try await Self.violations("markdown", settings: ["path": .string(folder)])
      #expect(violations == [])
    }
  }

  static let rss = """
    <rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>One</title>\
    <link>/one</link><description>&lt;p&gt;x&lt;/p&gt;</description>\
    <pubDate>Tue, 17 Nov 2026 10:00:00 +0100</pubDate></item>\
    <item><guid>2</guid><title>Two</title></item></channel></rss>
    """
  static let atom = """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>1</id><title>One</title>\
    <updated>2026-11-17T10:00:00Z</updated><content type="xhtml"><div \
    xmlns="http://www.w3.org/1999/xhtml"><p>x</p></div></content></entry>\
    <entry><id>2</id><title>Two</title><content>a &lt; b</content></entry></feed>
    """

  @Test(arguments: [rss, atom])
  func `the feed reader keeps the contract`(feed: String) async throws {
    let server = try LoopbackServer { request in
      ServerResponse(200, headers: ["Content-Type": "text/xml"], body: .bytes(Array(feed.utf8)))
    }
    defer { server.stop() }
    let violations = try await Self.violations(
      "feed", settings: ["url": .string(server.baseURL.absoluteString)])
    #expect(violations == [])
  }
}
