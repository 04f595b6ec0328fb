import ArchiverCore
import ArchiverExport
import ArchiverPipeline
import ArchiverStorage

/// `archiver restore --zip`, and `--replace-account`, which sends the file.
struct RestoreIntoFile {
  /// The account that the file will replace.
  private struct Target {
    let server: any AccountReplacing
    let url: WebURL
    let account: ReplaceableAccount
  }

  let kind: SourceKind
  let restorer: any SourceRestorer
  let settings: RunSettings
  let invocation: Invocation

  private var environment: ProcessEnvironment { invocation.environment }
  private var arguments: ParsedArguments { invocation.arguments }

  func perform(isDry: Bool) async throws -> ExitCode {
    try checkOptions(isDry: isDry)
    let path = try path()
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    var chosen = invocation
    chosen.arguments.operands = []
    let items = try ItemSelection(chosen, allowsEverything: true).items(archive.catalog)
    let records = try AccountRecords(archive, of: items, kind: kind.name)
    let target = arguments.has(RestoreCommand.replaceAccount) ? try await target() : nil
    let owner = RestoredOwner(
      name: target?.account.name ?? arguments.text(RestoreCommand.user) ?? "archiver",
      records: records.found, settings: target?.account.settings)
    var outcome: RestoreExport.Outcome
    do {
      outcome = try RestoreExport.write(
        items, root: archive.path, kind: kind.name, restorer: restorer, owner: owner, to: path)
    } catch let error where !(error is UsageError || error is CancellationError) {
      throw StorageError(.notWritable, "\(error)", underlying: error)
    }
    if records.missing > 0 { outcome.losses[AccountRecords.loss] = records.missing }
    invocation.tell(failed: outcome.failed, losses: outcome.losses, others: outcome.others)
    if let target, let path {
      try confirm(target)
      do throws(AdapterError) {
        try await target.server.replace(target.account, byFile: path)
      } catch {
        environment.complain("the file \(path) is complete")
        throw error
      }
    }
    tell(outcome, path, target)
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  private func checkOptions(isDry: Bool) throws(UsageError) {
    guard isDry != arguments.has(RestoreCommand.zip) else {
      throw invocation.misuse("use one of --zip, --into-existing and --dry-run")
    }
    let ofServer: [Option] = [.url, .tokenFromInput, RestoreCommand.account]
    guard arguments.has(RestoreCommand.replaceAccount) else {
      if ofServer.contains(where: { arguments.has($0) }) {
        throw invocation.misuse(
          "--url, --token-stdin and --account belong to --into-existing and --replace-account")
      }
      return
    }
    guard !arguments.has(RestoreCommand.user) else {
      throw invocation.misuse(
        "--user goes without --replace-account, for which the server names the account")
    }
    let canAsk = environment.input.isTerminal && !arguments.has(.tokenFromInput)
    guard isDry || canAsk || arguments.has(RestoreCommand.account) else {
      throw invocation.misuse(
        "there is no terminal to ask on: name the account to replace with --account NAME")
    }
  }

  private func path() throws -> String? {
    guard let path = arguments.text(RestoreCommand.zip).map({ environment.expanded($0) }) else {
      return nil
    }
    try ExportCommand.requireNew(path, invocation)
    return path
  }

  private func target() async throws -> Target {
    let server = try RestoreServer(kind, settings, invocation)
    guard let replacing = server.source as? any AccountReplacing else {
      throw UsageError("accounts of \(kind.name) cannot be replaced")
    }
    let account = try await replacing.replaceableAccount()
    if let name = arguments.text(RestoreCommand.account), name != account.name {
      throw UsageError(
        "the token at \(server.url.absoluteString) is for the account "
          + "\(DisplayText.line(account.name)), not for \(DisplayText.line(name))")
    }
    return Target(server: replacing, url: server.url, account: account)
  }

  /// Asks the user for the account's name, unless `--account` gives it.
  private func confirm(_ target: Target) throws {
    guard !arguments.has(RestoreCommand.account) else { return }
    environment.error.write(
      "This deletes \(had(target.account)), the collections and the tokens of the account "
        + "\(DisplayText.line(target.account.name)) at \(target.url.absoluteString). "
        + "Type the account's name to go on: ")
    let answer = environment.input.readLine(isHidden: false)
    try Task.checkCancellation()
    guard answer == target.account.name else {
      throw UsageError("another name, so the account stays as it is; the file is complete")
    }
  }

  private func had(_ account: ReplaceableAccount) -> String {
    account.items.map { "the \(Quantity.count($0, "item"))" } ?? "all items"
  }

  private func tell(_ outcome: RestoreExport.Outcome, _ path: String?, _ target: Target?) {
    if arguments.has(.json) {
      var line: JSONLine = [
        "event": "restored", "file": .text(path), "items": .integer(outcome.items),
        "files": .integer(outcome.files), "bytes": .integer(outcome.byteCount),
        "others": .integer(outcome.others), "failed": .integer(outcome.failed.count),
        "losses": .object(outcome.losses.mapValues { .integer($0) }),
      ]
      if let target {
        line.append("url", .string(target.url.absoluteString))
        line.append("account", .string(target.account.name))
        line.append("dryRun", .bool(path == nil))
      }
      return environment.output.write(line.text)
    }
    let what =
      "\(Quantity.count(outcome.items, "item")) in \(Quantity.count(outcome.files, "file")) "
      + "(\(Quantity.bytes(outcome.byteCount)))"
    guard let target else {
      return environment.output.write(
        path.map { "Wrote \(what) to \($0). \(restorer.advice)\n" } ?? "Would write \(what).\n")
    }
    let who = "\(DisplayText.line(target.account.name)) at \(target.url.absoluteString)"
    environment.output.write(
      path == nil
        ? "Would replace \(had(target.account)) of the account \(who) by \(what).\n"
        : "Replaced the account \(who) by \(what). Its tokens are gone, also the one used here.\n")
  }
}
