import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Archives content with scripts and checks in a browser that none runs.
@Suite(.serialized) struct HostileContentTests {
  @Test func `the canary notices a script, a handler, an address and a request`() async throws {
    try await withCanary { canary in
      let planted = [
        "<script>alert(1)</script>": "alert(1)", "<img src=x onerror=alert(2)>": "alert(2)",
        "<b onmouseover=alert(3)>b</b>": "alert(3)",
        "<iframe src=\"javascript:alert(4)\"></iframe>": "<iframe>",
        "<a href=\" java\tscript:alert(5)\">x</a>": "<a href=",
        "<img src=\"http://127.0.0.1:9/x\">": "asked for http",
        "<meta http-equiv=refresh content=\"0;url=about:blank\">": "went to about:blank",
      ]
      for (html, finding) in planted {
        let path = "\(canary.folder)/planted.html"
        try Data("<!doctype html><title>t</title><p>\(html)".utf8).write(to: URL(filePath: path))
        let findings = try await canary.findings(path, isStatic: true)
        #expect("\(findings)".contains(finding), "\(html): \(findings)")
      }
    }
  }

  @Test func `nothing that strangers wrote runs or asks for anything`() async throws {
    try await withCanary { canary in
      try await Stage.with(articles: 0) { stage in
        var suites = try HostileVectors.shared()
        if suites.isEmpty { print("skipped: the shared vectors are not here; own ones only") }
        suites.append(("own", HostileVectors.own))
        var tried: [String: Int] = [:]
        for (name, vectors) in suites {
          // Vectors that swallow the rest of a page would hide the others, so only other ones share
          // an article.
          let size = name == "blns" ? 8 : 1
          for start in stride(from: 0, to: vectors.count, by: size) {
            let group = Array(vectors[start..<min(start + size, vectors.count)])
            stage.readeck.add(hostile(group, number: stage.readeck.ids.count))
          }
          tried[name] = vectors.count
        }
        let result = try await Program.run(
          ["run", "--source", "readeck", "--json"], home: stage.home,
          environment: stage.environment.merging(deadEnd(stage)) { $1 })
        // Files of the source's own server that are not images are reported.
        #expect([0, 1].contains(result.code), "\(result.output.suffix(2000))\(result.error)")
        let bundles = try stage.bundles()
        #expect(bundles.count == stage.readeck.ids.count)
        let inside = Canary(browser: canary.browser, folder: stage.archive)
        var executed = 0
        // With `Scripts/torture --long` each browser opens all; else Chromium a third and Firefox, which
        // takes longer, a ninth.
        func share(_ count: Int, of index: Int) -> [String] {
          bundles.enumerated().filter { Torture.isLong || $0.offset % count == index }.map(
            \.element)
        }
        let forFirefox = share(9, of: 1)
        async let firefox = openInFirefox(forFirefox, canary.folder)
        let forChromium = share(3, of: 0)
        for bundle in forChromium {
          let alone = Canary(browser: canary.browser, folder: bundle)
          let findings = try await alone.findings("\(bundle)/index.html", isStatic: true)
          executed += findings.count
          #expect(findings.isEmpty, "\(bundle): \(findings)")
        }
        for page in try libraryPages(stage.archive) {
          let findings = try await inside.findings(page, isStatic: false, poke: typeEverywhere)
          executed += findings.count
          #expect(findings.isEmpty, "\(page): \(findings)")
        }
        executed += try await firefox
        #expect(try await stage.damage() == [])
        let counts = tried.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(
          "hostile vectors tried: \(counts.joined(separator: ", ")); bundles opened: \(forChromium.count) of \(bundles.count); executed or requested: \(executed)"
        )
      }
    }
  }

  /// Returns how many findings there were.
  private func openInFirefox(_ bundles: [String], _ folder: String) async throws -> Int {
    guard let marionette = try await Marionette.start(policies: false) else {
      print("skipped: Firefox is not installed (Scripts/setup --browser)")
      return 0
    }
    defer { marionette.quit() }
    let canary = FirefoxCanary(browser: marionette)
    let path = "\(folder)/firefox.html"
    let planted = [
      ("<img src=\"http://127.0.0.1:49151/x\">", "asked for http"),
      ("<b onblur=x>b</b>", "<b onblur>"),
      ("<script>alert(1)</script>", "alert"),
    ]
    for (html, finding) in planted {
      try Data("<!doctype html><title>t</title><p>\(html)".utf8).write(to: URL(filePath: path))
      let findings = try await canary.findings(path, folder: folder)
      #expect("\(findings)".contains(finding), "\(html): \(findings)")
    }
    // The next command would report a dialog; this resets it.
    try Data("<!doctype html><title>t</title>".utf8).write(to: URL(filePath: path))
    while try await !canary.findings(path, folder: folder).isEmpty {}
    var count = 0
    for bundle in bundles {
      let findings = try await canary.findings("\(bundle)/index.html", folder: bundle)
      #expect(findings.isEmpty, "Firefox: \(bundle): \(findings)")
      count += findings.count
    }
    print("bundles opened in Firefox: \(bundles.count); executed or requested: \(count)")
    return count
  }

