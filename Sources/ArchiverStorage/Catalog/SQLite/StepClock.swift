import ArchiverCore
import CSQLite

/// Interrupts steps of statements that take too long.
///
/// Unchecked: it belongs to one `Connection` and is used by its thread.
final class StepClock: @unchecked Sendable {
  /// SQLite instructions between two reads of the clock.
  private static let instructions: Int32 = 100_000

  private let limit: Double
  private var begin = 0.0

  /// - Parameter limit: The maximum time of one step.
  init(limit: Duration) {
    self.limit = limit / .seconds(1)
  }

  /// Installs this clock on a connection; it must outlive the connection.
  func watch(_ handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle, StepClock.instructions,
      { context in
        guard let context else { return 0 }
        let clock = Unmanaged<StepClock>.fromOpaque(context).takeUnretainedValue()
        return clock.isOver() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Records that a step begins.
  func start(at time: Double = StepClock.seconds) { begin = time }

  /// Whether the step takes too long.
  func isOver(at time: Double = StepClock.seconds) -> Bool { time - begin > limit }

  /// The monotonic time in seconds, which is independent of the system's date.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
