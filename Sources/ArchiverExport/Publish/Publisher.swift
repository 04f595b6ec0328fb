import ArchiverCore
import Synchronization

/// Keeps a target, such as a web server's directory or a bucket, synchronised with the archive. At
/// any time, no page at the target refers to a missing file.
package struct Publisher: Sendable {
  package struct Outcome: Sendable {
    package var put = 0
    package var byteCount = 0
    package var unchanged = 0
    package var deleted = 0
    /// The number of files that were removed from the archive since the previous run. A later run deletes them.
    package var leaving = 0
    /// The number of requests to the target; an estimate for a preview.
    package var requests = 0
    package var audit: PublishAudit?
    package var warnings: [String] = []
  }

  /// The progress of a run.
  package struct Progress: Sendable, Hashable {
    package var files = 0
    package var totalFiles: Int
    package var byteCount = 0
    package var totalBytes: Int
  }

  /// Names of files in bundles that are not published by default, because no page refers to them:
  /// an item's data, its checksums (the manifest contains those of all objects), and the records of
  /// its source.
  package static let unreferenced: Set<String> = [
    "item.json", "SHA256SUMS", "source.json", "source.html.gz",
  ]

  private let root: String
  private let target: any PublishTarget
  private let leavesOut: Set<String>

  /// Publishes the archive at `root`.
  ///
  /// - Parameters:
  ///   - root: The archive's path.
  ///   - target: The destination.
  ///   - leavesOut: Names of files and folders of bundles that are not published.
  package init(
    root: String, target: any PublishTarget, leavesOut: Set<String> = Publisher.unreferenced
  ) {
    self.root = root
    self.target = target
    self.leavesOut = leavesOut
  }

  /// Returns what `publish` would do, without changing anything.
  package func preview() async throws -> Outcome {
    let (_, plan, unread) = try await plan(sweeps: target.sweeps())
    var requests = 0
    if try !plan.isEmpty || target.hasOpenWork(isAsked: false) {
      requests = target.requests(
        puts: plan.puts.values.joined().map(\.byteCount), deletes: plan.deletes.count,
        isSmall: plan.isStatusOnly)
    }
    return Outcome(
      put: plan.putCount, byteCount: plan.byteCount, unchanged: plan.unchanged,
      deleted: plan.deletes.count, leaving: plan.leaving.count, requests: requests,
      warnings: try await target.takeWarnings() + Publisher.warnings(unread))
  }

  /// Sends new and changed files, phase by phase, and then deletes the files that were already
  /// missing from the archive in the previous run. The next call continues an interrupted run. If
  /// the target is full, frees space and tries once more.
  ///
  /// - Parameters:
  ///   - deletesMany: Whether to permit the deletion of more than a quarter of the files, and more than 20.
  ///   - audits: Whether to compare the target with what was sent.
  ///   - report: Receives the progress, from any thread.
  package func publish(
    deletesMany: Bool = false, audits: Bool = false,
    report: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Outcome {
    do {
      var outcome: Outcome
      do {
        outcome = try await attempt(deletesMany: deletesMany, audits: audits, report)
      } catch {
        let made = try await makeRoom(after: error)
        outcome = try await attempt(deletesMany: deletesMany, audits: audits, report)
        outcome.deleted += made
      }
      outcome.requests = target.requestCount
      if outcome.requests > 0 { outcome.warnings += try await target.takeWarnings() }
      return outcome
    } catch {
      // Report the first error. A lock that remains expires.
      try? await target.finish(isComplete: false)
      throw (error as? S3Failure)?.publishError ?? error
    }
  }

  private func attempt(
    deletesMany: Bool, audits: Bool, _ report: @escaping @Sendable (Progress) -> Void
  ) async throws -> Outcome {
    let sweeps = try target.sweeps()
    var (files, plan, unread) = try await plan(sweeps: sweeps)
    var outcome = Outcome()
    let isOpen = try target.hasOpenWork(isAsked: audits)
    if !plan.isEmpty || isOpen {
      let isSmall = plan.isStatusOnly && !isOpen
      outcome.audit = try await target.begin(files, isSmall: isSmall, audits: audits)
      if outcome.audit != nil {
        (files, plan, unread) = try await self.plan(sweeps: sweeps)
      }
      try check(plan, deletesMany: deletesMany)
      try await send(plan, report)
      try await target.commit(leaving: plan.leaving, deleting: plan.deletes)
      try await target.remove(plan.deletes)
      try await target.finish(isComplete: true)
    }
    outcome.put = plan.putCount
    outcome.byteCount = plan.byteCount
    outcome.unchanged = plan.unchanged
    outcome.deleted = plan.deletes.count
    outcome.leaving = plan.leaving.count
    outcome.warnings = Publisher.warnings(unread)
    return outcome
  }

  /// Frees space in a full target by deleting the files that are due: no page at the target has
  /// referred to them since the previous run. Returns the number of files. Rethrows the error if
  /// its code is not `.full` or nothing can be deleted.
  private func makeRoom(after error: any Error) async throws -> Int {
    let failure = (error as? S3Failure)?.publishError ?? error
    guard (failure as? PublishError)?.code == .full else { throw failure }
    let due = try await plan(sweeps: true).plan.deletes
    guard !due.isEmpty, try await target.makeRoom(due) else { throw failure }
    return due.count
  }

  private typealias Planned = (files: [PublishedFile], plan: PublishPlan, unread: [String])

  /// Compares the archive with the records. `unread` has a line for each published file that could
  /// not be read. Such files are treated as unchanged, as their size and modification time are, so
  /// one damaged file does not prevent the publication of others.
  private func plan(sweeps: Bool) async throws -> Planned {
    let files = try PublishPlan.files(root, leavingOut: leavesOut)
    let known = try await target.known()
    var unread: [String] = []
    let plan = try PublishPlan(
      files, published: known, leavingOut: leavesOut, sweeps: sweeps
    ) { file, known in
      // Reading takes long if the times of all files differ, as after a restore from a backup.
      try Task.checkCancellation()
      do {
        return try target.isSame(file, as: known)
      } catch let error as PublishError where error.code == .file && file.looksSame(as: known) {
        unread.append(error.description)
        return true
      }
    }
    return (files, plan, unread)
  }

  private static func warnings(_ unread: [String]) -> [String] {
    guard let first = unread.first else { return [] }
    let others = unread.count > 1 ? ", and \(unread.count - 1) more" : ""
    return ["\(first)\(others); treated as unchanged"]
  }

  private func check(_ plan: PublishPlan, deletesMany: Bool) throws(PublishError) {
    let gone = plan.goneCount
    guard deletesMany || gone <= max(20, plan.publishedCount / 4) else {
      throw PublishError(
        .tooManyDeletes,
        "\(gone) of \(plan.publishedCount) files would be removed; if that is right, say --delete")
    }
  }

  private func send(
    _ plan: PublishPlan, _ report: @escaping @Sendable (Progress) -> Void
  ) async throws {
    let counter = Counter(
      Progress(totalFiles: plan.putCount, totalBytes: plan.byteCount), report)
    for phase in PublishPlan.Phase.allCases {
      let files = plan.puts[phase] ?? []
      guard !files.isEmpty else { continue }
      try Task.checkCancellation()
      try await target.announce(files)
      try await send(files, counter)
    }
  }

  /// Sends the files of one phase; returns when all are sent, or throws the first error.
  private func send(_ files: [PublishedFile], _ counter: Counter) async throws {
    let target = target
    try await withThrowingTaskGroup(of: Void.self) { group in
      var rest = files.makeIterator()
      func addNext() {
        guard let file = rest.next() else { return }
        group.addTask {
          try Task.checkCancellation()
          try await target.put(file)
          counter.add(file)
        }
      }
      for _ in 0..<target.width { addNext() }
      while try await group.next() != nil { addNext() }
    }
  }

  /// The progress of the tasks of a run.
  private final class Counter: Sendable {
    private let progress: Mutex<Progress>
    private let report: @Sendable (Progress) -> Void

    init(_ start: Progress, _ report: @escaping @Sendable (Progress) -> Void) {
      progress = Mutex(start)
      self.report = report
    }

    func add(_ file: PublishedFile) {
      let now = progress.withLock { progress in
        progress.files += 1
        progress.byteCount += file.byteCount
        return progress
      }
      report(now)
    }
  }
}