  @Test func `no image runs anything when it is opened by itself`() async throws {
    try await withCanary { canary in
      let path = "\(canary.folder)/planted.svg"
      try Data(HostileDrawings.all[0].utf8).write(to: URL(filePath: path))
      #expect("\(try await canary.findings(path, isStatic: true))".contains("alert(1)"))

      try await Stage.with(articles: 0) { stage in
        for (number, drawing) in HostileDrawings.all.enumerated() {
          var bookmark = FakeReadeck.Bookmark(
            url: "https://example.org/\(number)", title: "Drawing \(number)",
            html: "<p>See <img src=\"./_resources/\(number).svg\" alt=\"drawing\"></p>\(drawing)")
          bookmark.resources = [.init("\(number).svg", "image/svg+xml", Array(drawing.utf8))]
          stage.readeck.add(bookmark)
        }
        let result = try await Program.run(
          ["run", "--source", "readeck", "--json"], home: stage.home,
          environment: stage.environment.merging(deadEnd(stage)) { $1 })
        // Files of the source's own server that are not images are reported.
        #expect([0, 1].contains(result.code), "\(result.output.suffix(2000))\(result.error)")
        var opened = 0
        for bundle in try stage.bundles() {
          let alone = Canary(browser: canary.browser, folder: bundle)
          var pages = ["\(bundle)/index.html"]
          let assets = try FileManager.default.subpathsOfDirectory(atPath: bundle)
          pages += assets.filter { $0.hasSuffix(".svg") }.map { "\(bundle)/\($0)" }
          for page in pages {
            let findings = try await alone.findings(page, isStatic: true)
            #expect(findings.isEmpty, "\(page): \(findings)")
          }
          opened += pages.count - 1
        }
        #expect(opened > HostileDrawings.all.count / 2)
        print("hostile drawings tried: \(HostileDrawings.all.count); kept and opened: \(opened)")
      }
    }
  }

  /// Starts the browser, or says that there is none.
  private func withCanary(_ body: (Canary) async throws -> Void) async throws {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    guard
      let browser = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await TemporaryFolder.with("canary") { folder in
      let canary = Canary(browser: browser, folder: folder)
      try await canary.prepare()
      try await body(canary)
    }
    await browser.quit()
  }

  /// An article with the vectors in every field of untrusted text.
  private func hostile(_ vectors: [String], number: Int) -> FakeReadeck.Bookmark {
    let whole = vectors.joined(separator: " ")
    let alternative = whole.escapedForMarkup
    let fileName = whole.utf8.prefix(80).map { "%\(String($0, radix: 16, uppercase: true))" }
      .map { $0.count == 2 ? "%0" + $0.dropFirst() : $0 }.joined()
    let picture = "x\(number).gif"
    let body = vectors.map { "<div>\($0)</div>" }.joined(separator: "\n")
    var bookmark = FakeReadeck.Bookmark(
      url: whole.lowercased().hasPrefix("javascript:") ? whole : "https://example.org/\(number)",
      title: whole,
      html: """
        <section><h2 title="\(alternative)">marked words \(number)</h2>
        <p><img src="./_resources/\(picture)" alt="\(alternative)" title="\(alternative)">
        <img src="./_resources/\(fileName).gif" alt="\(alternative)"></p>
        <p><a href="https://example.org/?\(alternative)">\(alternative)</a></p>
        \(body)</section>
        """)
    bookmark.labels = vectors
    bookmark.authors = vectors
    bookmark.siteName = whole
    bookmark.description = whole
    bookmark.resources = [.init(picture, "image/gif", Stage.gif("\(number)"))]
    bookmark.highlights = [.init("marked words \(number)", color: whole, note: whole)]
    return bookmark
  }

  /// Redirects external requests to an empty server, so that no test needs the network.
  private func deadEnd(_ stage: Stage) -> [String: String] {
    let proxy = stage.server.baseURL.absoluteString
    return ["http_proxy": proxy, "https_proxy": proxy, "no_proxy": "127.0.0.1,localhost"]
  }

  private func libraryPages(_ archive: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: archive + "/library")
    let pages = names.filter { $0.hasSuffix(".html") }.sorted()
    // Pages of one kind are alike: the first hundred and some of the rest.
    let some = pages.enumerated().filter { $0.offset < 100 || $0.offset % 25 == 0 }.map(\.element)
    return
      (FileManager.default.fileExists(atPath: archive + "/index.html")
      ? [archive + "/index.html"] : []) + some.map { "\(archive)/library/\($0)" }
  }

  /// Puts an element into every field, as a user who searches for it would.
  private var typeEverywhere: String {
    """
    for (const field of document.querySelectorAll('input')) {
      if (!['text', 'search', ''].includes(field.type)) continue;
      field.value = '<img src=x onerror=alert(9)>';
      field.dispatchEvent(new Event('input', {bubbles: true}));
      field.dispatchEvent(new Event('change', {bubbles: true}));
    }
    """
  }
}
