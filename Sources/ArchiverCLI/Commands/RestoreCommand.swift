import ArchiverCore

/// `archiver restore`.
enum RestoreCommand {
  static let zip = Option(
    "zip", .file, valueName: "FILE", help: "Write the file that the server imports")
  static let user = Option(
    "user", .text, valueName: "NAME", defaultText: "archiver",
    help: "The name of the account to import into")
  static let replaceAccount = Option(
    "replace-account", withoutVariable: Option.Reason.once,
    help: "Send the file to the server, which replaces the account by it; asks before")
  static let account = Option(
    "account", .text, valueName: "NAME", withoutVariable: Option.Reason.once,
    help: "With --replace-account: the account to replace, in place of the question")
  private static let intoExisting = Option(
    "into-existing", withoutVariable: Option.Reason.once,
    help: "Add the items to an account through the API, beside what is there")
  static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "Report what would be restored and what would be lost; write nothing")

  static let command = Command(
    "restore", summary: "put archived items back on a server",
    discussion: [
      "KIND is readeck. --zip writes a file in the server's own export format: bookmarks with "
        + "their articles and images, labels, states, dates, reading positions, highlights "
        + "under their former ids, collections and settings. No server is contacted. The same "
        + "archive gives the same bytes.",
      "Import it in Readeck at Profile > Import, which REPLACES all bookmarks, collections, "
        + "tokens and settings of that account; use an empty one. --replace-account does so for "
        + "you: it names the account and what it has, asks for the name, sends the file, and keeps "
        + "the account's settings. The token must be one without any role ticked; it is gone "
        + "afterwards, like the account's others. Anything that cannot be restored is counted.",
      "--into-existing adds the items to an account through the server's API, beside what is "
        + "there. Those that it has, by address and time of saving, are left as they are, so that "
        + "a second run changes nothing; an interrupted run is completed by the next. The server "
        + "fetches nothing from the web. Ids, and the dates of highlights, are new; the account's "
        + "settings stay. The token needs the roles to read and to write bookmarks.",
      "The token is that of ARCHIVER_RESTORE_TOKEN, of --token-stdin or, on the source's own "
        + "server, of the source.",
      "--label and --since select items, as for 'archiver export'; --into-existing then adds no "
        + "collections.",
    ],
    operands: [Command.Operand("KIND", .choice(["readeck"]), help: "The kind of server")],
    options: [
      zip, user, replaceAccount, account, intoExisting, .url, .tokenFromInput, ItemSelection.label,
      ItemSelection.since, dryRun, .source, .overwrite, .archive, .config, .json,
    ],
    examples: [
      Command.Example(
        "archiver restore readeck --dry-run", "What would be restored, and what not."),
      Command.Example(
        "archiver restore readeck --zip readeck.zip --user anna", "The file to upload."),
      Command.Example(
        "archiver restore readeck --zip readeck.zip --replace-account --url "
          + "https://new.example.org", "Write the file and replace an account by it."),
      Command.Example(
        "archiver restore readeck --into-existing --url https://new.example.org --token-stdin",
        "Add everything to another account."),
    ],
    exitCodes: [.success, .someFailed, .source, .archive, .interrupted],
    confinement: .archive(outputs: [zip]), action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let arguments = invocation.arguments
    guard let name = arguments.operands.first,
      let kind = invocation.services.kinds.first(where: { $0.name == name }),
      let restorer = kind.restorer
    else {
      throw invocation.misuse("the kind of server is missing; use readeck")
    }
    guard arguments.has(intoExisting) else {
      return try await RestoreIntoFile(
        kind: kind, restorer: restorer, settings: settings, invocation: invocation
      ).perform(isDry: arguments.has(dryRun))
    }
    guard ![zip, user, replaceAccount, account].contains(where: { arguments.has($0) }) else {
      throw invocation.misuse(
        "--into-existing goes without --zip, --user, --replace-account and --account")
    }
    return try await RestoreIntoServer(kind: kind, settings: settings, invocation: invocation)
      .perform(isDry: arguments.has(dryRun))
  }
}
