// Options that commands share or that other code refers to by name. Each is defined here once;
// commands list the ones they accept.
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
    "verbose", short: "v", .counter, help: "Say more: repeated requests; twice: everything")
  static let quiet = Option(
    "quiet", short: "q", help: "Print only what needs a person, so that cron mails nothing else")

  static let source = Option(
    "source", short: "s", .source, valueName: "NAME", isRepeatable: true,
    defaultText: "every configured source",
    help: "Only this source")
  static let max = Option(
    "max", short: "n", .integer(1...Int.max), valueName: "N", environment: "ARCHIVER_MAX",
    defaultText: "no limit",
    help:
      "Archive at most this many new or changed items of each source, newest first; the next run "
      + "goes on from there"
  )
  static let noImages = Option(
    "no-images",
    help:
      "Leave pictures out of what is archived now; pictures archived earlier stay")
  static let allowHost = Option(
    "allow-host", .text, valueName: "HOST[:PORT]", isRepeatable: true,
    help: "Fetch pictures from this host although it is at a private address")
  static let jobs = Option(
    "jobs", short: "j", .integer(1...256), valueName: "N",
    defaultText: "16", help: "Download at most this many files at once")
  static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help:
      "Print what a run would take now and how much would wait; list the sources, fetch no item and "
      + "write nothing")
  static let force = Option(
    "force", withoutVariable: Reason.once,
    help: "Fetch again what is archived, and what was given up after failing often")
  static let full = Option(
    "full",
    help: "List everything anew, not only what changed since the last run; finds what a source "
      + "did not report")
  static let newAccount = Option(
    "new-account", withoutVariable: Reason.once,
    help: "Go on although a source now gives the items of another account than before")
  static let newArchive = Option(
    "new-archive", withoutVariable: Reason.once,
    help: "Begin a new archive although runs have written to one that is not there any more")
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
    help: "Print only what is wrong, and end with 1 if anything is")
  static let maxAge = Option(
    "max-age", .duration, valueName: "TIME", withoutVariable: Reason.once,
    help: "With --check: a source is wrong too whose last good run is longer ago")
  static let names = Option(
    "names", withoutVariable: Reason.once, help: "Print only the names, one per line")
  static let readData = Option(
    "read-data", .integer(0...100), valueName: "PERCENT", defaultText: "100",
    help: "Read and compare this share of the files; of the others only names and sizes")
  static let overwrite = Option(
    "overwrite", withoutVariable: Reason.once, help: "Replace the file that is there")
  static let at = Option(
    "at", .text, valueName: "HH:MM", withoutVariable: Reason.once, defaultText: "03:30",
    help: "Run every day at this time")
  static let every = Option(
    "every", .duration, valueName: "TIME", withoutVariable: Reason.once,
    help: "Run again and again: 15m, 4h")
  static let everyRound = Option(
    "every", .duration, valueName: "TIME", environment: "ARCHIVER_EVERY", defaultText: "1h",
    help: "Time from the start of one round to the start of the next")
  static let cron = Option(
    "cron", withoutVariable: Reason.once, help: "A line in your crontab")
  static let systemd = Option(
    "systemd", withoutVariable: Reason.once,
    help: "A timer of systemd, the default where there is one")
  static let print = Option(
    "print", withoutVariable: Reason.once, help: "Print what would be installed and change nothing")
  static let url = Option(
    "url", .url, valueName: "URL", withoutVariable: Reason.setting,
    help: "The address of the server")
  static let tokenFromInput = Option(
    "token-stdin", withoutVariable: Reason.once,
    help: "Read the token from standard input instead of asking for consent in a browser")
}

// When and how `run` begins and ends, and whom it tells.
extension Option {
  static let ifOlderThan = timed(
    "if-older-than", "Leave out sources that a run reached within this time")
  static let waitOnline = timed(
    "wait-online",
    "Wait up to this long for the network before the run begins, and when it drops away meanwhile")
  static let maxTime = timed(
    "max-time", "Stop after this time; what is left waits for the next run")
  static let noSandbox = Option(
    "no-sandbox",
    help: "Keep the right to change files outside the archive, which is given up on Linux")
  static let noPublish = Option(
    "no-publish",
    help: "Publish nothing afterwards, although the configuration names a place (publish)")
  static let retryLock = timed(
    "retry-lock", "Wait up to this long for another run that is at work on the archive")
  static let background = Option(
    "background", help: "Leave processor and disk to others", group: timingGroup)

  static let pingURL = Option(
    "ping-url", .url, valueName: "URL",
    help: "Tell this address of start, success and failure, as healthchecks.io has it",
    group: tellingGroup)
  static let notify = Option(
    "notify", .text, valueName: "COMMAND",
    help: "Run this line of shell when something went wrong, with the report as its input",
    group: tellingGroup)
  static let metrics = Option(
    "metrics", .file, valueName: "FILE",
    help: "Write figures for Prometheus to this file when the run ends", group: tellingGroup)
  static let logFile = Option(
    "log-file", .file, valueName: "FILE",
    help: "Append what happens to this file, each line with its time", group: tellingGroup)

  static let timing = [ifOlderThan, waitOnline, maxTime, retryLock, background]
  static let telling = [pingURL, notify, metrics, logFile]

  private static let timingGroup = "When to run"
  private static let tellingGroup = "Whom to tell"

  private static func timed(_ name: String, _ help: String) -> Option {
    Option(name, .duration, valueName: "TIME", help: help, group: timingGroup)
  }
}
