import ArchiverCore
import ArchiverStorage
import Synchronization

/// Reports the progress of a download while passing its bytes on.
final class DownloadProgress: BodySink {
  /// The interval between two events.
  private static let interval = Duration.milliseconds(200)

  private struct State {
    var total: Int?
    var last = ContinuousClock.now
  }

  private let sink: AssetSink
  private let tell: @Sendable (_ bytes: Int?, _ total: Int?) -> Void
  private let state = Mutex(State())

  init(_ sink: AssetSink, tell: @escaping @Sendable (_ bytes: Int?, _ total: Int?) -> Void) {
    self.sink = sink
    self.tell = tell
  }

  func attemptHeaders() -> HTTPHeaders { sink.attemptHeaders() }

  func begin(_ head: HTTPResponseHead) throws {
    try sink.begin(head)
    // A decoded body has another length than the declared one.
    let isPlain = head.headers["Content-Encoding"] == nil
    let rest = isPlain ? head.headers["Content-Length"].flatMap { Int($0) } : nil
    let total = rest.flatMap { rest -> Int? in
      let (sum, isNonsense) = rest.addingReportingOverflow(sink.object.byteCount)
      return isNonsense ? nil : sum
    }
    state.withLock { $0.total = total }
    tell(sink.object.byteCount, total)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try sink.receive(bytes)
    let now = ContinuousClock.now
    let due = state.withLock { state -> Int?? in
      guard now - state.last >= DownloadProgress.interval else { return nil }
      state.last = now
      return .some(state.total)
    }
    if let total = due { tell(sink.object.byteCount, total) }
  }
}
