import ArchiverCore

/// A program as a source.
///
/// One process lists, and up to `processes` others fetch items, each one at a time. A process in an
/// uncertain state after a failure is killed and replaced.
struct ProgramSource: Source {
  let name: String
  let runner: ProgramRunner
  let settings: [String: JSONValue]
  /// The settings that are not secrets, as variables.
  let plain: [String: String]
  let events: any EventSink
  let pool: ProgramPool

  /// The progress of a listing.
  enum ListingState: Sendable {
    case initial
    /// - hasGap: Whether a page reported an essential gap. The checkpoints of that page and of later ones
    ///   are dropped: they might hide the unread part from the next listing.
    case open(ProgramProcess, count: Int, hasGap: Bool)
    case done
  }

  func listing(since checkpoint: Checkpoint?) -> PagedListing<ListingState> {
    PagedListing(.initial) { (state: inout ListingState) throws(AdapterError) in
      let before = state
      state = .done
      let step = try await ProgramRunner.blocking { (flag) throws(AdapterError) in
        try page(since: checkpoint, before, flag)
      }
      guard var step else { return nil }
      var hasGap = step.page.gaps.contains { $0.isEssential }
      if case .open(_, _, true) = before { hasGap = true }
      if hasGap { step.page.checkpoint = nil }
      state = .open(step.process, count: step.count, hasGap: hasGap)
      return step.page
    }
  }

  private typealias Step = (process: ProgramProcess, page: ListingPage, count: Int)

  /// Reads the next page; `nil` at the end. Blocks.
  private func page(
    since checkpoint: Checkpoint?, _ state: ListingState, _ flag: ProgramRunner.Flag
  ) throws(AdapterError) -> Step? {
    let process: ProgramProcess
    let listed: Int
    switch state {
    case .done: return nil
    case .open(let open, let count, _): (process, listed) = (open, count)
    case .initial:
      process = try open(flag)
      listed = 0
      var request: [String: JSONValue] = ["request": "list"]
      if let checkpoint { request["checkpoint"] = .string(checkpoint.value) }
      try runner.send(request, to: process) { flag.isSet }
    }
    do throws(AdapterError) {
      let reply = try runner.next(
        from: process, silence: runner.limits.silence, isCancelled: { flag.isSet },
        progress: { count, total in
          let (sum, isNonsense) = listed.addingReportingOverflow(max(0, count))
          events.send(.listed(source: name, count: isNonsense ? listed : sum, total: total))
        })
      switch reply {
      case .page(let page): return (process, page, listed + page.references.count)
      case .done:
        process.finish()
        return nil
      default: throw runner.unexpected(reply, "a page or done")
      }
    } catch {
      process.terminate()
      throw error
    }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    if Task.isCancelled { throw AdapterError(.cancelled, "\(name) was interrupted") }
    let idle = try await pool.acquire()
    do throws(AdapterError) {
      let (process, item) = try await ProgramRunner.blocking { (flag) throws(AdapterError) in
        try fetch(reference, with: idle, flag)
      }
      await pool.release(process)
      return try item.get()
    } catch {
      await pool.release(nil)
      throw error
    }
  }

  /// Fetches an item with an idle or a new process.
  ///
  /// Returns the process if it is usable, even after it reported an error; throws otherwise.
  /// Blocks.
  private func fetch(
    _ reference: ItemReference, with idle: ProgramProcess?, _ flag: ProgramRunner.Flag
  ) throws(AdapterError) -> (ProgramProcess, Result<SourceItem, AdapterError>) {
    let process: ProgramProcess
    if let idle { process = idle } else { process = try open(flag) }
    do throws(AdapterError) {
      let reply = try runner.exchange(
        [
          "request": "item", "id": .string(reference.id), "revision": .string(reference.revision),
          "title": .string(reference.title), "payload": reference.payload.map { .string($0) } ?? "",
        ], with: process, silence: runner.limits.silence, isCancelled: { flag.isSet })
      switch reply {
      case .item(let item):
        let folder = HandoverFolder(path: process.folder, limit: runner.limits.fileBytes)
        return (
          process, Result { () throws(AdapterError) in try item.sourceItem(reference, folder) }
        )
      case .error(let error): return (process, .failure(error))
      default: throw runner.unexpected(reply, "an item")
      }
    } catch {
      process.terminate()
      throw error
    }
  }

  private func open(_ flag: ProgramRunner.Flag) throws(AdapterError) -> ProgramProcess {
    try runner.open(name: name, settings: settings, plain: plain, flag)
  }
}
