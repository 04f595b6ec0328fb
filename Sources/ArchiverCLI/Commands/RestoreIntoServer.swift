import ArchiverCore
import ArchiverExport
import ArchiverPipeline
import ArchiverStorage

/// `archiver restore --into-existing`.
struct RestoreIntoServer {
  let kind: SourceKind
  let settings: RunSettings
  let invocation: Invocation

  private var environment: ProcessEnvironment { invocation.environment }

  func perform(isDry: Bool) async throws -> ExitCode {
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    var chosen = invocation
    chosen.arguments.operands = []
    let selection = try ItemSelection(chosen, allowsEverything: true)
    let items = try selection.items(archive.catalog)
    let server = try RestoreServer(kind, settings, invocation)
    guard let target = server.source as? any RestoreTarget else {
      throw UsageError("items of \(kind.name) cannot be added to a server")
    }
    let account = try await target.account()
    let restoration = try await target.restoration()
    // A user who selects single items does not ask for collections.
    let records =
      selection.hasWholeSources
      ? try AccountRecords(archive, of: items, kind: kind.name) : AccountRecords()
    var outcome = try await RestoreIntoAccount.add(
      items, root: archive.path, kind: kind.name, records: records.found, to: restoration,
      isDry: isDry)
    if records.missing > 0 { outcome.losses[AccountRecords.loss] = records.missing }
    tell(outcome, server.url, account?.name, isDry: isDry)
    if let error = outcome.stopped { throw error }
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  private func tell(
    _ outcome: RestoreIntoAccount.Outcome, _ url: WebURL, _ account: String?, isDry: Bool
  ) {
    invocation.tell(failed: outcome.failed, losses: outcome.losses, others: outcome.others)
    let who = account.map { " (account \(DisplayText.line($0)))" } ?? ""
    let there = outcome.present == 1 ? "1 is there already" : "\(outcome.present) are there already"
    var what = Quantity.count(outcome.added, "item")
    if outcome.parts.added > 0 {
      what += " and \(Quantity.count(outcome.parts.added, "collection"))"
    }
    invocation.report(
      [
        "event": "restored", "url": .string(url.absoluteString), "account": .text(account),
        "dryRun": .bool(isDry), "added": .integer(outcome.added),
        "present": .integer(outcome.present), "others": .integer(outcome.others),
        "collections": .integer(outcome.parts.added),
        "failed": .integer(outcome.failed.count),
        "losses": .object(outcome.losses.mapValues { .integer($0) }),
      ],
      isDry
        ? "Would add \(what) to \(url.absoluteString)\(who); \(there).\n"
        : "Added \(what) to \(url.absoluteString)\(who); "
          + there.replacing(" is ", with: " was ").replacing(" are ", with: " were ") + ".\n")
  }
}

extension Invocation {
  /// Prints the items that cannot be restored and, without `--json`, other losses.
  func tell(failed: [(folder: String, reason: String)], losses: [String: Int], others: Int) {
    for failure in failed {
      environment.complain(
        "\(failure.folder) cannot be restored: \(DisplayText.line(failure.reason))")
    }
    guard !arguments.has(.json) else { return }
    for (loss, count) in losses.sorted(by: { $0.key < $1.key }) {
      environment.complain("not restored: \(Quantity.count(count, loss))")
    }
    if others > 0 {
      environment.complain("\(Quantity.count(others, "item")) of other kinds left out")
    }
  }
}
