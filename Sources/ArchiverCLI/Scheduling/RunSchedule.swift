import ArchiverCore

/// The schedule of runs: daily at a time, or at an interval.
enum RunSchedule: Sendable, Hashable {
  case daily(hour: Int, minute: Int)
  case every(minutes: Int)

  /// Parses `--at 03:30`.
  static func at(_ text: String) throws(UsageError) -> RunSchedule {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({
        (1...2).contains($0.count) && $0.allSatisfy({ $0.isASCII && $0.isNumber })
      }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
      (0..<60).contains(minute)
    else { throw UsageError("--at takes a time of day such as 03:30") }
    return .daily(hour: hour, minute: minute)
  }

  /// Accepts only divisors of an hour or a day, as neither cron nor a calendar timer supports
  /// others.
  static func every(_ duration: Duration) throws(UsageError) -> RunSchedule {
    let minutes = Int(duration / .seconds(60))
    let isHours = minutes % 60 == 0 && minutes > 0 && 1440 % minutes == 0
    guard isHours || (minutes >= 5 && minutes < 60 && 60 % minutes == 0) else {
      throw UsageError(
        "--every takes a part of an hour of at least 5m (such as 15m) or of a day (such as 4h)")
    }
    return .every(minutes: minutes)
  }

  /// The schedule as the five fields of crontab(5).
  var cron: String {
    switch self {
    case .daily(let hour, let minute): "\(minute) \(hour) * * *"
    case .every(1440): "0 0 * * *"
    case .every(let minutes) where minutes < 60: "*/\(minutes) * * * *"
    case .every(60): "0 * * * *"
    case .every(let minutes): "0 */\(minutes / 60) * * *"
    }
  }

  /// The schedule as a calendar event of systemd.time(7).
  var calendar: String {
    switch self {
    case .daily(let hour, let minute): "*-*-* \(two(hour)):\(two(minute)):00"
    case .every(1440): "*-*-* 00:00:00"
    case .every(let minutes) where minutes < 60: "*-*-* *:00/\(minutes):00"
    case .every(60): "*-*-* *:00:00"
    case .every(let minutes): "*-*-* 00/\(minutes / 60):00:00"
    }
  }

  /// Returns the schedule in words: "every day at 03:30", "every 4 h".
  func words(in wording: Wording) -> String {
    switch self {
    case .daily(let hour, let minute): wording.text(.daily, "\(two(hour)):\(two(minute))")
    case .every(let minutes): wording.text(.every, wording.time(.seconds(minutes * 60)))
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
