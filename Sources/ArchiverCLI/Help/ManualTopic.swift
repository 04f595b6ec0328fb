import ArchiverCore

/// What people need to know beyond the single commands; the manual page and the help share it.
struct ManualTopic: Sendable {
  /// The word after 'archiver help'.
  let name: String
  /// The heading in the manual page.
  let title: String
  /// What it explains, for the list of topics.
  let summary: String
  let paragraphs: [String]

  static let all = [configuration, limits, sources, scheduling, secrets, programs, output, files]

  /// All that 'archiver help' explains besides commands; the manual page has the last two as
  /// sections of their own form.
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
    "Every option has a variable, stronger than the configuration file and weaker than the "
      + "command line. Flags take true or false, lists are separated by commas."
  ]

  /// Returns the variables that replace options, then the others.
  static func allVariables(_ root: Command) -> [(name: String, help: String)] {
    var seen: Set<String> = []
    var found: [(name: String, help: String)] = []
    root.forEach { _, command in
      for option in command.options {
        guard let name = option.environment, seen.insert(name).inserted else { continue }
        found.append((name, "Stands in for \(option.flag)."))
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
    summary: "settings that every source has, several sources of one kind",
    paragraphs: [
      "Readeck, Notion and book catalogs (OPDS) are built in; 'archiver sources' lists them with "
        + "every setting, and programs on this machine that act as sources.",
      "Beside the settings of its kind each source in the file may have: "
        + ConfigurationTemplate.perSource.map { "\($0.key) (\($0.option.help))" }
        .joined(separator: "; ") + ".",
      "Several sources of one kind have names of their own: "
        + "{ sources: { \"work-notes\": { kind: \"notion\", token: \"env:WORK_TOKEN\" } } }",
    ])

  static let scheduling = ManualTopic(
    name: "scheduling", title: "SCHEDULING",
    summary: "runs every night, on laptops and in containers",
    paragraphs: [
      "'archiver schedule install --at 03:30' makes a timer of systemd or a line in your crontab; "
        + "'archiver schedule show' and 'archiver status' say when the next run is. In a container "
        + "'archiver watch --every 15m' does without both.",
      "A machine that is not always on: 'archiver run --if-older-than 4h --wait-online 5m "
        + "--background', as often as you like. --max-time bounds a run, --retry-lock waits for "
        + "another one.",
      "With --quiet only what needs a person is printed, so that cron mails nothing else. "
        + "--ping-url, --notify and --metrics tell others; --log-file keeps a log.",
    ])

  static let variables: [(name: String, help: String)] =
    [
      ("XDG_CONFIG_HOME", "Where configuration and logins are, by default ~/.config."),
      ("XDG_DATA_HOME", "Where programs that act as sources are, by default ~/.local/share."),
      (
        "XDG_STATE_HOME",
        "Where it is remembered which archives there are, by default ~/.local/state."
      ),
      (
        "LANG",
        "When de, es or zh and UTF-8, what is said to people is in German, Spanish or Chinese; "
          + "LC_ALL and LC_MESSAGES go before it."
      ),
    ] + PublishOpener.variables + [
      ("NO_COLOR", "When not empty, nothing is coloured."),
      ("CLICOLOR", "When 0, nothing is coloured."),
      ("CLICOLOR_FORCE", "When neither empty nor 0, colours are used in files and pipes too."),
      ("TERM", "When dumb, progress is printed as plain lines."),
    ]

  static let configuration = ManualTopic(
    name: "config",
    title: "CONFIGURATION", summary: "the configuration file, and what goes before what",
    paragraphs: [
      "One source needs no file: its environment variables are enough. For more there is "
        + "~/.config/archiver/config.json5, or the file given by --config. It is JSON5: JSON with "
        + "comments, names without quotes and trailing commas.",
      "Its keys are archive, allowHosts, contact, jobs, keepVersions, limits, max, onConflict, onDeleted, "
        + "publish and sources. contact is a mail address or a page of yours that servers are told with every request: some, "
        + "such as Wikimedia's, refuse pictures to programs without one. The keys of sources "
        + "are names of your choice; each value holds the source's settings, as 'archiver sources' "
        + "lists them, and kind when the name is not a kind's own: "
        + "{ sources: { readeck: { url: \"https://read.example.org\", token: \"env:MY_TOKEN\" } } }",
      "What is set in several places is taken, from weakest to strongest, from the default, the "
        + "file, a stored login, the environment and the command line. The environment variables "
        + "of a kind apply to the source that is named like it, or else to its only one.",
    ])

  static let limits = ManualTopic(
    name: "limits",
    title: "LIMITS", summary: "bounds on what strangers can make a run do",
    paragraphs: [
      "What strangers can make a run do is bounded. An item or file that goes beyond a bound is "
        + "left out with an error that names the setting, which stands under limits in the "
        + "configuration file: { limits: { imageSize: \"200M\" } }. Sizes have K, M, G or T, times "
        + "s, m, h or d. Bounds whose errors say that they are fixed cannot be set."
    ] + Limit.allCases.map(described))

  private static func described(_ limit: Limit) -> String {
    let bounds = (limit.text(limit.range.lowerBound), limit.text(limit.range.upperBound))
    return "\(limit.key): \(limit.help). By default \(limit.text(limit.standard)), from "
      + "\(bounds.0) to \(bounds.1)."
  }

  static let secrets = ManualTopic(
    name: "secrets",
    title: "SECRETS", summary: "where tokens and passwords may be kept",
    paragraphs: [
      "A token or password in the file is the text itself, or says where it is: \"env:NAME\" for an "
        + "environment variable, \"file:/path\" for the content of a file, \"command:pass show x\" "
        + "for what a command prints (run by /bin/sh, at most 30 seconds), \"credential:NAME\" for a "
        + "credential that systemd hands to the service (LoadCredential=NAME:/path); one that has "
        + "the name of a variable, such as READECK_TOKEN, is taken by itself. White space around it "
        + "is dropped. A file that holds a token itself should be readable and "
        + "writable by you alone.",
      "A stored login goes only to the server it was made for.",
    ])

  static let programs = ManualTopic(
    name: "programs",
    title: "SOURCES OF YOUR OWN", summary: "programs that act as sources",
    paragraphs: [
      "A program named archiver-source-NAME, on PATH or in ~/.local/share/archiver/sources, is a "
        + "source like those that are built in: it speaks lines of JSON over standard input and "
        + "output. 'archiver sources' lists it, 'archiver source test NAME' checks it, 'archiver "
        + "run --source NAME' runs it. Its settings come from the configuration file, or from "
        + "variables made of its name and the setting: FEED_URL.",
      "Programs get none of your variables but PATH, HOME, the language, proxies and the like.",
    ])

  static let output = ManualTopic(
    name: "output",
    title: "OUTPUT", summary: "what is printed where, and the lines of --json",
    paragraphs: [
      "Results go to standard output, progress and errors to standard error. With --json each line "
        + "of standard output is one JSON object; its keys are always the same, a value that is not "
        + "known is null.",
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
      "~/.config/archiver/logins/NAME.json: what 'archiver login' stored, readable by you alone.",
      "~/.local/state/archiver/archives.json: the archives that runs have written to, so that one whose disk "
        + "is not mounted is missed.",
      "ARCHIVE/index.html: the library, to be opened in a browser.",
      "ARCHIVE/NAME/: the bundles of a source, one folder each: index.html, assets/, item.json (what "
        + "is known of the item and what is missing), source.json (the source's own record), "
        + "SHA256SUMS (for sha256sum -c), versions/ (earlier copies).",
      "ARCHIVE/.archiver/: the catalog and the pool of files that bundles share.",
    ])
}
