import ArchiverCore

/// Where an incremental listing goes on: `1 TIME SETTINGS`, separated by single spaces.
///
/// TIME is the newest one seen that is not in the future, by the server's clock and by ours: a later
/// one would hide whatever changes until then. SETTINGS is the server's address and the filter. One of another version or with other settings is no checkpoint.
struct ReadeckCheckpoint: Sendable, Hashable {
  let time: Timestamp
  let settings: String

  init(time: Timestamp, settings: String) {
    self.time = time
    self.settings = settings
  }

  /// Reads a checkpoint; `nil` when it is not for these settings.
  init?(_ checkpoint: Checkpoint?, settings: String) {
    guard let parts = checkpoint?.value.split(separator: " ", maxSplits: 2), parts.count == 3,
      parts[0] == "1", let time = Timestamp(String(parts[1])), parts[2] == settings
    else { return nil }
    self.init(time: time, settings: settings)
  }

  var checkpoint: Checkpoint { Checkpoint("1 \(time.text) \(settings)") }

  /// Returns the latest time that a checkpoint may have.
  static func limit(answered: Date?, now: Date) -> Instant {
    Instant(min(now, answered ?? now))
  }

  /// Returns the time of the next checkpoint, given the newest one that a listing may go on from.
  /// The last one stays unless the new one is later.
  static func time(_ newest: Timestamp?, since: ReadeckCheckpoint?) -> Timestamp? {
    [newest, since?.time].compactMap(\.self).max()
  }
}
