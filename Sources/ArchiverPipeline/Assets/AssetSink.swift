import ArchiverCore
import ArchiverStorage
import Synchronization

/// Streams a file into the object pool. Aborts the transfer as soon as it is clear that the file
/// will not be stored: by its first bytes, or because it exceeds the limit.
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
  }

  let object: ObjectSink
  private let content: AssetRequest.Content
  private let limits: Limits
  private let state = Mutex(State())

  init(_ object: ObjectSink, content: AssetRequest.Content, limits: Limits) {
    self.object = object
    self.content = content
    self.limits = limits
  }

  func attemptHeaders() -> HTTPHeaders { object.attemptHeaders() }

  func begin(_ head: HTTPResponseHead) throws {
    state.withLock { state in
      state.isAnnounced = head.headers["Content-Length"] != nil
      state.isJudged = head.status == 206 && state.isJudged
    }
    try object.begin(head)
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
  }

  /// Discards the body.
  func discard() { object.discard() }
}
