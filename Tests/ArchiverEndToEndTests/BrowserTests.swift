import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Opens bundles in a real browser, each copied to an empty folder.
@Suite(.serialized) struct BrowserTests {
  private static func browser() async throws -> WebDriver? {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    return try await WebDriver.start(http: engine.client(access: nil, policy: policy))
  }

  @Test func `the demo's bundles open alone, without a request outside them or an error`()
    async throws
  {
    guard let browser = try await BrowserTests.browser() else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await TemporaryFolder.with("browser-test") { home in
      let demo = try await Program.startDemo()
      let archive = home + "/archive"
      let run = try await Program.run(
        ["run", "--source", "readeck", "--archive", archive], home: home,
        environment: ["READECK_URL": demo.url, "READECK_TOKEN": "demo"])
      #expect(run.code == 0, "\(run.error)")
      let bundles = try FileManager.default.contentsOfDirectory(atPath: archive + "/readeck")
      #expect(bundles.count == 25)
      for (number, bundle) in bundles.sorted().enumerated() {
        let alone = "\(home)/alone\(number)"
        try FileManager.default.copyItem(atPath: "\(archive)/readeck/\(bundle)", toPath: alone)
        try await check(alone, in: browser)
      }
      demo.server.end()
    }
    await browser.quit()
  }

  /// Opens a bundle and expects a complete page without errors and requests.
  private func check(_ bundle: String, in browser: WebDriver) async throws {
    _ = try await browser.requests()
    _ = try await browser.log("browser")
    try await browser.open("file://\(bundle)/index.html")
    // Images below the viewport are loaded lazily.
    let broken = try await browser.runAsync(
      """
      const done = arguments[arguments.length - 1];
      const images = [...document.images];
      images.forEach(i => i.loading = 'eager');
      Promise.allSettled(images.map(i => i.decode())).then(() =>
        done(images.filter(i => i.naturalWidth === 0).map(i => i.src)));
      """)
    #expect(broken.array?.isEmpty == true, "\(bundle): \(broken)")
    let outside = try await browser.requests().filter {
      !$0.hasPrefix("file://\(bundle)/") && !$0.hasPrefix("data:")
    }
    #expect(outside.isEmpty, "\(bundle) asks for \(outside)")
    let errors = try await browser.log("browser")
    #expect(errors.isEmpty, "\(bundle): \(errors)")
    let facts = try await browser.run(
      """
      const wide = document.documentElement;
      return [document.querySelectorAll('h1').length, document.title, wide.lang,
        wide.scrollWidth - wide.clientWidth, document.querySelectorAll('script').length]
      """)
    #expect(facts[0]?.integer == 1, "\(bundle)")
    #expect(facts[1]?.string?.isEmpty == false, "\(bundle)")
    #expect(facts[2]?.string?.isEmpty == false, "\(bundle)")
    #expect(facts[3]?.integer == 0, "\(bundle) scrolls sideways")
    #expect(facts[4]?.integer == 0, "\(bundle)")
  }

  @Test func `a script planted in a bundle does not run`() async throws {
    guard let browser = try await BrowserTests.browser() else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await Stage.with(articles: 1) { stage in
      _ = try await stage.run()
      let page = try #require(try stage.bundles().first) + "/index.html"
      let html = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
      let planted =
        "<script>document.title = 'ran'</script><img src=x onerror=\"document.title='ran'\">"
      try Data(html.replacing("</body>", with: planted + "</body>").utf8)
        .write(to: URL(filePath: page))
      try await browser.open("file://\(page)")
      #expect(try await browser.run("return document.title").string == "Article 0")
      let errors = try await browser.log("browser")
      #expect(
        "\(errors)".contains("Content Security Policy"), "the script was there and was stopped")
    }
    await browser.quit()
  }
}
