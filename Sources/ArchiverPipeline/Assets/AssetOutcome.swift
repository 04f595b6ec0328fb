import ArchiverCore
import ArchiverStorage

/// The outcome of fetching a URL.
indirect enum AssetOutcome: Sendable {
  /// The file is in the pool. `bytes` were received for it; 0 if it was there already.
  case stored(CachedAsset, bytes: Int)
  case failed(AssetFailure)
  /// The file may have changed, but the server did not give it; the archived one is used.
  case kept(CachedAsset, AssetFailure)

  /// The file, if there is one.
  var asset: CachedAsset? {
    switch self {
    case .stored(let asset, _), .kept(let asset, _): asset
    case .failed: nil
    }
  }

  /// The outcome for tasks that did not start the download.
  var withoutBytes: AssetOutcome {
    if case .stored(let asset, _) = self { .stored(asset, bytes: 0) } else { self }
  }
}

/// Why an image or file is missing.
struct AssetFailure: Error, Sendable {
  /// A sentence for the reader: "the server answered 404 Not Found".
  let reason: String
  /// Whether a later attempt may succeed.
  let isTransient: Bool
  /// A failure of the archive, which ends the run; `nil` if only this file is affected.
  let storage: StorageError?
  /// Whether the URL is presigned and may have expired.
  let isExpired: Bool
  /// The kind of failure, as far as reports distinguish it.
  var cause = Cause.other
  /// What the server sent instead, if it is kept; its URL is empty.
  var received: CachedAsset?

  enum Cause: Sendable {
    /// The server reports that there is nothing (404, 410).
    case gone
    /// The server was unreachable.
    case unreached
    /// The connection was lost, or a proxy found no server, though the server responds again.
    case cut
    /// A setting or a rule excludes it.
    case leftOut
    /// The server refuses this request (403).
    case refused
    /// The server sent another kind of content.
    case wrongKind
    /// A tracking pixel or a placeholder, of at most two pixels each way or without content: no image is
    /// missing.
    case pixel
    case other
  }

  init(
    _ reason: String, isTransient: Bool, storage: StorageError? = nil, isExpired: Bool = false,
    cause: Cause = .other
  ) {
    self.cause = cause
    self.reason = reason
    self.isTransient = isTransient
    self.isExpired = isExpired
    self.storage = storage
  }

  /// The failure of an image that is a tracking pixel or only holds the place of an image.
  static let placeholder = AssetFailure(
    "it is a blank placeholder", isTransient: false, cause: .pixel)

  /// A failure of the archive.
  init(_ error: StorageError) {
    self.init(error.message, isTransient: true, storage: error)
  }

  /// The failure to get a file again, of which an earlier one is in the bundle.
  var withEarlierFile: AssetFailure {
    AssetFailure("\(reason); the earlier one is kept", isTransient: isTransient, cause: cause)
  }
}
