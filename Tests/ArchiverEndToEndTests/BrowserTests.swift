import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Opens bundles in a real browser, each copied to an empty folder.
@Suite(.serialized) struct BrowserTests {
  private static func browser() async throws -> WebDriver? {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration())
    return try await WebDriver.start(http: engine.client(access: nil, policy: policy))
  }

  @Test func `a bundle opens alone without a request outside it and without an error`() async throws {
    guard let browser = try await BrowserTests.browser() else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await Demo.with { demo in
      _ = try await demo.run()
      for (number, bundle) in try demo.bundles().enumerated() {
        let alone = "\(demo.home)/alone\(number)"
        try FileManager.default.copyItem(atPath: bundle, toPath: alone)
        _ = try await browser.requests()
        _ = try await browser.log("browser")
        try await browser.open("file://\(alone)/index.html")
        // Pictures further down load only when they come near.
        try await browser.run("for (const i of document.images) i.loading = 'eager'")
        let broken = try await browser.run(
          """
          return [...document.images].filter(i => i.complete && i.naturalWidth === 0).map(i => i.src)
          """)
        #expect(broken.array?.isEmpty == true, "\(bundle): \(broken)")
        let outside = try await browser.requests().filter {
          !$0.hasPrefix("file://\(alone)/") && !$0.hasPrefix("data:")
        }
        #expect(outside.isEmpty, "\(bundle) asks for \(outside)")
        let errors = try await browser.log("browser")
        #expect(errors.isEmpty, "\(bundle): \(errors)")
        let facts = try await browser.run(
          "return [document.querySelectorAll('h1').length, document.title, document.documentElement.lang]")
        #expect(facts[0]?.integer == 1)
        #expect(facts[1]?.string?.isEmpty == false)
      }
    }
    await browser.quit()
  }

  @Test func `a script planted in a bundle does not run`() async throws {
    guard let browser = try await BrowserTests.browser() else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await Demo.with { demo in
      _ = try await demo.run("--max", "1")
      let page = try #require(try demo.bundles().first) + "/index.html"
      var html = try String(contentsOfFile: page, encoding: .utf8)
      let planted = "<script>document.title = 'ran'</script><img src=x onerror=\"document.title='ran'\">"
      html = html.replacing("</body>", with: planted + "</body>")
      try Data(html.utf8).write(to: URL(filePath: page))
      try await browser.open("file://\(page)")
      #expect(try await browser.run("return document.title").string != "ran")
    }
    await browser.quit()
  }

  @Test func `no page is wider than a phone`() async throws {
    guard let browser = try await BrowserTests.browser() else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    try await Demo.with { demo in
      _ = try await demo.run()
      for bundle in try demo.bundles() {
        try await browser.open("file://\(bundle)/index.html")
        // The window cannot be that narrow, a frame of the page's own origin can.
        let width = try await browser.run(
          """
          document.documentElement.style.width = '320px';
          return document.documentElement.scrollWidth
          """)
        #expect((width.integer ?? 0) > 0)
      }
    }
    await browser.quit()
  }
}
