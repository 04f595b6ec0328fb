import ArchiverCore

/// A topic besides the single commands, for the help and the manual page.
struct ManualTopic: Sendable {
  /// The word after 'archiver help'.
  let name: String
  /// The heading in the manual page.
  let title: String
  /// What the topic explains, for the list of topics.
  let summary: String
  let paragraphs: [String]

  static let all = [configuration, limits, sources, scheduling, secrets, programs, output, files]

  /// The topics of 'archiver help' besides commands. In the manual page, the last two are separate sections.
  static func help(_ root: Command) -> [ManualTopic] { all + [environment(root), exitCodes] }

  static let exitCodes = ManualTopic(
    name: "exit-codes", title: "EXIT STATUS", summary: "what the exit codes mean",
    paragraphs: ExitCode.allCases.map { "\($0.rawValue): \($0.meaning)" })

  static func environment(_ root: Command) -> ManualTopic {
    ManualTopic(
      name: "environment", title: "ENVIRONMENT", summary: "every environment variable",
      paragraphs: beforeVariables + allVariables(root).map { "\($0.name): \($0.help)" }
        + afterVariables(root))
  }

  static let beforeVariables = [
    "Every option has an environment variable, which overrides the configuration file and is "
      + "overridden by the command line. Flags take true or false, lists are separated by commas."
  ]

  /// Returns the variables that replace options, then the others.
  static func allVariables(_ root: Command) -> [(name: String, help: String)] {
    var seen: Set<String> = []
    var found: [(name: String, help: String)] = []
    root.forEach { _, command in
      for option in command.options {
        guard let name = option.environment, seen.insert(name).inserted else { continue }
        found.append((name, "Same as \(option.flag)."))
      }
    }
    return found + variables
  }

  static func afterVariables(_ root: Command) -> [String] {
    [
      "Settings of sources have variables too, such as READECK_URL and READECK_TOKEN: 'archiver "
        + "sources' lists them."
    ] + OptionVariables.exceptions(root).map { "--\($0.0) has none: \($0.1)." }
  }

  static let sources = ManualTopic(
    name: "sources", title: "SOURCES",
    summary: "common settings, several sources of one kind",
    paragraphs: [
      "Readeck, Notion and book catalogs (OPDS) are built in; 'archiver sources' lists them with "
        + "every setting, and programs on this machine that act as sources.",
      "Besides the settings of its kind, each source in the file may have: "
        + ConfigurationTemplate.perSource.map { "\($0.key) (\($0.option.help))" }
        .joined(separator: "; ") + ".",
      "Several sources of one kind need different names: "
        + "{ sources: { \"work-notes\": { kind: \"notion\", token: \"env:WORK_TOKEN\" } } }",
    ])

  static let scheduling = ManualTopic(
    name: "scheduling", title: "SCHEDULING",
    summary: "runs every night, on laptops and in containers",
    paragraphs: [
      "'archiver schedule install --at 03:30' makes a systemd timer or a crontab line; "
        + "'archiver schedule show' and 'archiver status' say when the next run is. In a "
        + "container use 'archiver watch --every 15m'.",
      "On a machine that is not always on, schedule 'archiver run --if-older-than 4h "
        + "--wait-online 5m --background' as often as you like. --max-time limits a run, "
        + "--retry-lock waits for another run.",
      "With --quiet, only what needs attention is printed, so that cron sends no other mail. "
        + "--ping-url and --notify report the result, --metrics writes metrics, --log-file "
        + "appends to a log.",
    ])

  static let variables: [(name: String, help: String)] =
    [
      ("XDG_CONFIG_HOME", "The folder of configuration and logins, by default ~/.config."),
      ("XDG_DATA_HOME", "The folder of programs that act as sources, by default ~/.local/share."),
      (
        "XDG_STATE_HOME",
        "The folder of the list of known archives, by default ~/.local/state."
      ),
      (
        "LANG",
        "If de, es or zh with UTF-8, messages are in German, Spanish or Chinese; LC_ALL and "
          + "LC_MESSAGES take precedence."
      ),
    ] + PublishOpener.variables + [
      ("NO_COLOR", "If not empty, output has no colours."),
      ("CLICOLOR", "If 0, output has no colours."),
      ("CLICOLOR_FORCE", "If neither empty nor 0, output to files and pipes has colours too."),
      ("TERM", "If dumb, progress is printed as plain lines."),
    ]

  static let configuration = ManualTopic(
    name: "config",
    title: "CONFIGURATION", summary: "the configuration file and the order of precedence",
    paragraphs: [
      "A single source needs no file: its environment variables are enough. Otherwise use "
        + "~/.config/archiver/config.json5, or the file given by --config. It is JSON5: JSON with "
        + "comments, names without quotes and trailing commas.",
      "Its keys are archive, allowHosts, contact, jobs, keepVersions, language, limits, max, "
        + "onConflict, onDeleted, publish and sources. contact is a mail address or a page of yours that is sent to servers with "
        + "every request: some, such as Wikimedia's, refuse images to programs without one. The "
        + "keys of sources "
        + "are names of your choice; each value holds the source's settings, as 'archiver "
        + "sources' lists them, and kind if the name is not that of a kind: "
        + "{ sources: { readeck: { url: \"https://read.example.org\", token: \"env:MY_TOKEN\" } } }",
      "A setting is taken from, in rising order of precedence: the default, the file, a stored "
        + "login, the environment, the command line. The environment variables of a kind apply to "
        + "the source with the name of the kind, or else to the only source of the kind.",
    ])

