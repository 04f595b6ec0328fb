import ArchiverCore

/// The checkpoint of an incremental listing: `1 TIME SETTINGS`, separated by single spaces.
///
/// TIME is the newest time in the listing that is in the future neither by the server's clock nor
/// by the local one: a later time would hide changes until then. SETTINGS is the server's URL and
/// the filter. A checkpoint of another version or with other settings is ignored.
struct ReadeckCheckpoint: Sendable, Hashable {
  let time: Timestamp
  let settings: String
}

extension ReadeckCheckpoint {
  /// Parses a checkpoint; `nil` if it is not for these settings.
  init?(_ checkpoint: Checkpoint?, settings: String) {
    guard let parts = checkpoint?.value.split(separator: " ", maxSplits: 2), parts.count == 3,
      parts[0] == "1", let time = Timestamp(String(parts[1])), parts[2] == settings
    else { return nil }
    self.init(time: time, settings: settings)
  }

  var checkpoint: Checkpoint { Checkpoint("1 \(time.text) \(settings)") }

  /// Returns the latest permitted time of a checkpoint: the earlier one of the server's clock and the local one.
  static func limit(answered: Date?, now: Date) -> Instant {
    Instant(min(now, answered ?? now))
  }

  /// Returns the time of the next checkpoint: the newest time of the listing, or the previous
  /// checkpoint's unless the new one is later.
  static func time(_ newest: Timestamp?, since: ReadeckCheckpoint?) -> Timestamp? {
    [newest, since?.time].compactMap(\.self).max()
  }
}
