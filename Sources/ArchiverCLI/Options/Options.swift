// Options that several commands accept, or to which other code refers by name. Each is defined here once.
extension Option {
  static let help = Option(
    "help", short: "h", withoutVariable: Reason.text, help: "Print this help")
  static let version = Option(
    "version", withoutVariable: Reason.text, help: "Print the version")

  static let archive = Option(
    "archive", short: "a", .directory, valueName: "DIR",
    defaultText: "~/archived", help: "The archive folder")
  static let config = Option(
    "config", short: "c", .file, valueName: "FILE",
    defaultText: "~/.config/archiver/config.json5", help: "The configuration file")
  static let json = Option("json", help: "Print JSON to standard output, one object per line")
  static let verbose = Option(
    "verbose", short: "v", .counter, help: "Show more: details, retries; twice: debug output")
  static let quiet = Option(
    "quiet", short: "q", help: "Print only what needs attention, so that cron sends no other mail")

  static let source = Option(
    "source", short: "s", .source, valueName: "NAME", isRepeatable: true,
    defaultText: "every configured source",
    help: "Only this source")
  static let max = Option(
    "max", short: "n", .integer(1...Int.max), valueName: "N", environment: "ARCHIVER_MAX",
    defaultText: "no limit",
    help:
      "Archive at most this many new or changed items of each source, newest first; the next run "
      + "continues"
  )
  static let noImages = Option(
    "no-images",
    help:
      "Fetch no images in this run; images archived earlier stay")
  static let allowHost = Option(
    "allow-host", .text, valueName: "HOST[:PORT]", isRepeatable: true,
    help: "Allow images from this host although its IP address is private")
  static let jobs = Option(
    "jobs", short: "j", .integer(1...256), valueName: "N",
    defaultText: "16", help: "Download at most this many files at once")
  static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help:
      "List the sources and print what a run would archive; fetch no item and write nothing")
  static let force = Option(
    "force", withoutVariable: Reason.once,
    help: "Fetch archived items again, and items that were given up")
  static let full = Option(
    "full",
    help: "Do a full listing, not an incremental one; finds what a source did not report")
  static let newAccount = Option(
    "new-account", withoutVariable: Reason.once,
    help: "Continue although the source now returns items of another account")
  static let newArchive = Option(
    "new-archive", withoutVariable: Reason.once,
    help: "Begin a new archive although the previous one is missing")
  static let only = Option(
    "only", .text, valueName: "ID", isRepeatable: true, withoutVariable: Reason.once,
    help: "Only the item with this id, as 'archiver list' prints it")
  static let keepVersions = Option(
    "keep-versions", .integer(0...1000), valueName: "N",
    defaultText: "3", help: "Keep this many earlier versions of an item that changed")

  static let limit = Option(
    "limit", short: "n", .integer(1...Int.max), valueName: "N", defaultText: "no limit",
    help: "Print at most this many")
  static let failed = Option(
    "failed", withoutVariable: Reason.once,
    help: "Print the items that could not be archived, and why")
  static let check = Option(
    "check", withoutVariable: Reason.once,
    help: "Print only problems; exit with 1 if there are any")
  static let maxAge = Option(
    "max-age", .duration, valueName: "TIME", withoutVariable: Reason.once,
    help: "With --check: a last successful run longer ago is a problem too")
  static let names = Option(
    "names", withoutVariable: Reason.once, help: "Print only the names, one per line")
  static let readData = Option(
    "read-data", .integer(0...100), valueName: "PERCENT", defaultText: "100",
    help: "Read and compare this share of the files; check only names and sizes of the others")
  static let overwrite = Option(
    "overwrite", withoutVariable: Reason.once, help: "Replace an existing file")
  static let at = Option(
    "at", .text, valueName: "HH:MM", withoutVariable: Reason.once, defaultText: "03:30",
    help: "Run every day at this time")
  static let every = Option(
    "every", .duration, valueName: "TIME", withoutVariable: Reason.once,
    help: "Run at this interval: 15m, 4h")
  static let everyRound = Option(
    "every", .duration, valueName: "TIME", environment: "ARCHIVER_EVERY", defaultText: "1h",
    help: "Time from the start of one run to the start of the next")
  static let cron = Option(
    "cron", withoutVariable: Reason.once, help: "Use your crontab")
  static let systemd = Option(
    "systemd", withoutVariable: Reason.once,
    help: "Use a systemd timer, the default if systemd is running")
  static let print = Option(
    "print", withoutVariable: Reason.once, help: "Print what would be installed and change nothing")
  static let url = Option(
    "url", .url, valueName: "URL", withoutVariable: Reason.setting,
    help: "The URL of the server")
  static let tokenFromInput = Option(
    "token-stdin", withoutVariable: Reason.once,
    help: "Read the token from standard input instead of asking for approval in a browser")
}

// Scheduling, waits and notifications of runs.
extension Option {
  static let ifOlderThan = timed(
    "if-older-than", "Skip sources that a run reached within this time")
  static let waitOnline = Option(
    "wait-online", .duration, valueName: "TIME", defaultText: "30s, during the run only",
    help: "Wait up to this long for the network before the run, and for a source that becomes "
      + "unreachable during it", group: timingGroup)
  static let maxTime = timed(
    "max-time", "Stop after this time; the rest stays queued for the next run")
  static let noSandbox = Option(
    "no-sandbox",
    help: "Disable the file-write sandbox (Linux)")
  static let noPublish = Option(
    "no-publish",
    help: "Do not publish after the run, although the configuration has a target (publish)")
  static let retryLock = timed(
    "retry-lock", "Wait up to this long for another run on the archive")
  static let background = Option(
    "background", help: "Run with low CPU and disk priority", group: timingGroup)

  static let pingURL = Option(
    "ping-url", .url, valueName: "URL",
    help: "Ping this URL on start, success and failure (healthchecks.io)",
    group: tellingGroup)
  static let notify = Option(
    "notify", .text, valueName: "COMMAND",
    help: "Run this shell command on failure or warning, with the report on standard input",
    group: tellingGroup)
  static let metrics = Option(
    "metrics", .file, valueName: "FILE",
    help: "Write metrics for Prometheus to this file when the run ends", group: tellingGroup)
  static let metricsName = Option(
    "metrics-name", .text, valueName: "NAME",
    help: "The label 'archive' of all metrics, to tell several archives apart",
    group: tellingGroup)
  static let logFile = Option(
    "log-file", .file, valueName: "FILE",
    help: "Append events to this file, each line with a timestamp", group: tellingGroup)

  static let timing = [ifOlderThan, waitOnline, maxTime, retryLock, background]
  static let telling = [pingURL, notify, metrics, metricsName, logFile]

  private static let timingGroup = "Scheduling"
  private static let tellingGroup = "Notifications"

  private static func timed(_ name: String, _ help: String) -> Option {
    Option(name, .duration, valueName: "TIME", help: help, group: timingGroup)
  }
}
