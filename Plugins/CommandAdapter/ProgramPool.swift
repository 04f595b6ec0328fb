import ArchiverCore

/// Provides the processes of one source that fetch items, at most `limit` concurrently.
actor ProgramPool {
  private let limit: Int
  private var idle: [ProgramProcess] = []
  private var inUse = 0
  private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var nextID = 0
  private var cancelled: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Waits for a permit and returns an idle process; `nil` if a process has to be started.
  func acquire() async throws(AdapterError) -> ProgramProcess? {
    if inUse < limit {
      inUse += 1
    } else if await !waitForTurn() {
      throw AdapterError(.cancelled, "the source was interrupted")
    }
    return idle.popLast()
  }

  /// Returns a permit. `process` is kept for reuse; `nil` if it is unusable.
  func release(_ process: ProgramProcess?) {
    if let process { idle.append(process) }
    if waiting.isEmpty {
      inUse -= 1
    } else {
      waiting.removeFirst().continuation.resume(returning: true)
    }
  }

  /// Waits for a permit; returns false if the task was cancelled.
  private func waitForTurn() async -> Bool {
    let id = nextID
    nextID += 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if cancelled.remove(id) != nil {
          continuation.resume(returning: false)
        } else {
          waiting.append((id: id, continuation: continuation))
        }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      waiting.remove(at: index).continuation.resume(returning: false)
    } else if id >= nextID - 1 {
      cancelled.insert(id)
    }
  }
}
