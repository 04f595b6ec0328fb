import ArchiverCore

/// The table of all commands, from which parser, help, completions, manual page and dispatch are
/// derived.
enum CommandTable {
  static func root(kinds: [SourceKind]) -> Command {
    OptionVariables.assigned(to: table(kinds))
  }

  private static func table(_ kinds: [SourceKind]) -> Command {
    Command(
      "archiver",
      summary: "archive what you saved elsewhere as pages that open offline",
      discussion: [
        "Copies what you keep in Readeck and other sources into a folder of HTML pages that open "
          + "in any browser, without a server, an account or the network. Made to be run by cron "
          + "every night: it archives what is new or changed and skips the rest."
      ],
      options: [.version],
      subcommands: [
        RunCommand.command(kinds: kinds), WatchCommand.command(kinds: kinds),
        SourcesCommand.command, SourceCommand.command,
        LoginCommand.command,
        ListCommand.command, SearchCommand.command, OpenCommand.command, ExportCommand.command,
        RestoreCommand.command, PublishCommand.command,
        SiteCommand.command, PortalCommand.command, RenderCommand.command, StatusCommand.command,
        VerifyCommand.command,
        RepairCommand.command, RetryCommand.command, AcceptCommand.command, CleanupCommand.command,
        PinCommand.pin, PinCommand.unpin,
        ConfigCommand.command, ScheduleCommand.command, DoctorCommand.command,
        CompletionsCommand.command, SchemaCommand.command, ManualCommand.command,
        HelpCommand.command,
      ])
  }
}
