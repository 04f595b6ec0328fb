package import ArchiverCore

/// Headless Chromium, controlled with WebDriver (W3C Recommendation).
package final class WebDriver: Sendable {
  private let driver: ChildProcess
  private let home: String
  private let http: any HTTPClient
  private let session: WebURL

  /// Starts a browser; `nil` if it or its driver is not installed.
  ///
  /// `http` must be permitted to reach loopback. `scripts` enables scripts of pages.
  package static func start(
    http: any HTTPClient, scripts: Bool = true, dark: Bool = false,
    size: (width: Int, height: Int) = (1200, 900)
  ) async throws -> WebDriver? {
    let names = ["chromium", "chromium-browser", "google-chrome"]
    guard let path = ChildProcess.find("chromedriver"),
      let binary = names.compactMap(ChildProcess.find).first
    else { return nil }
    let home = try TemporaryFolder.make("browser")
    var driver: ChildProcess?
    do {
      let (started, base) = try await startDriver(path, home: home)
      driver = started
      let capabilities = chromium(binary, scripts: scripts, dark: dark, size: size)
      let answer = try await command(
        http, .post, base.appending("session"),
        ["capabilities": ["alwaysMatch": capabilities]])
      guard let id = answer["sessionId"]?.string else {
        throw ChildProcess.Failure("no session: \(answer)")
      }
      return WebDriver(
        driver: started, home: home, http: http, session: base.appending("session", id))
    } catch {
      driver?.end()
      TemporaryFolder.remove(home)
      throw error
    }
  }

  private init(driver: ChildProcess, home: String, http: any HTTPClient, session: WebURL) {
    self.driver = driver
    self.home = home
    self.http = http
    self.session = session
  }

  deinit {
    driver.end()
    TemporaryFolder.remove(home)
  }

  /// Opens a URL, also with `file:`, and waits until it has loaded.
  package func open(_ address: String) async throws {
    _ = try await WebDriver.command(
      http, .post, session.appending("url"), ["url": .string(address)])
  }

  /// Executes the body of a function in the page and returns its result.
  @discardableResult
  package func run(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
    try await WebDriver.command(
      http, .post, session.appending("execute", "sync"),
      ["script": .string(script), "args": .array(arguments)])
  }

  /// Executes the body of a function that calls its last argument with its result.
  package func runAsync(_ script: String) async throws -> JSONValue {
    try await WebDriver.command(
      http, .post, session.appending("execute", "async"),
      ["script": .string(script), "args": []])
  }

  /// Sends a command of the Chrome DevTools Protocol, such as `Page.setBypassCSP`.
  package func devTools(_ command: String, _ parameters: JSONValue = [:]) async throws {
    _ = try await WebDriver.command(
      http, .post, session.appending("goog", "cdp", "execute"),
      ["cmd": .string(command), "params": parameters])
  }

  /// Clicks at the centre of the first element that matches a CSS selector, after scrolling to it.
  package func click(_ selector: String) async throws {
    let found = try await WebDriver.command(
      http, .post, session.appending("element"),
      ["using": "css selector", "value": .string(selector)])
    guard let id = found.object?.values.first?.string else {
      throw ChildProcess.Failure("nothing on the page is \(selector)")
    }
    _ = try await WebDriver.command(http, .post, session.appending("element", id, "click"), [:])
  }

  /// Types text into the focused element.
  package func type(_ text: String) async throws {
    let keys = text.flatMap { key -> [JSONValue] in
      [
        ["type": "keyDown", "value": .string(String(key))],
        ["type": "keyUp", "value": .string(String(key))],
      ]
    }
    _ = try await WebDriver.command(
      http, .post, session.appending("actions"),
      ["actions": [["type": "key", "id": "keyboard", "actions": .array(keys)]]])
  }

  /// Returns a screenshot as PNG, base64-encoded.
  package func screenshot() async throws -> String {
    try await WebDriver.command(http, .get, session.appending("screenshot"), nil).string ?? ""
  }

  /// Returns and clears the browser's log: `browser` for the console, `performance` for the
  /// network.
  package func log(_ kind: String) async throws -> [JSONValue] {
    try await WebDriver.command(
      http, .post, session.appending("se", "log"), ["type": .string(kind)]
    ).array ?? []
  }

  /// The URLs requested since the last call, including the page's own.
  package func requests() async throws -> [String] {
    try await log("performance").compactMap { entry in
      guard let text = entry["message"]?.string, text.contains("Network.requestWillBeSent"),
        // An entry that is not JSON is not about a request.
        let message = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
        message["message"]?["method"]?.string == "Network.requestWillBeSent"
      else { return nil }
      return message["message"]?["params"]?["request"]?["url"]?.string
    }
  }

  /// Ends the browser and the driver. Otherwise the browser outlives the test.
  package func quit() async {
    // The driver's shutdown also ends the browser; the driver is killed afterwards in any case.
    if let shutdown = session.resolving("/shutdown") {
      _ = try? await http.send(HTTPRequest(.get, shutdown))
    }
    driver.end()
  }

  /// Starts the driver. It binds the free port that it got for IPv4 for IPv6 as well, where another
  /// process may have it; then it ends, and is started again.
  private static func startDriver(
    _ path: String, home: String
  ) async throws -> (ChildProcess, WebURL) {
    let variables = ["HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin"]
    for _ in 0..<4 {
      let driver = try ChildProcess(path, ["--port=0"], environment: variables)
      do {
        return (driver, try await address(driver))
      } catch {
        guard driver.errorOutput.contains("Address already in use") else { throw error }
      }
    }
    throw ChildProcess.Failure("the browser's driver found no free port")
  }

  /// The driver chooses a free port and prints it once it listens.
  private static func address(_ driver: ChildProcess) async throws -> WebURL {
    let port = try await Condition.value(every: .milliseconds(20), limit: .seconds(60)) {
      if let line = driver.output.firstMatch(of: /started successfully on port (\d+)/) {
        return String(line.1)
      }
      guard driver.isRunning else { throw failure(driver) }
      return nil
    }
    guard let port, let base = WebURL("http://127.0.0.1:\(port)/") else {
      driver.end()
      throw failure(driver)
    }
    return base
  }

  private static func failure(_ driver: ChildProcess) -> ChildProcess.Failure {
    ChildProcess.Failure("the browser's driver did not start: \(driver.errorOutput)")
  }

  private static func command(
    _ http: any HTTPClient, _ method: HTTPRequest.Method, _ url: WebURL, _ body: JSONValue?
  ) async throws -> JSONValue {
    var request = HTTPRequest(method, url, timeouts: HTTPTimeouts(total: .seconds(120)))
    if let body {
      request.body = [UInt8](try JSONEncoder().encode(body))
      request.headers["Content-Type"] = "application/json"
    }
    let response = try await http.send(request)
    let answer = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
    guard response.isSuccess else {
      throw ChildProcess.Failure(
        "\(url.path): \(answer["value"]?["message"]?.string ?? "\(answer)")")
    }
    return answer["value"] ?? .null
  }

  /// Features that make Chromium start a new renderer for each page and keep the previous one,
  /// which would dominate the time of tests with hundreds of pages.
  private static let renewing = [
    "BackForwardCache", "ProactivelySwapBrowsingInstance", "RenderDocument",
    "SpareRendererForSitePerProcess",
  ]

  private static func chromium(
    _ binary: String, scripts: Bool, dark: Bool, size: (width: Int, height: Int)
  ) -> JSONValue {
    var arguments: [JSONValue] = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--hide-scrollbars", .string("--window-size=\(size.width),\(size.height)"),
      "--disable-component-update", "--no-first-run", "--disable-background-networking",
      .string("--disable-features=" + renewing.joined(separator: ",")),
    ]
    if dark { arguments.append("--blink-settings=preferredColorScheme=0") }
    var options: [String: JSONValue] = ["binary": .string(binary), "args": .array(arguments)]
    if !scripts {
      options["prefs"] = ["profile.managed_default_content_settings.javascript": 2]
    }
    return [
      "browserName": "chrome", "goog:chromeOptions": .object(options),
      "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
    ]
  }
}
