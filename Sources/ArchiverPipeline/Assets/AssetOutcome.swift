import ArchiverCore
import ArchiverStorage

/// What came of asking for an address.
indirect enum AssetOutcome: Sendable {
  /// The file is in the pool. `bytes` were received for it, 0 when it was there already.
  case stored(CachedAsset, bytes: Int)
  case failed(AssetFailure)

  /// The outcome for those who did not cause the download.
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
  /// The archive's own trouble, which ends the run; `nil` when only this file is concerned.
  let storage: StorageError?
  /// Whether the address was good for some time only and that may be over.
  let isExpired: Bool
  /// What kind of failure it is, as far as that matters for what is missing.
  var cause = Cause.other

  enum Cause: Sendable {
    /// The server says that there is nothing (404, 410).
    case gone
    /// The server could not be reached.
    case unreached
    /// A setting or a rule leaves it out.
    case leftOut
    /// The server sent something else than was wanted.
    case wrongKind
    /// The picture is a pixel or two, which counts visitors or holds a place: nothing is missing.
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
}
