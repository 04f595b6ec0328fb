/// What people need to know beyond the single commands; the manual page and the help share it.
struct ManualTopic: Sendable {
  /// The heading in the manual page.
  let title: String
  let paragraphs: [String]

  static let all = [configuration, secrets, programs, output, files]

  static let variables: [(name: String, help: String)] = [
    ("XDG_CONFIG_HOME", "Where configuration and logins are, by default ~/.config."),
    ("XDG_DATA_HOME", "Where programs that act as sources are, by default ~/.local/share."),
    ("NO_COLOR", "When not empty, nothing is coloured."),
    ("CLICOLOR", "When 0, nothing is coloured."),
    ("CLICOLOR_FORCE", "When neither empty nor 0, colours are used in files and pipes too."),
    ("TERM", "When dumb, progress is printed as plain lines."),
  ]

  static let configuration = ManualTopic(
    title: "CONFIGURATION",
    paragraphs: [
      "One source needs no file: its environment variables are enough. For more there is "
        + "~/.config/archiver/config.json5, or the file given by --config. It is JSON5: JSON with "
        + "comments, names without quotes and trailing commas.",
      "Its keys are archive, allowHosts, jobs, keepVersions, max, onConflict, onDeleted and sources. The keys of sources "
        + "are names of your choice; each value holds the source's settings, as 'archiver sources' "
        + "lists them, and kind when the name is not a kind's own: "
        + "{ sources: { readeck: { url: \"https://read.example.org\", token: \"env:MY_TOKEN\" } } }",
      "What is set in several places is taken, from weakest to strongest, from the default, the "
        + "file, a stored login, the environment and the command line. The environment variables "
        + "of a kind apply to the source that is named like it, or else to its only one.",
    ])

  static let secrets = ManualTopic(
    title: "SECRETS",
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
    title: "SOURCES OF YOUR OWN",
    paragraphs: [
      "A program named archiver-source-NAME, on PATH or in ~/.local/share/archiver/sources, is a "
        + "source like those that are built in: it speaks lines of JSON over standard input and "
        + "output. 'archiver sources' lists it, 'archiver source test NAME' checks it, 'archiver "
        + "run --source NAME' runs it. Its settings come from the configuration file, or from "
        + "variables made of its name and the setting: FEED_URL.",
      "Programs get none of your variables but PATH, HOME, the language, proxies and the like.",
    ])

  static let output = ManualTopic(
    title: "OUTPUT",
    paragraphs: [
      "Results go to standard output, progress and errors to standard error. With --json each line "
        + "of standard output is one JSON object; its keys are always the same, a value that is not "
        + "known is null.",
      "The lines of 'run --json' have a key event: "
        + EventRecord.schema.map { "\($0.name) (\($0.keys.joined(separator: ", ")))" }
        .joined(separator: "; ") + ".",
    ])

  static let files = ManualTopic(
    title: "FILES",
    paragraphs: [
      "~/.config/archiver/config.json5: the configuration.",
      "~/.local/share/archiver/sources/archiver-source-NAME: a program that acts as a source.",
      "~/.config/archiver/logins/NAME.json: what 'archiver login' stored, readable by you alone.",
      "ARCHIVE/index.html: the library, to be opened in a browser.",
      "ARCHIVE/NAME/: the bundles of a source, one folder each.",
      "ARCHIVE/.archiver/: the catalog and the pool of files that bundles share.",
    ])
}
