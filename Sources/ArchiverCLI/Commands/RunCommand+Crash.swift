import ArchiverCore
import ArchiverStorage

extension RunCommand {
  /// Reports a crash as the end of the run that this process was, with the same arguments.
  ///
  /// - Returns: `.crashed`, even if nothing could be reported.
  static func reportCrash(_ invocation: Invocation) async -> ExitCode {
    logFile(invocation).map { LineReporter(output: $0, verbosity: 1, isLog: true) }?
      .write("error: \(ExitCode.crashed.meaning)", at: invocation.environment.clock.now())
    // Without an archive there are no metrics.
    let archive = (try? RunSettings(invocation, programs: .named))?.archive
    let ending = RunAnnouncer.Ending(
      code: .crashed, text: "archiver: \(ExitCode.crashed.meaning)\n", report: nil)
    await RunAnnouncer(invocation).end(ending, archive: archive)
    if let archive { WorkJournal.noteReport(archive: archive) }
    return .crashed
  }
}
