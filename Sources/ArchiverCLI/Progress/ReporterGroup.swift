import ArchiverCore
import ArchiverPipeline

/// Several reporters as one.
struct ReporterGroup: RunReporter {
  private var reporters: [any RunReporter]

  init(_ reporters: [any RunReporter]) {
    self.reporters = reporters
  }

  func shows(_ event: Event) -> Bool { reporters.contains { $0.shows(event) } }

  mutating func begin(archive: String, sources: [String], at now: Date) {
    for index in reporters.indices {
      reporters[index].begin(archive: archive, sources: sources, at: now)
    }
  }

  mutating func show(_ event: Event, at now: Date) {
    for index in reporters.indices { reporters[index].show(event, at: now) }
  }

  mutating func tick(at now: Date) {
    for index in reporters.indices { reporters[index].tick(at: now) }
  }

  mutating func end(_ report: RunReport, isDryRun: Bool, at now: Date) {
    for index in reporters.indices {
      reporters[index].end(report, isDryRun: isDryRun, at: now)
    }
  }
}

/// Lines with the time before them, for `--log-file` and `watch`.
struct LogReporter: RunReporter {
  let output: any TextOutput
  let verbosity: Int
  /// Leaves out all but what went wrong.
  var isQuiet = false

  func begin(archive: String, sources: [String], at now: Date) {
    if isQuiet { return }
    write("run begins: \(sources.joined(separator: ", ")) to \(archive)", at: now)
  }

  private var detail: EventText.Detail {
    EventText.Detail(isQuiet: isQuiet, verbosity: verbosity, listsItems: !isQuiet)
  }

  func shows(_ event: Event) -> Bool { EventText.line(event, detail) != nil }

  func show(_ event: Event, at now: Date) {
    if let line = EventText.line(event, detail) { write(line, at: now) }
  }

  func end(_ report: RunReport, isDryRun: Bool, at now: Date) {
    for line in RunSummary.lines(report, isDryRun: isDryRun, onlyTrouble: isQuiet) {
      write(line, at: now)
    }
  }

  func write(_ line: String, at now: Date) {
    output.write("\(now.formatted(.iso8601)) \(line)\n")
  }
}
