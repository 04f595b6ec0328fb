import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// Programs as sources, from their installation to the library, with the built `archiver`.
@Suite struct ProgramSourceTests {
  @Test func `the feed reader keeps the contract and archives a feed`() async throws {
    try await ProgramHome.with(["feed"]) { home in
      let feed = FeedServer()
      let server = try LoopbackServer(handler: { feed.answer($0) })
      defer { server.stop() }
      feed.pictureAddress.withLock { $0 = server.baseURL.absoluteString + "/picture.gif" }
      home.environment["FEED_URL"] = server.baseURL.absoluteString + "/feed.xml"

      let check = try await home.archiver("source", "test", "feed")
      #expect(check.code == 0, "\(check.output)\(check.error)")
      #expect(check.output.contains("feed keeps the contract"), "\(check.output)")

      let first = try await home.run("feed")
      #expect(first.code == 0 && first.summary["archived"]?.integer == 3, "\(first.summary)")
      #expect(first.summary["images"]?.integer == 1)
      let page = try home.page(of: "feed", containing: "The first entry")
      #expect(page.contains("<strong>bold</strong>") && page.contains("assets/"))
      #expect(!page.contains("alert("))
      let index = try home.text("index.html")
      for title in ["The first entry", "Größe &amp; Maß", "No text"] {
        #expect(index.contains(title), "\(title) is not in the library")
      }

      let second = try await home.run("feed")
      #expect(second.code == 0 && second.summary["archived"]?.integer == 0)
      feed.firstText.withLock { $0 = "changed text" }
      let third = try await home.run("feed")
      #expect(third.summary["archived"]?.integer == 1, "\(third.summary)")
      #expect(try home.page(of: "feed", containing: "The first entry").contains("changed text"))

      feed.status.withLock { $0 = 500 }
      let down = try await home.run("feed")
      #expect(down.code == 3)
      feed.status.withLock { $0 = 401 }
      let refused = try await home.archiver("run", "--source", "feed", "--quiet")
      #expect(refused.code == 3 && refused.error.contains("refused the login"), "\(refused.error)")
      let verify = try await home.archiver("verify")
      #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    }
  }

  @Test func `a folder of Markdown files keeps the contract and is archived`() async throws {
    try await ProgramHome.with(["markdown"]) { home in
      let notes = home.folder + "/my notes"
      try FileManager.default.createDirectory(
        atPath: notes + "/sub folder", withIntermediateDirectories: true)
      func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: "\(notes)/\(name)"))
      }
      try write("a.md", Array("# First note\n\n- *one*\n- two\n\n![p](p.gif)\n".utf8))
      try write("p.gif", Stage.gif("note"))
      try write("sub folder/b \"ü\".md", Array("Text with <b>, `code` & more\n".utf8))
      try write("c.md", Array("## Third\n\n<script>alert(1)</script>\n".utf8))
      try write("not.txt", Array("no note".utf8))
      home.environment["MARKDOWN_PATH"] = notes

