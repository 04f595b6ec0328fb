import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// `archiver doctor`.
enum DoctorCommand {
  static let command = Command(
    "doctor", summary: "diagnose problems",
    discussion: [
      "Looks at configuration, permissions, archive, free space, network, clock, programs that act "
        + "as sources and the schedule, and gives advice for each finding. What an archive needs "
        + "of its file system (locks, renames, shared memory, preallocation) is tested in a "
        + "temporary folder. Changes nothing else."
    ],
    options: [.archive, .config, .json],
    examples: [Command.Example("archiver doctor", "The first step when something is wrong.")],
    exitCodes: [.success, .someFailed], meaningOfOne: "A check failed.",
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let environment = invocation.environment
    let wording = invocation.arguments.has(.json) ? Wording.english : environment.wording
    let findings = await Examination(invocation, in: wording).findings()
    let styles = environment.outputStyles
    for finding in findings {
      if invocation.arguments.has(.json) {
        environment.output.write(finding.line.text)
        continue
      }
      let dot = styles.apply(finding.state.style, styles.dot)
      environment.output.write(
        "\(dot) \(TextWidth.pad(finding.subject, to: 14)) \(DisplayText.line(finding.detail))\n")
      if let remedy = finding.remedy {
        environment.output.write(
          TextWidth.wrap(remedy, width: environment.output.columns ?? 80, indent: 17))
      }
    }
    return findings.contains { $0.state == .bad } ? .someFailed : .success
  }
}
