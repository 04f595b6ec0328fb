import ArchiverCore
import ArchiverStorage

/// `archiver retry`.
enum RetryCommand {
  private static let waiting = Option(
    "failed", withoutVariable: Option.Reason.once,
    help: "Also items that would be retried later: do not wait for their time")

  private static let all = Option(
    "all", withoutVariable: Option.Reason.once,
    help: "Also those, and items that lack an image or another non-essential part for now")

  static let command = Command(
    "retry", summary: "requeue items that were given up",
    discussion: [
      "An item that failed too often is given up until it changes. This requeues such items, so "
        + "that the next run tries them as if for the first time. 'archiver list --failed' shows "
        + "them."
    ],
    options: [waiting, all, .source, .only, .archive, .config],
    examples: [
      Command.Example("archiver retry && archiver run", "Retries what was given up now."),
      Command.Example(
        "archiver retry --failed -s readeck", "Retries all failed items of one source."),
    ],
    exitCodes: [.success, .archive, .locked], confinement: .archive(),
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let archive = try ExistingArchive.open(settings.archive, holder: "retry", invocation)
    let names = invocation.arguments.texts(.source)
    var count = 0
    for source in names.isEmpty ? [nil] : names.map(Optional.some) {
      count += try archive.catalog.release(
        source: source, ids: invocation.arguments.texts(.only),
        waiting: invocation.arguments.has(waiting) || invocation.arguments.has(all),
        incomplete: invocation.arguments.has(all))
    }
    guard count == 0 else {
      invocation.environment.output.write(
        "\(Quantity.count(count, "item")) will be retried by the next run.\n")
      return .success
    }
    let waiting = try archive.catalog.failures(source: nil).count
    invocation.environment.output.write(
      "No item was given up.\n"
        + (waiting == 0
          ? ""
          : "\(Quantity.count(waiting, "item")) that failed will be retried later; with --failed "
            + "the next run does not wait.\n"))
    return .success
  }
}
