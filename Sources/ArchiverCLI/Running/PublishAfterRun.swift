import ArchiverCore
import ArchiverExport
import ArchiverPipeline
import ArchiverStorage

extension RunSettings {
  /// Returns the target to which a run publishes the archive; `nil` if it does not.
  func publishAfterRun(_ invocation: Invocation) -> PublishSettings? {
    let isRun = CommandName.running.contains(invocation.command.name)
    let isOff = arguments.has(.dryRun) || arguments.has(.noPublish)
    return isRun && !isOff ? file?.publish : nil
  }
}

/// Publishes the archive at the end of a run, if the configuration says so.
struct PublishAfterRun {
  let settings: RunSettings
  let invocation: Invocation
  let log: LineReporter?

  /// Publishes unless the run failed as a whole. Returns the ending with the result added: a
  /// failure to publish counts as one of the run, and the next run continues.
  func perform(after ending: RunAnnouncer.Ending) async throws -> RunAnnouncer.Ending {
    var ending = ending
    guard let place = settings.publishAfterRun(invocation), let report = ending.report else {
      return ending
    }
    guard report.failure == nil else {
      let line = "not published, as the run failed"
      tell(line, isTrouble: true)
      ending.text += line + "\n"
      return ending
    }
    let work = PublishWork(settings: place, archive: settings.archive, invocation: invocation)
    do {
      let outcome = try await work.perform()
      let line = work.line(outcome)
      tell(line, isTrouble: false)
      for warning in outcome.warnings { tell("warning: \(warning)", isTrouble: true) }
      ending.text += line + "\n"
      return ending
    } catch {
      if ExitCode(error) == .interrupted { throw error }
      let line = "not published: \(DisplayText.line(ErrorText.message(error)))"
      tell(line, isTrouble: true)
      if ending.code == .success {
        ending.code = ExitCode(error)
        ending.text = "archiver: \(line)\n\(ending.text)"
        ending.summary = line
      } else {
        ending.text += line + "\n"
      }
      return ending
    }
  }

  private func tell(_ line: String, isTrouble: Bool) {
    let now = invocation.environment.clock.now()
    log?.write(line, at: now)
    guard isTrouble || !invocation.arguments.has(.quiet) else { return }
    let isWatching = invocation.command.name == CommandName.watch
    let start = isWatching ? now.formatted(.iso8601) : "archiver:"
    invocation.environment.error.write("\(start) \(line)\n")
  }
}
