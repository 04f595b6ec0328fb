import ArchiverCore
import ArchiverExport
import ArchiverStorage

/// `archiver restore`.
enum RestoreCommand {
  private static let zip = Option(
    "zip", .file, valueName: "FILE", help: "Write the file that the server imports")
  private static let user = Option(
    "user", .text, valueName: "NAME", defaultText: "archiver",
    help: "The name of the account to import into")
  private static let intoExisting = Option(
    "into-existing", withoutVariable: Option.Reason.once,
    help: "Add the items to an account through the API, beside what is there")
  private static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "Report what would be restored and what would be lost; write nothing")

  static let command = Command(
    "restore", summary: "put archived items back on a server",
    discussion: [
      "KIND is readeck. --zip writes a file in the server's own export format: bookmarks with "
        + "their articles and images, labels, states, dates, reading positions and highlights "
        + "under their former ids. No server is contacted. The same archive gives the same bytes.",
      "Import it in Readeck at Profile > Import, which REPLACES all bookmarks, collections, "
        + "tokens and settings of that account; use an empty one. Collections and settings are "
        + "not archived and cannot be restored. Anything else that cannot be restored is counted.",
      "--into-existing adds the items to an account through the server's API, beside what is "
        + "there. Those that it has, by address and time of saving, are left as they are, so that "
        + "a second run changes nothing; an interrupted run is completed by the next. The server "
        + "fetches nothing from the web. Ids, and the dates of highlights, are new. The token "
        + "needs the roles to read and to write bookmarks: that of ARCHIVER_RESTORE_TOKEN, of "
        + "--token-stdin or, on the source's own server, of the source.",
      "--label and --since select items, as for 'archiver export'.",
    ],
    operands: [Command.Operand("KIND", .choice(["readeck"]), help: "The kind of server")],
    options: [
      zip, user, intoExisting, .url, .tokenFromInput, ItemSelection.label, ItemSelection.since,
      dryRun, .source, .overwrite, .archive,
      .config, .json,
    ],
    examples: [
      Command.Example(
        "archiver restore readeck --dry-run", "What would be restored, and what not."),
      Command.Example(
        "archiver restore readeck --zip readeck.zip --user anna", "The file to upload."),
      Command.Example(
        "archiver restore readeck --into-existing --url https://new.example.org --token-stdin",
        "Add everything to another account."),
    ],
    exitCodes: [.success, .someFailed, .source, .archive, .interrupted],
    confinement: .archive(outputs: [zip]), action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let arguments = invocation.arguments
    let isDry = arguments.has(dryRun)
    guard let name = arguments.operands.first,
      let kind = invocation.services.kinds.first(where: { $0.name == name }),
      let restorer = kind.restorer
    else {
      throw UsageError("the kind of server is missing; use readeck", helpPath: invocation.path)
    }
    if arguments.has(intoExisting) {
      guard !arguments.has(zip), !arguments.has(user) else {
        throw UsageError("use either --zip or --into-existing", helpPath: invocation.path)
      }
      return try await RestoreIntoServer(kind: kind, settings: settings, invocation: invocation)
        .perform(isDry: isDry)
    }
    guard !arguments.has(.url), !arguments.has(.tokenFromInput) else {
      throw UsageError(
        "--url and --token-stdin belong to --into-existing", helpPath: invocation.path)
    }
    guard isDry != arguments.has(zip) else {
      throw UsageError("use one of --zip, --into-existing and --dry-run", helpPath: invocation.path)
    }
    let target = arguments.text(zip).map { invocation.environment.expanded($0) }
    if let target {
      guard !AtomicFile.isStream(target) else {
        throw UsageError(
          "\(target) is not a regular file")
      }
      guard arguments.has(.overwrite) || !FileManager.default.fileExists(atPath: target) else {
        throw UsageError("\(target) already exists; --overwrite replaces it")
      }
    }
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    var chosen = invocation
    chosen.arguments.operands = []
    let items = try ItemSelection(chosen, allowsEverything: true).items(archive.catalog)
    let outcome: RestoreExport.Outcome
    do {
      outcome = try RestoreExport(root: archive.path, kind: name, restorer: restorer).write(
        items, user: arguments.text(user) ?? "archiver", to: target)
    } catch let error as UsageError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw StorageError(.notWritable, "\(error)", underlying: error)
    }
    tell(outcome, to: target, restorer, invocation)
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  private static func tell(
    _ outcome: RestoreExport.Outcome, to target: String?, _ restorer: any SourceRestorer,
    _ invocation: Invocation
  ) {
    let environment = invocation.environment
    for failure in outcome.failed {
      environment.error.write(
        "archiver: \(failure.folder) cannot be restored: \(DisplayText.line(failure.reason))\n")
    }
    let losses = outcome.losses.sorted { $0.key < $1.key }
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "restored", "file": .text(target), "items": .integer(outcome.items),
        "files": .integer(outcome.files), "bytes": .integer(outcome.byteCount),
        "others": .integer(outcome.others), "failed": .integer(outcome.failed.count),
        "losses": .object(outcome.losses.mapValues { .integer($0) }),
      ]
      return environment.output.write(line.text)
    }
    for (loss, count) in losses {
      environment.error.write("archiver: not restored: \(Quantity.count(count, loss))\n")
    }
    if outcome.others > 0 {
      environment.error.write(
        "archiver: \(Quantity.count(outcome.others, "item")) of other kinds left out\n")
    }
    let what =
      "\(Quantity.count(outcome.items, "item")) in \(Quantity.count(outcome.files, "file")) "
      + "(\(Quantity.bytes(outcome.byteCount)))"
    environment.output.write(
      target.map { "Wrote \(what) to \($0). \(restorer.advice)\n" } ?? "Would write \(what).\n")
  }
}