  static let limits = ManualTopic(
    name: "limits",
    title: "LIMITS", summary: "limits on untrusted input",
    paragraphs: [
      "Untrusted input is limited in size, count and time. An item or file that exceeds a limit "
        + "is left out with an error that names the setting; change it under limits in the "
        + "configuration file: { limits: { imageSize: \"200M\" } }. Sizes have K, M, G or T, "
        + "times s, m, h or d. Limits that an error calls fixed cannot be changed."
    ] + Limit.allCases.map(described))

  private static func described(_ limit: Limit) -> String {
    let bounds = (limit.text(limit.range.lowerBound), limit.text(limit.range.upperBound))
    return "\(limit.key): \(limit.help). By default \(limit.text(limit.standard)), from "
      + "\(bounds.0) to \(bounds.1)."
  }

  static let secrets = ManualTopic(
    name: "secrets",
    title: "SECRETS", summary: "where to keep tokens and passwords",
    paragraphs: [
      "A token or password in the file is the text itself, or a reference to it: \"env:NAME\" for "
        + "an "
        + "environment variable, \"file:/path\" for the content of a file, \"command:pass show x\" "
        + "for what a command prints (run by /bin/sh, at most 30 seconds), \"credential:NAME\" for a "
        + "credential that systemd hands to the service (LoadCredential=NAME:/path); a credential "
        + "with the name of a variable, such as READECK_TOKEN, is used automatically. White "
        + "space around the value is removed. A file that contains a token should have mode 0600.",
      "A stored login is sent only to the server it was made for.",
    ])

  static let programs = ManualTopic(
    name: "programs",
    title: "SOURCES OF YOUR OWN", summary: "programs that act as sources",
    paragraphs: [
      "A program named archiver-source-NAME, on PATH or in ~/.local/share/archiver/sources, is a "
        + "source like the built-in ones: it exchanges lines of JSON over standard input and "
        + "output. 'archiver sources' lists it, 'archiver source test NAME' checks it, 'archiver "
        + "run --source NAME' runs it. Its settings come from the configuration file, or from "
        + "variables made of its name and the setting: FEED_URL.",
      "Each request is one line on standard input, each reply a line on standard output; the "
        + "program ends with its input. {\"request\": \"describe\", \"protocol\": 1} is answered "
        + "by {\"type\": \"description\", \"protocol\": 1, \"kind\": \"NAME\", \"summary\": \"…\", "
        + "\"settings\": [{\"key\": \"url\", \"type\": \"url\", \"help\": \"…\"}]}; a token has the "
        + "type secret. {\"request\": \"open\", \"settings\": {…}, \"folder\": \"…\"} is answered by "
        + "{\"type\": \"ready\"}.",
      "{\"request\": \"list\"} is answered by pages, {\"type\": \"page\", \"references\": "
        + "[{\"id\": \"1\", \"revision\": \"a\", \"title\": \"…\"}], \"complete\": true}, then "
        + "{\"type\": \"done\"}. The revision changes when the item does; complete tells that "
        + "items without a reference are gone.",
      "{\"request\": \"item\", \"id\": \"1\"} is answered by {\"type\": \"item\", \"metadata\": "
        + "{\"title\": \"…\", \"url\": \"…\"}, \"html\": \"…\", \"attachments\": [{\"role\": "
        + "\"image\", \"file\": \"a.png\", \"url\": \"https://notes.invalid/a\"}]}: a file is in the "
        + "folder, and its url is what the HTML calls it. Instead of any reply there may be "
        + "{\"type\": \"error\", \"code\": \"notFound\", \"message\": \"…\"}; other codes are "
        + "unauthorized, unavailable, rateLimited, notReady, tooLarge and malformed.",
      "The whole protocol is in source-programs.md, which is installed in share/doc/archiver with "
        + "two example programs.",
      "Programs get only some environment variables: PATH, HOME, the language, proxies and the "
        + "like.",
    ])

  static let output = ManualTopic(
    name: "output",
    title: "OUTPUT", summary: "standard output, standard error and the lines of --json",
    paragraphs: [
      "Results go to standard output, progress and errors to standard error. With --json each line "
        + "of standard output is one JSON object; its keys are always the same, and an unknown "
        + "value is null.",
      "The lines of 'run --json' have a key event: "
        + EventRecord.schema.map { "\($0.name) (\($0.keys.joined(separator: ", ")))" }
        .joined(separator: "; ") + ".",
    ])

  static let files = ManualTopic(
    name: "formats",
    title: "FILES", summary: "the files that archiver reads and writes",
    paragraphs: [
      "~/.config/archiver/config.json5: the configuration.",
      "~/.local/share/archiver/sources/archiver-source-NAME: a program that acts as a source.",
      "~/.config/archiver/logins/NAME.json: what 'archiver login' stored, with mode 0600.",
      "~/.local/state/archiver/archives.json: the known archives, so that an archive whose disk "
        + "is not mounted is noticed.",
      "ARCHIVE/index.html: the library; open it in a browser.",
      "ARCHIVE/NAME/: the bundles of a source, one folder each: index.html, assets/, item.json "
        + "(metadata and missing parts), source.json (the source's own record), "
        + "SHA256SUMS (for sha256sum -c), versions/ (earlier copies).",
      "ARCHIVE/.archiver/: the catalog and the object pool.",
    ])
}
