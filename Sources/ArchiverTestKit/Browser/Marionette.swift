package import ArchiverCore

/// Headless Firefox, controlled with Marionette, its protocol for WebDriver.
///
/// Messages are `LENGTH:JSON` over TCP: a greeting, then `[0, ID, COMMAND, PARAMETERS]`, answered
/// by `[1, ID, ERROR, RESULT]`. Commands block their thread and are sent one at a time.
package final class Marionette: Sendable {
  private let browser: ChildProcess
  private let socket: Socket
  private let profile: String

  /// The path of Firefox; `nil` if it is not installed.
  private static var program: String? {
    ["firefox-esr", "firefox"].compactMap(ChildProcess.find).first
  }

  package static var isInstalled: Bool { program != nil }

  /// Starts Firefox; `nil` if it is not installed. `scripts` enables scripts of pages, `policies`
  /// their content security policies.
  package static func start(
    scripts: Bool = true, policies: Bool = true, size: (width: Int, height: Int) = (1200, 900)
  ) async throws -> Marionette? {
    guard let path = program else { return nil }
    let profile = try TemporaryFolder.make("firefox")
    try Data(preferences(scripts: scripts, policies: policies).utf8)
      .write(to: URL(fileURLWithPath: "\(profile)/user.js"))
    let browser = try ChildProcess(
      path,
      [
        "--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
        "--profile", profile, "--width", String(size.width), "--height", String(size.height),
      ],
      environment: [
        "HOME": profile, "PATH": "/usr/local/bin:/usr/bin:/bin", "MOZ_HEADLESS": "1",
        "MOZ_CRASHREPORTER_DISABLE": "1",
      ])
    do {
      let socket = try await connect(profile, browser)
      let session = Marionette(browser: browser, socket: socket, profile: profile)
      _ = try session.message()
      _ = try session.send("WebDriver:NewSession", [:])
      _ = try session.send(
        "WebDriver:SetWindowRect",
        ["width": .integer(size.width), "height": .integer(size.height)])
      try session.chrome(observing)
      return session
    } catch {
      browser.end()
      throw error
    }
  }

  private init(browser: ChildProcess, socket: Socket, profile: String) {
    self.browser = browser
    self.socket = socket
    self.profile = profile
  }

  deinit {
    socket.close()
    browser.end()
    TemporaryFolder.remove(profile)
  }

  /// Opens a URL, also with `file:`, and waits until it has loaded.
  package func open(_ address: String) async throws {
    let page = address.prefix { $0 != "#" }
    let shown = try run("return [location.href.split('#')[0], performance.timeOrigin];")
    _ = try send("WebDriver:Navigate", ["url": .string(address)])
    guard shown.array?.first?.string != String(page) else { return }
    // When another process takes over the window, the command may return while scripts still run in the
    // previous page.
    _ = try await Condition.value(every: .milliseconds(10), limit: .seconds(10)) {
      let now = try? run("return document.readyState === 'complete' && performance.timeOrigin;")
      return now == nil || now == .bool(false) || now == shown.array?.last ? nil : true
    }
  }

  /// Executes the body of a function in the page and returns its result.
  @discardableResult
  package func run(_ script: String) throws -> JSONValue {
    try send("WebDriver:ExecuteScript", ["script": .string(script), "args": []])["value"] ?? .null
  }

  /// Types text into the focused element.
  package func type(_ text: String) throws {
    let keys = text.flatMap { key -> [JSONValue] in
      [
        ["type": "keyDown", "value": .string(String(key))],
        ["type": "keyUp", "value": .string(String(key))],
      ]
    }
    _ = try send(
      "WebDriver:PerformActions",
      ["actions": [["type": "key", "id": "keyboard", "actions": .array(keys)]]])
  }

  /// Returns and clears the errors and warnings of pages since the last call, without loads that ended
  /// because their page was left.
  package func errors() throws -> [String] {
    let messages = try chrome(
      """
      const found = [];
      const { gBrowser } = Services.wm.getMostRecentWindow("navigator:browser");
      const shown = gBrowser.currentURI.specIgnoringRef;
      for (const one of Services.console.getMessageArray()) {
        if (!(one instanceof Ci.nsIScriptError)) continue;
        const wasLeft = one.sourceName.split("#")[0] !== shown;
        if (wasLeft && one.errorMessage.startsWith("Loading failed for the <script>")) continue;
        if (/^(file|http):/.test(one.sourceName)) {
          found.push(`${one.sourceName}: ${one.errorMessage}`);
        }
      }
      Services.console.reset();
      return found;
      """)
    return (messages.array ?? []).compactMap(\.string)
  }

  /// Returns and clears the URLs requested from the network since the last call.
  package func requests() throws -> [String] {
    (try chrome("return Services.archiverRequests.splice(0);").array ?? []).compactMap(\.string)
  }

  /// Returns a screenshot as PNG, base64-encoded.
  package func screenshot() throws -> String {
    try send("WebDriver:TakeScreenshot", ["full": false])["value"]?.string ?? ""
  }

  /// Ends the browser.
  package func quit() {
    browser.end()
  }

  /// Executes the body of a function with the privileges of the browser.
  @discardableResult
  private func chrome(_ script: String) throws -> JSONValue {
    _ = try send("Marionette:SetContext", ["value": "chrome"])
    let result = try send("WebDriver:ExecuteScript", ["script": .string(script), "args": []])
    _ = try send("Marionette:SetContext", ["value": "content"])
    return result["value"] ?? .null
  }

  private func send(_ command: String, _ parameters: JSONValue) throws -> JSONValue {
    let json = try JSONEncoder().encode(JSONValue.array([0, 1, .string(command), parameters]))
    try socket.write(Array("\(json.count):".utf8) + [UInt8](json))
    let answer = try message()
    if let error = answer[2], !error.isNull {
      throw ChildProcess.Failure("\(command): \(error["message"]?.string ?? "\(error)")")
    }
    return answer[3] ?? .null
  }

  private func message() throws -> JSONValue {
    var length = 0
    while true {
      guard let digit = try socket.read(atMost: 1).first else { throw Socket.Closed() }
      if digit == UInt8(ascii: ":") { break }
      length = length * 10 + Int(digit) - 48
    }
    var bytes: [UInt8] = []
    while bytes.count < length {
      let part = try socket.read(atMost: length - bytes.count)
      guard !part.isEmpty else { throw Socket.Closed() }
      bytes += part
    }
    return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }

  /// Firefox chooses a free port and writes it to its profile.
  private static func connect(_ profile: String, _ browser: ChildProcess) async throws -> Socket {
    let socket = try await Condition.value(every: .milliseconds(50), limit: .seconds(60)) {
      FileManager.default.contents(atPath: "\(profile)/MarionetteActivePort")
        .flatMap { UInt16(String(decoding: $0, as: UTF8.self)) }
        .flatMap { Socket.connected(toLoopback: $0) }
    }
    guard let socket else {
      throw ChildProcess.Failure("Firefox did not answer: \(browser.errorOutput)")
    }
    return socket
  }

  private static let observing = """
    Services.archiverRequests = [];
    Services.obs.addObserver({ observe(subject) {
      const channel = subject.QueryInterface(Ci.nsIHttpChannel);
      const { loadingPrincipal, externalContentPolicyType: type } = channel.loadInfo;
      const isPage = type === Ci.nsIContentPolicy.TYPE_DOCUMENT;
      // The browser asks for things of its own, which no page has to do with.
      if (isPage || (loadingPrincipal && !loadingPrincipal.isSystemPrincipal)) {
        Services.archiverRequests.push(channel.URI.spec);
      }
    } }, "http-on-modify-request");
    Services.console.reset();
    """

  /// Returns preferences that prevent the browser's own requests.
  private static func preferences(scripts: Bool, policies: Bool) -> String {
    let values: [(String, String)] = [
      ("marionette.port", "0"), ("javascript.enabled", scripts ? "true" : "false"),
      ("security.csp.enable", policies ? "true" : "false"),
      ("app.update.enabled", "false"), ("app.normandy.enabled", "false"),
      ("datareporting.healthreport.uploadEnabled", "false"),
      ("network.captive-portal-service.enabled", "false"),
      ("network.connectivity-service.enabled", "false"), ("network.dns.disablePrefetch", "true"),
      ("network.prefetch-next", "false"), ("browser.safebrowsing.malware.enabled", "false"),
      ("browser.safebrowsing.phishing.enabled", "false"),
      ("services.settings.server", "\"http://127.0.0.1:9/\""),
      ("browser.startup.homepage_override.mstone", "\"ignore\""),
      ("browser.topsites.contile.enabled", "false"),
      ("browser.newtabpage.activity-stream.feeds.system.topstories", "false"),
      ("extensions.systemAddon.update.enabled", "false"),
      ("browser.aboutwelcome.enabled", "false"),
      ("datareporting.policy.dataSubmissionEnabled", "false"),
      ("intl.accept_languages", "\"en-GB\""), ("intl.locale.requested", "\"en-GB\""),
      ("toolkit.telemetry.enabled", "false"), ("extensions.getAddons.cache.enabled", "false"),
    ]
    return values.map { "user_pref(\"\($0.0)\", \($0.1));\n" }.joined()
  }
}
