import ArchiverCore
import ArchiverTestKit
import ArchiverTransport
import Testing

@testable import ArchiverSite

/// The suites that start browsers. Each is serialised, and two of their tests run at a time: a browser
/// uses a core and more.
@Suite(BrowserPermit()) enum InBrowser {}

/// Bounds how many tests drive a browser at a time.
struct BrowserPermit: SuiteTrait, TestTrait, TestScoping {
  private actor Permits {
    private var free = 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      guard free == 0 else { return free -= 1 }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
  }

  private static let permits = Permits()

  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.permits.take()
    do {
      try await function()
      await Self.permits.giveBack()
    } catch {
      await Self.permits.giveBack()
      throw error
    }
  }
}

/// A browser driven by tests.
enum LibraryBrowser: Sendable {
  case chromium(WebDriver)
  case firefox(Marionette)

  enum Name: String, CaseIterable {
    case chromium, firefox

    /// Those that all queries of a table are tried in.
    static let ofTables = isLong ? allCases : [.chromium]
  }

  /// Whether `Scripts/test --long` runs.
  static let isLong = ProcessInfo.processInfo.environment["ARCHIVER_TEST_LONG"] != nil

  /// Starts a browser; prints a message and returns `nil` if it is not installed.
  static func start(_ name: Name, scripts: Bool = true) async throws -> LibraryBrowser? {
    let browser: LibraryBrowser?
    switch name {
    case .chromium:
      let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
      let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
      browser = try await WebDriver.start(
        http: engine.client(access: nil, policy: policy), scripts: scripts
      ).map { .chromium($0) }
    case .firefox:
      browser = try await Marionette.start(scripts: scripts).map { .firefox($0) }
    }
    if browser == nil {
      print("skipped: \(name.rawValue) is not installed (Scripts/setup --browser installs it)")
    }
    return browser
  }

  func open(_ address: String) async throws {
    // Leaving a page during a load is reported as a failed load.
    let loading = ["data", "search", "text"].map { "head script[src*=\"/library/\($0)/\"]" }
    _ = try await becomes("!document.querySelector('\(loading.joined(separator: ","))')")
    switch self {
    case .chromium(let driver): try await driver.open(address)
    case .firefox(let driver): try await driver.open(address)
    }
  }

  @discardableResult
  func run(_ script: String) async throws -> JSONValue {
    switch self {
    case .chromium(let driver): try await driver.run(script)
    case .firefox(let driver): try driver.run(script)
    }
  }

  /// Goes back one page; the caller waits for it.
  func goBack() async throws {
    // If the page unloads during a script, a driver may rerun the script and go back twice.
    try await run("setTimeout(() => history.back());")
  }

  func type(_ text: String) async throws {
    switch self {
    case .chromium(let driver): try await driver.type(text)
    case .firefox(let driver): try driver.type(text)
    }
  }

  /// Returns the console errors since the last call.
  func errors() async throws -> [String] {
    switch self {
    case .chromium(let driver):
      try await driver.log("browser").compactMap { $0["message"]?.string }
    case .firefox(let driver): try driver.errors()
    }
  }

  /// Returns the URLs requested since the last call; Firefox reports network requests only.
  func requests() async throws -> [String] {
    switch self {
    case .chromium(let driver): try await driver.requests()
    case .firefox(let driver): try driver.requests()
    }
  }

  func quit() async {
    switch self {
    case .chromium(let driver): await driver.quit()
    case .firefox(let driver): driver.quit()
    }
  }

  /// Waits at most ten seconds for an expression to become true; returns whether it did.
  func becomes(_ expression: String) async throws -> Bool {
    try await Condition.value(every: .milliseconds(30), limit: .seconds(10)) {
      // A page that is being unloaded runs no scripts.
      (try? await run("return Boolean(\(expression));"))?.bool == true ? true : nil
    } ?? false
  }

  /// The titles in a list.
  func titles() async throws -> [String] {
    try await run("return [...document.querySelectorAll('.item h2 a')].map(a => a.textContent);")
      .array?.compactMap(\.string) ?? []
  }
}

/// Serves the files of a folder.
enum FileServer {
  static func start(_ root: String) throws -> LoopbackServer {
    try LoopbackServer(handler: { request in
      let path = SiteTestPath.decoded(request.path)
      guard !path.contains(".."), let data = FileManager.default.contents(atPath: root + path)
      else { return ServerResponse.text("", status: 404) }
      return ServerResponse.data([UInt8](data), type: SiteTestPath.mediaType(path))
    })
  }
}

enum SiteTestPath {
  static func decoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func mediaType(_ path: String) -> String {
    let types = [
      "html": "text/html; charset=utf-8", "js": "text/javascript", "css": "text/css",
      "svg": "image/svg+xml", "json": "application/json",
    ]
    return types[String(path.split(separator: ".").last ?? "")] ?? "application/octet-stream"
  }
}

extension LibraryBrowser {
  /// Where an archive is opened from.
  enum Place: CaseIterable {
    case disk, server

    /// Both for `Scripts/test --long`; otherwise one for each browser, which one depends on the test.
    static func of(_ browser: LibraryBrowser.Name) -> [Place] {
      guard !LibraryBrowser.isLong else { return allCases }
      let name = Test.current?.name ?? ""
      let isSwapped = Fingerprint.of(Array(name.utf8)) % 2 == 0
      return (browser == .chromium) == isSwapped ? [.server] : [.disk]
    }
  }

  /// Runs a check in all browsers concurrently, in each from the places that `Place.of` returns.
  static func inEach(
    scripts: Bool = true,
    _ check: @escaping @Sendable (LibraryBrowser, _ base: String) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in LibraryBrowser.Name.allCases {
        group.addTask { try await inOne(name, from: Place.of(name), scripts: scripts, check) }
      }
      try await group.waitForAll()
    }
  }

  /// Runs a check in a browser.
  static func inOne(
    _ name: LibraryBrowser.Name, from places: [Place] = Place.allCases, scripts: Bool = true,
    _ check: (LibraryBrowser, _ base: String) async throws -> Void
  ) async throws {
    guard let browser = try await LibraryBrowser.start(name, scripts: scripts) else { return }
    try await TemporaryFolder.with("library") { root in
      try BrowsedArchive.write(to: root)
      let server = try FileServer.start(root)
      for place in places {
        let base = place == .disk ? "file://\(root)/" : server.baseURL.absoluteString
        _ = try await browser.errors()
        _ = try await browser.requests()
        try await check(browser, base)
        let outside = try await browser.requests().filter {
          !$0.hasPrefix(base) && !$0.hasPrefix("data:") && !$0.hasPrefix("about:")
        }
        #expect(outside == [], "\(name) \(base)")
      }
      server.stop()
    }
    await browser.quit()
  }
}
