import ArchiverCore
import ArchiverStorage
import Synchronization

/// Streams a file into the object pool. Aborts the transfer as soon as it is clear that the file
/// will not be stored: by its first bytes, or because it exceeds the limit. Reports the progress.
final class AssetSink: BodySink {
  /// Why a transfer was aborted.
  struct Refusal: Error {
    let reason: String
    /// Whether the content was of another kind, which may be transient.
    var isOfKind = false
  }

  private struct State {
    var isAnnounced = false
    var isJudged = false
    /// The size of the whole file, as far as it is known.
    var total: Int?
    var lastTold = ContinuousClock.now
  }

  /// The interval between two reports of progress.
  private static let interval = Duration.milliseconds(200)

  let object: ObjectSink
  private let content: AssetRequest.Content
  private let limits: Limits
  private let tell: (@Sendable (_ bytes: Int?, _ total: Int?) -> Void)?
  private let state = Mutex(State())

  init(
    _ object: ObjectSink, content: AssetRequest.Content, limits: Limits,
    tell: (@Sendable (_ bytes: Int?, _ total: Int?) -> Void)? = nil
  ) {
    self.object = object
    self.content = content
    self.limits = limits
    self.tell = tell
  }

  func attemptHeaders() -> HTTPHeaders { object.attemptHeaders() }

  func begin(_ head: HTTPResponseHead) throws {
    state.withLock { state in
      state.isAnnounced = head.headers["Content-Length"] != nil
      state.isJudged = head.status == 206 && state.isJudged
    }
    try object.begin(head)
    guard let tell else { return }
    // A decoded body has another length than the declared one.
    let isPlain = head.headers["Content-Encoding"] == nil
    let rest = isPlain ? head.headers["Content-Length"].flatMap { Int($0) } : nil
    let total = rest.flatMap { rest -> Int? in
      let (sum, isNonsense) = rest.addingReportingOverflow(object.byteCount)
      return isNonsense ? nil : sum
    }
    state.withLock { $0.total = total }
    tell(object.byteCount, total)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    try object.receive(bytes)
    let count = object.byteCount
    // The final verdict examines no more than these bytes.
    let isDue = state.withLock { state in
      guard !state.isJudged, count >= ObjectSink.prefixLimit else { return false }
      state.isJudged = true
      return true
    }
    if isDue,
      case .refused(let reason) = AssetKind(
        prefix: object.prefix(AssetKind.prefixLength), content: content, mediaType: "")
    {
      throw Refusal(reason: reason, isOfKind: true)
    }
    let most = limits[.unannouncedSize]
    if count > most, !state.withLock({ $0.isAnnounced }) {
      throw Refusal(
        reason: "the server did not declare its size, and it is too large "
          + Limit.unannouncedSize.note(most))
    }
    if let tell { report(count, tell) }
  }

  private func report(_ count: Int, _ tell: @Sendable (_ bytes: Int?, _ total: Int?) -> Void) {
    let now = ContinuousClock.now
    let due = state.withLock { state -> Int?? in
      guard now - state.lastTold >= AssetSink.interval else { return nil }
      state.lastTold = now
      return .some(state.total)
    }
    if let total = due { tell(count, total) }
  }

  /// Discards the body.
  func discard() { object.discard() }
}
