import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

/// Files of an item that are pages under another name, opened from disk as a person opens them.
@Suite(.serialized) struct AttachedPageTests {
  private static let endings = [
    "notes", "fb2", "mobi", "gpx", "rss", "atom", "xsd", "rdf", "xhtm", "log", "htm", "md", "csv",
  ]

  private static let script = "parent.postMessage(location.pathname, '*')"
  private static let contents = [
    "<b>x</b><script>\(script)</script>",
    "<?xml version='1.0'?><x xmlns:h='http://www.w3.org/1999/xhtml'>"
      + "<h:script>\(script)</h:script></x>",
    "<?xml version='1.0'?><FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'>"
      + "<script xmlns='http://www.w3.org/1999/xhtml'>\(script)</script></FictionBook>",
  ]

  /// Archives an item with all of them and hands out a page that opens each.
  ///
  /// In frames, as one that is only downloaded would end no navigation. What runs is listed in `ran`.
  private func with(_ body: (_ page: String) async throws -> Void) async throws {
    try await ProgramHome.with([]) { home in
      var files: [JSONValue] = []
      for (number, text) in Self.contents.enumerated() {
        for ending in Self.endings {
          let name = "\(number).\(ending)"
          let file = URL(filePath: "\(home.folder)/\(name)")
          // Distinguished by their bytes.
          try Data("\(text)<!-- \(name) -->".utf8).write(to: file)
          files.append(["file": .string(name), "name": .string(name)])
        }
      }
      let item: JSONValue = [
        "type": "item", "metadata": ["title": "One"], "html": "<p>words</p>",
        "attachments": .array(files),
      ]
      try JSONEncoder().encode(item).write(to: URL(filePath: home.folder + "/item.json"))
      let action =
        "cp '\(home.folder)'/[012].* \"$ARCHIVER_FOLDER\"; cat '\(home.folder)/item.json'; echo"
      try home.install("one", ProgramHome.program("one", item: action))
      let run = try await home.run("one")
      #expect(run.code == 0, "\(run.summary)")
      let bundle = try #require(try home.bundles("one").first)
      let folder = "\(home.folder)/archive/one/\(bundle)/assets"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.count == files.count)
      // One that runs in any case, as a proof that running would be noticed.
      try Data(Self.contents[0].utf8).write(to: URL(filePath: folder + "/proof.html"))
      let frames = (names + ["proof.html"]).map { "<iframe src=\"\($0)\"></iframe>" }.joined()
      let listening = "<script>ran = []; onmessage = event => ran.push(event.data)</script>"
      let page = folder + "/page.html"
      try Data("<!doctype html>\(listening)\(frames)".utf8).write(to: URL(filePath: page))
      try await body("file://" + page)
    }
  }

  private func judge(_ ran: JSONValue) {
    let paths = (ran.array ?? []).compactMap(\.string)
    let endings = paths.map { String($0.split(separator: ".").last ?? "") }
    #expect(endings == ["html"], "\(endings)")
  }

  @Test func `Chromium runs no vector`() async throws {
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    guard
      let browser = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else { return print("skipped: Chromium and its driver are not installed") }
    try await with { page in
      try await browser.open(page)
      try await Task.sleep(for: .milliseconds(300))
      judge(try await browser.run("return ran"))
    }
    await browser.quit()
  }

  @Test func `Firefox runs no vector`() async throws {
    guard let browser = try await Marionette.start() else {
      return print("skipped: Firefox is not installed")
    }
    defer { browser.quit() }
    try await with { page in
      try await browser.open(page)
      try await Task.sleep(for: .milliseconds(300))
      judge(try browser.run("return ran"))
    }
  }
}
