import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// Writes one JSON object per line to standard output.
struct JSONReporter: RunReporter {
  let output: any TextOutput
  let version: String
  let verbosity: Int

  func begin(archive: String, sources: [String], at now: Date) {
    output.write(
      EventRecord.started(
        archive: archive, sources: sources, version: version, at: now
      ).text)
  }

  func show(_ event: Event, at now: Date) {
    guard let line = EventRecord.line(event, at: now, verbosity: verbosity) else { return }
    output.write(line.text)
  }

  func end(_ report: RunReport, isDryRun: Bool, at now: Date) {
    for source in report.sources {
      for note in source.wouldFetch {
        output.write(EventRecord.plan("planItem", note, source: source.name, at: now).text)
      }
      for note in source.wouldRemove {
        output.write(EventRecord.plan("planRemoval", note, source: source.name, at: now).text)
      }
    }
    for id in report.unknownIDs {
      show(.log(.warning, source: nil, message: RunSummary.unknown(id)), at: now)
    }
    for line in RunSummary.warnings(report) {
      show(.log(.warning, source: nil, message: line), at: now)
    }
    if report.isTimeUp {
      let time = Wording.english.time(report.duration)
      show(.log(.info, source: nil, message: Wording.english.text(.timeUp, time)), at: now)
    }
    let code = ExitCode(report)
    if let failure = report.failure {
      output.write(EventRecord.error(failure.message, code, at: now).text)
    }
    output.write(EventRecord.finished(RunTotals(report), code).text)
  }
}
