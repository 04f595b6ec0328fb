import ArchiverCore

/// Names days relative to the day of the run, as in Notion's relative groups.
enum RelativeDay {
  private static let spans: [(name: String, days: ClosedRange<Int>)] = [
    ("Last 30 days", -30 ... -8), ("Last 7 days", -7 ... -2), ("Yesterday", -1 ... -1),
    ("Today", 0...0), ("Tomorrow", 1...1), ("Next 7 days", 2...7), ("Next 30 days", 8...30),
  ]

  /// Returns the name; for a day more than thirty days away, its month.
  static func name(of day: CalendarDay, _ today: CalendarDay) -> String {
    let distance = day.number - today.number
    return spans.first { $0.days.contains(distance) }?.name ?? String(day.text.prefix(7))
  }

  /// Returns a number that sorts names by their days, earlier ones first. A month that the limit of
  /// thirty days divides is sorted to the side with most of its days.
  static func order(_ name: String, _ today: CalendarDay) -> Int {
    if let span = spans.first(where: { $0.name == name }) { return span.days.lowerBound }
    guard let first = CalendarDay("\(name)-01") else { return Int.max }
    let middle = first.number + 14 - today.number
    return middle < 0 ? min(middle, -31) : max(middle, 31)
  }
}
