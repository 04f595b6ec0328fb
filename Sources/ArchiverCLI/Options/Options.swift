// The options that commands share or that other code asks for by name. Each stands here once;
// commands list the ones they take.
extension Option {
  static let help = Option("help", short: "h", help: "Print this help")
  static let version = Option("version", help: "Print the version")

  static let archive = Option(
    "archive", short: "a", .directory, valueName: "DIR", environment: "ARCHIVER_ARCHIVE",
    defaultText: "~/archived", help: "The archive folder")
  static let config = Option(
    "config", short: "c", .file, valueName: "FILE", environment: "ARCHIVER_CONFIG",
    defaultText: "~/.config/archiver/config.json5", help: "The configuration file")
  static let json = Option("json", help: "Print JSON to standard output, one object per line")
  static let verbose = Option(
    "verbose", short: "v", .counter, help: "Say more: repeated requests; twice: everything")
  static let quiet = Option(
    "quiet", short: "q", help: "Print only what needs a person, so that cron mails nothing else")

  static let source = Option(
    "source", short: "s", .source, valueName: "NAME", isRepeatable: true,
    environment: "ARCHIVER_SOURCE", defaultText: "every configured source",
    help: "Only this source")
  static let max = Option(
    "max", short: "n", .integer(1...Int.max), valueName: "N", environment: "ARCHIVER_MAX",
    defaultText: "no limit",
    help:
      "Archive at most this many new or changed items of each source, newest first; the next run "
      + "goes on from there"
  )
  static let noImages = Option("no-images", help: "Leave pictures out")
  static let allowHost = Option(
    "allow-host", .text, valueName: "HOST[:PORT]", isRepeatable: true,
    environment: "ARCHIVER_ALLOW_HOST",
    help: "Fetch pictures from this host although it is at a private address")
  static let jobs = Option(
    "jobs", short: "j", .integer(1...256), valueName: "N", environment: "ARCHIVER_JOBS",
    defaultText: "16", help: "Download at most this many files at once")
  static let dryRun = Option("dry-run", help: "Say what would be archived; fetch and write nothing")
  static let force = Option(
    "force", help: "Fetch again what is archived, and what was given up after failing often")
  static let only = Option(
    "only", .text, valueName: "ID", isRepeatable: true,
    help: "Only the item with this id, as 'archiver list' prints it")
  static let keepVersions = Option(
    "keep-versions", .integer(0...1000), valueName: "N", environment: "ARCHIVER_KEEP_VERSIONS",
    defaultText: "3", help: "Keep this many earlier versions of an item that changed")

  static let limit = Option(
    "limit", short: "n", .integer(1...Int.max), valueName: "N", defaultText: "no limit",
    help: "Print at most this many")
  static let failed = Option("failed", help: "Print the items that could not be archived, and why")
  static let names = Option("names", help: "Print only the names, one per line")
  static let readData = Option(
    "read-data", .integer(0...100), valueName: "PERCENT", defaultText: "100",
    help: "Read and compare this share of the files; of the others only names and sizes")
  static let overwrite = Option("overwrite", help: "Replace the file that is there")
  static let at = Option(
    "at", .text, valueName: "HH:MM", defaultText: "03:30", help: "Run every day at this time")
  static let every = Option(
    "every", .duration, valueName: "TIME", help: "Run again and again: 15m, 4h")
  static let cron = Option("cron", help: "A line in your crontab")
  static let systemd = Option("systemd", help: "A timer of systemd, the default where there is one")
  static let print = Option("print", help: "Print what would be installed and change nothing")
  static let url = Option(
    "url", .url, valueName: "URL", help: "The address of the server")
  static let tokenFromInput = Option(
    "token-stdin",
    help: "Read the token from standard input instead of asking for consent in a browser")
}

// When and how `run` begins and ends, and whom it tells.
extension Option {
  static let ifOlderThan = timed(
    "if-older-than", "Leave out sources that a run reached within this time")
  static let waitOnline = timed(
    "wait-online", "Wait up to this long for the network before the run begins")
  static let maxTime = timed(
    "max-time", "Stop after this time; what is left waits for the next run")
  static let noSandbox = Option(
    "no-sandbox",
    help: "Keep the right to change files outside the archive, which runs on Linux give up")
  static let retryLock = timed(
    "retry-lock", "Wait up to this long for another run that is at work on the archive")
  static let background = Option(
    "background", help: "Leave processor and disk to others", group: timingGroup)

  static let pingURL = Option(
    "ping-url", .url, valueName: "URL", environment: "ARCHIVER_PING_URL",
    help: "Tell this address of start, success and failure, as healthchecks.io has it",
    group: tellingGroup)
  static let notify = Option(
    "notify", .text, valueName: "COMMAND", environment: "ARCHIVER_NOTIFY",
    help: "Run this line of shell when something went wrong, with the report as its input",
    group: tellingGroup)
  static let metrics = Option(
    "metrics", .file, valueName: "FILE", environment: "ARCHIVER_METRICS",
    help: "Write figures for Prometheus to this file when the run ends", group: tellingGroup)
  static let logFile = Option(
    "log-file", .file, valueName: "FILE", environment: "ARCHIVER_LOG_FILE",
    help: "Append what happens to this file, each line with its time", group: tellingGroup)

  static let timing = [ifOlderThan, waitOnline, maxTime, retryLock, background]
  static let telling = [pingURL, notify, metrics, logFile]

  private static let timingGroup = "When to run"
  private static let tellingGroup = "Whom to tell"

  private static func timed(_ name: String, _ help: String) -> Option {
    let variable = "ARCHIVER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    return Option(
      name, .duration, valueName: "TIME", environment: variable, help: help, group: timingGroup)
  }
}
