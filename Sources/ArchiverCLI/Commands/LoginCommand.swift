import ArchiverCore
import ArchiverPipeline

/// `archiver login`.
enum LoginCommand {
  static let command = Command(
    "login", summary: "log in to a source and store the token",
    discussion: [
      "Asks the server for a token: open the URL it prints, enter the code and approve. If the "
        + "server does not support this, paste a token made on its website; it is not shown while "
        + "you type. The token is tested once and stored in ~/.config/archiver/logins, with "
        + "mode 0600."
    ],
    operands: [Command.Operand("SOURCE", .source, help: "The source's name: readeck")],
    options: [.url, .tokenFromInput, .config],
    examples: [
      Command.Example(
        "archiver login readeck --url https://read.example.org", "Approve in a browser."),
      Command.Example(
        "pass show readeck | archiver login readeck --token-stdin", "Use an existing token."),
    ],
    exitCodes: [.success, .source, .interrupted], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation)
    let environment = invocation.environment
    let source = try settings.source(named: invocation.arguments.operands[0])
    guard let keys = LoginKeys(source.kind) else {
      throw UsageError("\(source.name) needs no login; see 'archiver sources'")
    }
    let url = try address(of: source, keys, invocation)
    let login = StoredLogin(
      url: url, token: try await token(for: source, at: url, settings, invocation))
    let total = try await check(login, source, keys, settings, invocation)
    try login.save(as: source.name, in: environment)

    let path = environment.abbreviated(StoredLogin.path(of: source.name, in: environment))
    let wording = environment.wording
    let place = url.absoluteString
    environment.output.write(
      (total.map { wording.text(.loggedInWith, place, wording.count($0, .item, .items), path) }
        ?? wording.text(.loggedIn, place, path)) + "\n")
    warnAboutStronger(source, login, keys, environment)
    return .success
  }

  private static func address(
    of source: SourceConfiguration, _ keys: LoginKeys, _ invocation: Invocation
  ) throws(UsageError) -> WebURL {
    let given = invocation.arguments.text(.url) ?? source.values[keys.url]?.json.string
    guard let url = given.flatMap({ WebURL($0) }) else {
      throw invocation.misuse("the URL of \(source.name) is unknown; add --url https://…")
    }
    return url
  }

  private static func token(
    for source: SourceConfiguration, at url: WebURL, _ settings: RunSettings,
    _ invocation: Invocation
  ) async throws -> Secret {
    let environment = invocation.environment
    if invocation.arguments.has(.tokenFromInput) {
      return try trimmed(environment.input.readAll())
    }
    if let login = source.kind.login {
      do {
        return try await consent(login, of: source.name, at: url, settings, invocation)
      } catch let error as AdapterError where canPaste(after: error, environment) {
        environment.error.write("\(DisplayText.line(error.message))\n")
      }
    }
    guard environment.input.isTerminal else {
      throw invocation.misuse("a token can only be pasted on a terminal; use --token-stdin")
    }
    environment.error.write(environment.wording.text(.pasteToken, source.name))
    let line = environment.input.readLine(isHidden: true)
    environment.error.write("\n")
    try Task.checkCancellation()
    return try trimmed(line ?? "")
  }

  /// Whether a pasted token may work although the server cannot issue one.
  private static func canPaste(after error: AdapterError, _ environment: ProcessEnvironment) -> Bool
  {
    switch error.code {
    case .configuration, .notFound, .malformed: environment.input.isTerminal
    default: false
    }
  }

  private static func consent(
    _ login: SourceKind.Login, of name: String, at url: WebURL, _ settings: RunSettings,
    _ invocation: Invocation
  ) async throws -> Secret {
    let environment = invocation.environment
    let client = try SourceOpener(invocation, settings).client(SourceAccess(baseURL: url))
    let context = AdapterContext(name: name, http: client, clock: environment.clock)
    return try await login(url, context) { prompt in
      let wording = environment.wording
      environment.error.write(
        wording.text(
          .consent, DisplayText.line(prompt.url.absoluteString), DisplayText.line(prompt.code),
          wording.time(prompt.expiresIn)) + "\n" + wording.text(.consentWait) + "\n")
    }
  }

  private static func trimmed(_ text: String) throws(UsageError) -> Secret {
    let token = text.trimmed
    if token.isEmpty { throw UsageError("the token is empty") }
    if token.contains(where: { $0.isWhitespace || $0.isNewline }) || !token.allSatisfy(\.isASCII) {
      throw UsageError("invalid token: it contains white space or non-ASCII characters")
    }
    return Secret(token)
  }

  /// Makes one listing request with the new token; returns how many items it reported.
  private static func check(
    _ login: StoredLogin, _ source: SourceConfiguration, _ keys: LoginKeys,
    _ settings: RunSettings, _ invocation: Invocation
  ) async throws -> Int? {
    var source = source
    source.set(keys.url, .string(login.url.absoluteString), from: .login(""))
    source.set(keys.token, .string(login.token.reveal()), from: .login(""))
    let opened = try SourceOpener(invocation, settings).open(source)
    return try await firstPage(of: opened.adapter)?.total
  }

  private static func firstPage(of adapter: some Source) async throws -> ListingPage? {
    for try await page in adapter.listing(since: nil) { return page }
    return nil
  }

  private static func warnAboutStronger(
    _ source: SourceConfiguration, _ login: StoredLogin, _ keys: LoginKeys,
    _ environment: ProcessEnvironment
  ) {
    if let value = source.values[keys.url], let text = value.json.string,
      let other = WebURL(text), other.origin != login.url.origin
    {
      switch value.origin {
      case .file, .environment, .option:
        environment.complain(
          "warning: the URL of \(source.name) set \(value.origin.words) is "
            + "\(other.origin), so the stored login is ignored")
      case .standard, .login: break
      }
    }
    if case .environment(let name)? = source.values[keys.token]?.origin {
      environment.complain("warning: \(name) is set and takes precedence over the stored login")
    }
  }
}
