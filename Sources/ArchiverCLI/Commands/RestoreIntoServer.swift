import ArchiverCore
import ArchiverExport
import ArchiverPipeline
import ArchiverStorage

/// `archiver restore --into-existing`.
struct RestoreIntoServer {
  private static let tokenVariable = "ARCHIVER_RESTORE_TOKEN"

  let kind: SourceKind
  let settings: RunSettings
  let invocation: Invocation

  private var environment: ProcessEnvironment { invocation.environment }

  func perform(isDry: Bool) async throws -> ExitCode {
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    var chosen = invocation
    chosen.arguments.operands = []
    let items = try ItemSelection(chosen, allowsEverything: true).items(archive.catalog)
    let (target, url) = try target()
    let account = try await target.account()
    let restoration = try await target.restoration()
    let outcome = try await RestoreIntoAccount(root: archive.path, kind: kind.name)
      .add(items, to: restoration, isDry: isDry)
    tell(outcome, url, account?.name, isDry: isDry)
    if let error = outcome.stopped { throw error }
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  /// Opens the server: that of the source, or another with a token of its own.
  private func target() throws -> (any RestoreTarget, WebURL) {
    var source = try source()
    guard let keys = LoginKeys(kind) else {
      throw UsageError("items of \(kind.name) cannot be added to a server")
    }
    let own = source.values[keys.url]?.json.string.flatMap { WebURL($0) }
    let given = invocation.arguments.text(.url).flatMap { WebURL($0) }
    guard let url = given ?? own else {
      throw UsageError("the server is unknown; add --url https://…", helpPath: invocation.path)
    }
    if let token = try token() {
      source.set(keys.token, .string(token), from: .login(""))
    } else if url.origin != own?.origin {
      // The token of the source is for its own server.
      throw UsageError(
        "\(url.origin) needs a token of its own: set \(RestoreIntoServer.tokenVariable) or use "
          + "--token-stdin", helpPath: invocation.path)
    }
    source.set(keys.url, .string(url.absoluteString), from: .login(""))
    let opener = SourceOpener(
      services: invocation.services, environment: environment,
      allowedHosts: try settings.allowedHosts(), jobs: 1, events: SilentEventSink(),
      contact: settings.file?.contact)
    guard let target = try opener.make(source) as? any RestoreTarget else {
      throw UsageError("items of \(kind.name) cannot be added to a server")
    }
    return (target, url)
  }

  /// The source whose settings are used: that of `--source`, or the first of the kind.
  private func source() throws(UsageError) -> SourceConfiguration {
    let names = invocation.arguments.texts(.source)
    if names.count == 1 {
      let source = try settings.source(named: names[0])
      guard source.kind.name == kind.name else {
        throw UsageError("\(source.name) is not a source of the kind \(kind.name)")
      }
      return source
    }
    return settings.resolution.sources.first { $0.kind.name == kind.name }
      ?? SourceConfiguration(name: kind.name, kind: kind)
  }

  private func token() throws(UsageError) -> String? {
    let text =
      invocation.arguments.has(.tokenFromInput)
      ? environment.input.readAll() : environment.variables[RestoreIntoServer.tokenVariable]
    guard let text else { return nil }
    let token = String(text.drop(while: \.isWhitespace)).trimmingSuffix(\.isWhitespace)
    guard !token.isEmpty else { throw UsageError("the token is empty") }
    return String(token)
  }

  private func tell(
    _ outcome: RestoreIntoAccount.Outcome, _ url: WebURL, _ account: String?, isDry: Bool
  ) {
    for failure in outcome.failed {
      environment.error.write(
        "archiver: \(failure.folder) cannot be restored: \(DisplayText.line(failure.reason))\n")
    }
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "restored", "url": .string(url.absoluteString), "account": .text(account),
        "dryRun": .bool(isDry), "added": .integer(outcome.added),
        "present": .integer(outcome.present), "others": .integer(outcome.others),
        "failed": .integer(outcome.failed.count),
        "losses": .object(outcome.losses.mapValues { .integer($0) }),
      ]
      return environment.output.write(line.text)
    }
    for (loss, count) in outcome.losses.sorted(by: { $0.key < $1.key }) {
      environment.error.write("archiver: not restored: \(Quantity.count(count, loss))\n")
    }
    if outcome.others > 0 {
      environment.error.write(
        "archiver: \(Quantity.count(outcome.others, "item")) of other kinds left out\n")
    }
    let who = account.map { " (account \(DisplayText.line($0)))" } ?? ""
    let there = outcome.present == 1 ? "1 is there already" : "\(outcome.present) are there already"
    environment.output.write(
      isDry
        ? "Would add \(Quantity.count(outcome.added, "item")) to \(url.absoluteString)\(who); \(there).\n"
        : "Added \(Quantity.count(outcome.added, "item")) to \(url.absoluteString)\(who); "
          + there.replacing(" is ", with: " was ").replacing(" are ", with: " were ") + ".\n")
  }
}
