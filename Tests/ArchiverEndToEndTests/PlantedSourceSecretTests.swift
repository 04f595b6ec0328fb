import ArchiverCore
import ArchiverTestKit
import Testing

/// Plants secrets in every kind of source, including programs, and searches for them in every
/// output.
@Suite struct PlantedSourceSecretTests {
  private static let header = "h3ader-planted-41d0aa"
  private static let password = "pa55word-planted-91bc"
  private static let signature = "s1gnature-planted-5e0c"
  private static let planted = [SourceStage.token, header, password, signature]

  @Test(arguments: BuiltInSource.allCases)
  func `no secret of a source is in the archive or in any output`(
    kind: BuiltInSource
  ) async throws {
    try await SourceStage.with(kind) { stage in
      let hasHeaders = kind != .notion
      if hasHeaders { try stage.configure("headers: { 'X-Api-Key': 'env:PLANTED' }, ") }
      plant(stage)
      let log = stage.home + "/run.log"
      let metrics = stage.home + "/run.prom"
      var outputs: [String] = []
      func run(_ words: [String], _ more: [String: String] = [:]) async throws {
        let variables = stage.environment.merging(["PLANTED": Self.header]) { $1 }
          .merging(more) { $1 }
        let result = try await Program.run(words, home: stage.home, environment: variables)
        outputs.append("\(words) \(result.code): \(result.output)\(result.error)")
      }
      let source = ["--source", kind.rawValue]
      try await run(["run", "-vv", "--log-file", log, "--metrics", metrics] + source)
      #expect(stage.bundles().count > SourceStage.count)
      #expect(stage.requests.contains { $0.headers["X-Api-Key"] == Self.header } == hasHeaders)
      #expect(stage.files.requests.count { $0.target.contains(Self.signature) } > 0)
      try await run(["run", "--force", "--json", "-vv"] + source)
      for words in [
        ["run", "--dry-run", "--force"], ["list", "--json"], ["list", "--failed"],
        ["status", "-v"],
        ["sources", "--json"], ["verify", "--json"], ["config", "show"], ["config", "check"],
        ["source", "test", kind.rawValue], ["doctor"], ["verify", "--repair"],
      ] { try await run(words) }
      // A server that echoes requests.
      stage.tamper { request, _ in
        let seen = request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        let text = JSONValue.object(["message": .string(seen), "code": .string(seen)])
        return .json("\(text)", status: 400)
      }
      try await run(["run", "-vv", "--log-file", log] + source)
      stage.tamper { request, _ in .text("\(request.headers)", type: "text/html", status: 401) }
      try await run(["run", "-vv", "--force"] + source)
      stage.tamper { request, _ in
        .redirect("http://127.0.0.1:1/?token=\(Self.signature)&key=\(Self.header)")
      }
      try await run(["run", "-vv", "--force"] + source)
      for secret in Self.planted {
        for output in outputs { #expect(!output.contains(secret), "\(secret) in \(output)") }
        let grep = try await Program.tool("grep", ["-rlaF", secret, stage.home])
        let lines = try await Program.tool("grep", ["-rhoaE", ".{60}\(secret).{9}", stage.archive])
        #expect(grep.code == 1, "\(secret) in \(grep.output)\(lines.output)")
      }
      let control = try await Program.tool("grep", ["-rlaF", "planted title", stage.archive])
      #expect(control.code == 0, "what is not secret is found; \(outputs[0])")
    }
  }

  /// Adds an item with links, pictures and files at addresses that carry a password and a signature.
  private func plant(_ stage: SourceStage) {
    let query = "X-Amz-Signature=\(Self.signature)&X-Amz-Credential=\(Self.signature)"
    let address =
      "http://reader:\(Self.password)@127.0.0.1:\(stage.files.port)/files/own.gif?\(query)"
    let page = "https://reader:\(Self.password)@example.org/page?access_token=\(Self.signature)"
    switch stage.kind {
    case .readeck:
      let html =
        "<p>words <a href=\"\(page.escapedForMarkup)\">link</a> "
        + "<a href=\"\(page.escapedForMarkup)\">\(page.escapedForMarkup)</a></p>"
        + "<img src=\"\(address.escapedForMarkup)\">"
      stage.readeck.add(FakeReadeck.Bookmark(url: page, title: "planted title", html: html))
      // A page without a title is named by its URL.
      stage.readeck.add(FakeReadeck.Bookmark(url: page + "&b=2", title: page, html: html))
    case .notion:
      let link: JSONValue = [
        "type": "text", "text": ["content": "link", "link": ["url": .string(page)]],
        "annotations": FakeNotion.plainAnnotations, "plain_text": "link", "href": .string(page),
      ]
      stage.notion.addPage(
        "planted title",
        blocks: [
          FakeBlock("image", ["type": "external", "external": ["url": .string(address)]]),
          FakeBlock("bookmark", ["url": .string(page), "caption": []]),
          FakeBlock("embed", ["url": .string(page), "caption": []]),
          FakeBlock("paragraph", ["rich_text": [link], "color": "default"]),
        ])
    case .books:
      stage.planted.set([address], [address.replacing("own.gif", with: "own.pdf")])
      stage.catalog.books.append(FakeCatalog.Book(1_000, title: "planted title", pdf: [0x25]))
    }
  }

  @Test func `no secret of a program is in the archive or in any output`() async throws {
    let secret = "pr0gram-secret-planted-8821"
    try await ProgramHome.with([]) { home in
      try home.install("leaky", Self.leaky)
      home.environment["LEAKY_TOKEN"] = secret
      var outputs: [String] = []
      func run(_ words: String...) async throws {
        let result = try await Program.run(
          words, home: home.folder, environment: home.environment)
        outputs.append("\(words) \(result.code): \(result.output)\(result.error)")
      }
      let log = home.folder + "/run.log"
      try await run("run", "--source", "leaky", "-vv", "--log-file", log)
      #expect(try home.bundles("leaky").count == 1)
      try await run("run", "--source", "leaky", "--json", "-vv", "--force")
      for words in [["list", "--failed"], ["status", "-v"], ["list", "--json"]] {
        try await run(words[0], words[1])
      }
      try await run("source", "test", "leaky")
      #expect(outputs[0].contains("the program says"), "its remarks are shown: \(outputs[0])")
      for output in outputs { #expect(!output.contains(secret), "\(output)") }
      let grep = try await Program.tool("grep", ["-rlaF", secret, home.folder])
      #expect(grep.code == 1, "\(grep.output)")
    }
  }

  /// Prints its token in every message.
  private static let leaky = #"""
    #!/bin/sh
    while IFS= read -r line; do
      token=$(printf '%s' "$line" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
      [ -n "$token" ] && kept=$token
      case $line in
        *'"describe"'*) echo '{"type":"description","protocol":1,"kind":"leaky","summary":"x","settings":[{"key":"token","type":"secret","help":"t"}]}' ;;
        *'"open"'*) echo '{"type":"ready"}' ;;
        *'"list"'*)
          echo "the program says $kept" >&2
          echo '{"type":"log","level":"warning","message":"the program says '$kept'"}'
          echo '{"type":"page","references":[{"id":"1","revision":"1","title":"One"},{"id":"2","revision":"1","title":"Two"}]}'
          echo '{"type":"done"}' ;;
        *'"id":"1"'*)
          echo '{"type":"item","metadata":{"title":"One","url":"https://example.org/?k='$kept'","summary":"'$kept'"},"html":"<p>words <a href=\"https://example.org/?k='$kept'\">x</a></p>","record":{"k":"'$kept'"},"notes":["'$kept'"]}' ;;
        *) echo '{"type":"error","code":"malformed","message":"the program says '$kept'"}' ;;
      esac
    done
    """#
}
