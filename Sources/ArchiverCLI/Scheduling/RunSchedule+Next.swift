import ArchiverCore

extension RunSchedule {
  /// Parses a crontab line as `cron` writes it; `nil` for any other.
  init?(cron line: String) {
    let fields = line.split(separator: " ").prefix(5).map(String.init)
    guard fields.count == 5, fields[2...].allSatisfy({ $0 == "*" }) else { return nil }
    self.init(hour: fields[1], minute: fields[0], step: "*/")
  }

  /// Parses a calendar event as `calendar` writes it; `nil` for any other.
  init?(calendar text: String) {
    guard let time = text.split(separator: " ").last else { return nil }
    let parts = time.split(separator: ":").map(String.init)
    guard parts.count == 3, parts[2] == "00" else { return nil }
    self.init(hour: parts[0], minute: parts[1], step: "00/")
  }

  /// `step` is the text before the number of hours or minutes between two times.
  private init?(hour: String, minute: String, step: String) {
    if minute.hasPrefix(step), hour == "*", let minutes = Int(minute.dropFirst(step.count)) {
      self = .every(minutes: minutes)
    } else if hour.hasPrefix(step), let hours = Int(hour.dropFirst(step.count)) {
      self = .every(minutes: 60 * hours)
    } else if hour == "*", Int(minute) == 0 {
      self = .every(minutes: 60)
    } else if let hour = Int(hour), let minute = Int(minute) {
      self = .daily(hour: hour, minute: minute)
    } else {
      return nil
    }
  }

  /// Returns the first time after `date`, in the local time zone.
  func next(after date: Date) -> Date {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var now = tm()
    localtime_r(&seconds, &now)
    let minuteOfDay = Int(now.tm_hour) * 60 + Int(now.tm_min)
    var minutes: Int
    switch self {
    case .daily(let hour, let minute):
      minutes = hour * 60 + minute
      if minutes <= minuteOfDay { minutes += 1440 }
    case .every(let period):
      minutes = (minuteOfDay / period + 1) * period
    }
    // mktime normalises fields out of range and daylight-saving time.
    now.tm_hour = 0
    now.tm_min = Int32(minutes)
    now.tm_sec = 0
    now.tm_isdst = -1
    return Date(timeIntervalSince1970: Double(mktime(&now)))
  }
}

/// The automatic starts of runs: by a timer, a crontab or a running `watch`.
struct NextRuns: Sendable {
  let schedules: [RunSchedule]
  /// The next iteration of `watch`, and its interval.
  let round: (date: Date, every: Duration)?

  var isEmpty: Bool { schedules.isEmpty && round == nil }

  /// Returns the time of a source's next run; `nil` if none is scheduled.
  func next(_ rules: SourceRules, lastSuccess: Date?, now: Date) -> Date? {
    var found: [Date] = []
    for schedule in schedules {
      found.append(
        first(schedule.next(after: now), rules, lastSuccess) { schedule.next(after: $0) })
    }
    if let round {
      let period = round.every / .seconds(1)
      found.append(first(round.date, rules, lastSuccess) { $0.addingTimeInterval(max(1, period)) })
    }
    return found.min()
  }

  private func first(
    _ start: Date, _ rules: SourceRules, _ lastSuccess: Date?, step: (Date) -> Date
  ) -> Date {
    var date = start
    // A source's interval is a few days at most; this bounds the loop for any value in the file.
    for _ in 0..<5000 where !rules.isDue(lastSuccess: lastSuccess, now: date) { date = step(date) }
    return date
  }

  /// Returns the schedule in words: "every day at 03:30".
  func words(in wording: Wording) -> String {
    let all =
      schedules.map { $0.words(in: wording) }
      + (round.map { [wording.text(.everyByWatch, wording.time($0.every))] } ?? [])
    return all.joined(separator: wording.text(.and))
  }
}