      let check = try await home.archiver("source", "test", "markdown")
      #expect(check.code == 0, "\(check.output)\(check.error)")
      let first = try await home.run("markdown")
      #expect(first.code == 0 && first.summary["archived"]?.integer == 3, "\(first.summary)")
      let page = try home.page(of: "markdown", containing: "First note")
      #expect(page.contains("<em>one</em>") && page.contains("<img"))
      #expect(
        try home.page(of: "markdown", containing: "Third").contains("&lt;script&gt;alert(1)"))
      let index = try home.text("index.html")
      #expect(
        index.contains("First note")
          && (index.contains("b \"ü\"") || index.contains("b &quot;ü&quot;")))

      try write("a.md", Array("# First note\n\nrewritten\n".utf8))
      try FileManager.default.removeItem(atPath: notes + "/c.md")
      let second = try await home.run("markdown", "--on-deleted", "remove")
      #expect(second.summary["archived"]?.integer == 1, "\(second.summary)")
      #expect(try home.bundles("markdown").count == 2)
      #expect(try home.page(of: "markdown", containing: "First note").contains("rewritten"))
    }
  }

  @Test func `every attached image is on the page`() async throws {
    try await ProgramHome.with([]) { home in
      let pictures = ["one", "two", "three"].map { name in
        "printf '%s' '\(Data(Stage.gif(name)).base64EncodedString())' | base64 -d >\"$ARCHIVER_FOLDER/\(name).gif\""
      }
      try home.install(
        "sample",
        ProgramHome.program(
          "sample",
          item: pictures.joined(separator: "; ")
            + #"; echo '{"type":"item","metadata":{"title":"Trip"},"reason":"Photos only.","attachments":["#
            + #"{"role":"image","file":"one.gif"},{"role":"image","file":"two.gif","caption":"Second"},"#
            + #"{"role":"image","file":"three.gif"}]}'"#))
      #expect(try await home.run("sample").code == 0)
      let page = try home.page(of: "sample", containing: "Trip")
      #expect(page.contains("Second") && page.contains("three.gif") && !page.contains("one.gif"))
      #expect(page.components(separatedBy: "href=\"assets/").count == 3)
      #expect(page.contains("src=\"assets/"))
    }
  }

  @Test(arguments: ["notReady", "unavailable"])
  func `items that a source cannot deliver at the moment break no rule`(code: String) async throws {
    try await ProgramHome.with([]) { home in
      try home.install(
        "sample",
        """
        #!/bin/sh
        while IFS= read -r line; do
          case $line in
            *'"describe"'*) echo '{"type":"description","protocol":1,"kind":"sample","summary":"x"}' ;;
            *'"open"'*) echo '{"type":"ready"}' ;;
            *'"request":"list"'*)
              echo '{"type":"page","references":[{"id":"1","revision":"1"},{"id":"2","revision":"1"},{"id":"3","revision":"1"}]}'
              echo '{"type":"done"}' ;;
            *'"id":"1"'*) echo '{"type":"error","code":"\(code)","message":"later"}' ;;
            *'"id":"2"'*|*'"id":"3"'*) echo '{"type":"item","metadata":{"title":"T"},"html":"<p>a</p>"}' ;;
            *) echo '{"type":"error","code":"notFound","message":"gone"}' ;;
          esac
        done
        """)
      let check = try await home.archiver("source", "test", "sample")
      #expect(check.code == 0, "\(check.output)\(check.error)")
    }
  }

  /// A program's fault on a request for an item, and part of the message.
  static let misdeeds: [(name: String, action: String, words: String)] = [
    ("crash", "kill -9 $$", "killed by signal 9"),
    ("garbage", "echo '<html>'", "not a JSON object"),
    (
      "flood", "head -c 70000000 /dev/zero | tr '\\0' x",
      "line that is too long (64M, a fixed limit)"
    ),
    ("lie", #"echo '{"type":"ready"}'"#, "something other than an item"),
  ]

  @Test(arguments: misdeeds)
  func `a program that misbehaves fails its items, the run ends with 1, another is run`(
    name: String, action: String, words: String
  ) async throws {
    try await ProgramHome.with(["markdown"]) { home in
      let notes = home.folder + "/notes"
      try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
      try Data("# Good\n".utf8).write(to: URL(filePath: notes + "/good.md"))
      try home.configure("sources: { markdown: { path: '\(notes)' }, \(name): {} }")
      try home.install(name, ProgramHome.program(name, item: action))
      let result = try await home.archiver("run", "--max", "5")
      #expect(result.code == 1, "\(result.output)\(result.error)")
      #expect((result.output + result.error).contains(words), "\(result.output)\(result.error)")
      #expect(try home.bundles("markdown").count == 1)
      #expect((try? home.bundles(name).count) ?? 0 == 0)
    }
  }

  @Test func `a program of another version, or a broken one, is listed with the reason`()
    async throws
  {
    try await ProgramHome.with(["feed"]) { home in
      try home.install(
        "future",
        "#!/bin/sh\nread line\necho '{\"type\":\"description\",\"protocol\":2,\"kind\":\"future\",\"summary\":\"x\"}'\n"
      )
      try home.install("broken", "#!/no/such/interpreter\n")
      let sources = try await home.archiver("sources")
      #expect(sources.code == 0, "\(sources.error)")
      // Lines are wrapped somewhere, after the length of the folder's name.
      let text = sources.output.split { $0.isWhitespace }.joined(separator: " ")
      #expect(text.contains("version 2 of the protocol"), "\(text)")
      #expect(text.contains("cannot be started"), "\(text)")
      #expect(sources.output.contains("FEED_URL"), "\(sources.output)")
      let test = try await home.archiver("source", "test", "future")
      #expect(test.code == 3 && test.error.contains("version 2"), "\(test.error)")
    }
  }
}

/// A feed of three entries, one with a picture of its own server.
private final class FeedServer: Sendable {
  let firstText = Mutex("<strong>bold</strong>")
  let status = Mutex(200)
  let pictureAddress = Mutex("")

  func answer(_ request: ServerRequest) -> ServerResponse {
    let status = status.withLock { $0 }
    guard status == 200 else { return ServerResponse(status) }
    if request.path.hasSuffix(".gif") {
      return ServerResponse(
        200, headers: ["Content-Type": "image/gif"], body: .bytes(Stage.gif("feed")))
    }
    return ServerResponse(
      200, headers: ["Content-Type": "application/rss+xml"], body: .bytes(Array(document.utf8)))
  }

  private var document: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0"><channel><title>Feed</title><link>https://example.org/</link>
    <item><guid>1</guid><title>The first entry</title><link>https://example.org/1</link>
    <pubDate>Tue, 17 Nov 2026 10:00:00 +0100</pubDate>
    <description><![CDATA[<p>\(firstText.withLock { $0 })</p><script>alert(1)</script>
    <img src="\(pictureAddress.withLock { $0 })" alt="A picture">]]></description></item>
    <item><guid>2</guid><title>Größe &amp; Maß</title><link>/2</link><pubDate>soon</pubDate>
    <description>&lt;p&gt;Words&lt;/p&gt;</description></item>
    <item><guid>3</guid><title>No text</title></item>
    </channel></rss>
    """
  }
}
