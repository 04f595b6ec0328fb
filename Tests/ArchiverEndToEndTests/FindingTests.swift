import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Searching, opening and exporting with the program itself.
@Suite struct FindingTests {
  private func archiver(
    _ stage: Stage, _ words: String...
  ) async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(words, home: stage.home, environment: stage.environment)
  }

  private func lines(_ output: String) throws -> [JSONValue] {
    try output.split(separator: "\n").map {
      try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
    }
  }

  @Test func `search finds what a run archived, with what was hit marked`() async throws {
    try await Stage.with(articles: 5) { stage in
      _ = try await stage.run()
      let found = try await archiver(stage, "search", "--json", "WORD59", "label:\"label 1\"")
      #expect(found.code == 0, "\(found.error)")
      #expect(found.error.isEmpty)
      let matches = try lines(found.output)
      #expect(Set(matches.compactMap { $0["title"]?.string }) == ["Article 1", "Article 4"])
      for match in matches {
        let snippet = Array(try #require(match["snippet"]?.string).unicodeScalars)
        let mark = try #require(match["marks"]?[0])
        let range = try #require(mark[0]?.integer)..<(try #require(mark[1]?.integer))
        #expect(String(String.UnicodeScalarView(snippet[range])) == "word59")
        let page = try #require(match["page"]?.string)
        #expect(FileManager.default.fileExists(atPath: page))
      }
      let text = try await archiver(stage, "search", "--max", "2", "word59")
      #expect(text.output.hasSuffix("2 of 5 items; --max shows more.\n"))
      let none = try await archiver(stage, "search", "nowhere")
      #expect(none.code == 0)
      #expect(none.output == "Nothing found.\n")
      #expect(none.error.isEmpty)
      let mistyped = try await archiver(stage, "search", "word59", "lable:x", "https://example.org")
      #expect(mistyped.output == "Nothing found.\n")
      #expect(
        mistyped.error
          == "archiver: unknown filter 'lable' was ignored; did you mean 'label:'?\n")
      let empty = try await archiver(stage, "search", "...")
      #expect(empty.code == 2)
    }
  }

  @Test func `search works beside a run, which site has to wait for`() async throws {
    try await Stage.with(articles: 5) { stage in
      _ = try await stage.run()
      stage.tamper { _, answer in answer.misbehaving(.delay(.seconds(30))) }
      let run = try Program.start(
        ["run", "--source", "readeck", "--quiet"], home: stage.home, environment: stage.environment)
      let connections = stage.server.connectionCount
      while stage.server.connectionCount == connections {
        try await Task.sleep(for: .milliseconds(5))
      }
      let found = try await archiver(stage, "search", "word59")
      #expect(found.code == 0)
      #expect(found.output.hasSuffix("5 items.\n"))
      let site = try await archiver(stage, "site")
      #expect(site.code == 5)
      #expect(site.error.contains("\(run.pid)"))
      run.signal(SIGKILL)
      _ = try await run.wait()
    }
  }

  @Test func `site makes the same library as the runs did`() async throws {
    try await Stage.with(articles: 6) { stage in
      _ = try await stage.run("--max", "2")
      _ = try await stage.run("--max", "2")
      _ = try await stage.run()
      let before = try await stage.publicFiles()
      let site = try await archiver(stage, "site", "--json")
      #expect(site.code == 0, "\(site.error)")
      #expect(try lines(site.output).first?["items"]?.integer == 6)
      let after = try await stage.publicFiles()
      #expect(before == after, "no file is touched")
      let text = try await Program.tool("rm", ["-r", stage.archive + "/library/text"])
      #expect(text.code == 0)
      let mended = try await archiver(stage, "site")
      #expect(mended.output.contains("shows 6 items; 6 files written"))
      #expect(Set(try await stage.publicFiles().keys) == Set(before.keys))
      let verify = try await stage.verify()
      #expect(verify.code == 0)
    }
  }

  @Test func `a catalog rebuilt finds everything again`() async throws {
    try await Stage.with(articles: 3) { stage in
      _ = try await stage.run()
      let repair = try await archiver(stage, "repair", "--catalog")
      #expect(repair.code == 0, "\(repair.error)")
      let found = try await archiver(stage, "search", "word59")
      #expect(found.error.isEmpty)
      #expect(found.output.hasSuffix("3 items.\n"))
    }
  }

  @Test func `open prints the page where there is no terminal`() async throws {
    try await Stage.with(articles: 3) { stage in
      let absent = try await archiver(stage, "open")
      #expect(absent.code == 4)
      _ = try await stage.run()
      let library = try await archiver(stage, "open")
      #expect(library.code == 0)
      #expect(library.output == "\(stage.archive)/index.html\n")
      let item = try await archiver(stage, "open", "article", "2")
      #expect(item.code == 0)
      let page = item.output.split(separator: "\n").joined()
      let html = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
      #expect(html.contains("<title>Article 2</title>"))
      let none = try await archiver(stage, "open", "nowhere")
      #expect(none.code == 1)
      #expect(none.output.isEmpty)
    }
  }

  @Test func `an exported page has everything inside it`() async throws {
    try await Stage.with(articles: 3) { stage in
      _ = try await stage.run()
      let file = stage.home + "/one.html"
      let export = try await archiver(stage, "export", "article 1", "--single-file", file)
      #expect(export.code == 0, "\(export.error)")
      let html = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
      #expect(html.contains("src=\"data:image/gif;base64,R0lGOD"))
      #expect(html.contains("img-src data:; media-src data:"))
      for address in ["=\"assets/", "=\"../", "'self'"] { #expect(!html.contains(address)) }
      #expect(html.contains("href=\"https://example.org/\""), "links to the web stay")
      let pipe = stage.home + "/pipe"
      mkfifo(pipe, 0o600)
      for form in ["--single-file", "--epub", "--wacz"] {
        let refused = try await archiver(
          stage, "export", "article 1", form, pipe, "--overwrite")
        #expect(refused.code == 2 && refused.error.contains("not a regular file"))
        let type = try FileManager.default.attributesOfItem(atPath: pipe)[.type]
        #expect(type as? FileAttributeType != .typeRegular)
      }
      let again = try await archiver(stage, "export", "article 1", "--single-file", file)
      #expect(again.code == 2)
      #expect(again.error.contains("--overwrite"))
      let many = try await archiver(
        stage, "export", "article", "--single-file", file, "--overwrite")
      #expect(many.code == 2)
      #expect(many.error.contains("Article 0") && many.error.contains("Article 2"))
    }
  }

  @Test func `an export that finds no room says so and leaves nothing`() async throws {
    try await Stage.with(articles: 0) { stage in
      // Words that no packing makes small.
      let words = (0..<20_000).map { String(UInt64($0 + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 36) }
      stage.readeck.add(
        FakeReadeck.Bookmark(
          url: "https://example.org/long", title: "Article 1",
          html: "<p>\(words.joined(separator: " "))</p>"))
      _ = try await stage.run()
      // No file may grow beyond 64 KiB, as on a disk that fills up.
      let script =
        "HOME='\(stage.home)'; export HOME; trap '' XFSZ; ulimit -f 128; exec \"$0\" export \"$@\""
      for form in ["--single-file", "--epub", "--wacz"] {
        let file = stage.home + "/export"
        let export = try await Program.tool(
          "sh",
          [
            "-c", script, Program.path, "article 1", "--archive", stage.archive, form, file,
          ])
        #expect(export.code == 4, "\(export.output)")
        #expect(export.output.contains("File too large"), "\(export.output)")
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.home)
        #expect(!left.contains { $0.hasPrefix("export") }, "\(left)")
      }
    }
  }

  @Test func `an exported page asks for nothing in a browser`() async throws {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    guard
      let browser = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await Stage.with(articles: 1) { stage in
      _ = try await stage.run()
      let file = stage.home + "/one.html"
      _ = try await archiver(stage, "export", "article 0", "--single-file", file)
      _ = try await browser.requests()
      _ = try await browser.log("browser")
      try await browser.open("file://\(file)")
      let broken = try await browser.runAsync(
        """
        const done = arguments[arguments.length - 1];
        const images = [...document.images];
        images.forEach(i => i.loading = 'eager');
        Promise.allSettled(images.map(i => i.decode())).then(() =>
          done([images.length, images.filter(i => i.naturalWidth === 0).length]));
        """)
      #expect(broken[0]?.integer ?? 0 >= 2)
      #expect(broken[1]?.integer == 0)
      let outside = try await browser.requests().filter {
        !$0.hasPrefix("data:") && $0 != "file://\(file)"
      }
      #expect(outside.isEmpty, "asks for \(outside)")
      #expect(try await browser.log("browser").isEmpty)
    }
    await browser.quit()
  }

  @Test func `a book has the chosen items and their images`() async throws {
    try await Stage.with(articles: 7) { stage in
      _ = try await stage.run()
      let file = stage.home + "/week.epub"
      let export = try await archiver(stage, "export", "--label", "Label 1", "--epub", file)
      #expect(export.code == 0, "\(export.error)")
      #expect(export.output.contains("Wrote 2 items"))
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
      // The name and the content of the first entry, at their fixed places (EPUB OCF 3.3, 4.3.2).
      #expect(bytes[30..<58].elementsEqual("mimetypeapplication/epub+zip".utf8))
      let again = stage.home + "/again.epub"
      _ = try await archiver(stage, "export", "--label", "Label 1", "--epub", again)
      #expect(try Data(contentsOf: URL(filePath: again)) == Data(bytes), "the same bytes")
      let none = try await archiver(
        stage, "export", "--label", "none", "--epub", file, "--overwrite")
      #expect(none.code == 2)
      let nothing = try await archiver(stage, "export", "--epub", stage.home + "/x.epub")
      #expect(nothing.code == 2)
      guard ChildProcess.find("ebook-meta") != nil else { return }
      let meta = try await Program.tool("ebook-meta", [file])
      #expect(meta.code == 0, "\(meta.output)")
      #expect(meta.output.contains("Label 1"))
    }
  }
}
