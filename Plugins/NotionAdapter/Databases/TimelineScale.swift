import ArchiverCore

/// The columns of a timeline: days, weeks, months or years, few enough for a page.
struct TimelineScale: Sendable {
  enum Unit: Sendable, Equatable {
    case day, week, month
    /// Columns of several years.
    case years(Int)
  }

  let unit: Unit
  /// The first day of each column.
  let columns: [CalendarDay]

  /// - Parameter days: The first and last day of the timeline.
  init(_ days: ClosedRange<CalendarDay>) {
    let count = days.upperBound.number - days.lowerBound.number + 1
    let years = days.upperBound.year - days.lowerBound.year + 1
    switch count {
    case ...45: unit = .day
    case ...400: unit = .week
    case ...3_700: unit = .month
    default: unit = .years(max(1, (years + 99) / 100))
    }
    columns = TimelineScale.columns(unit, days)
  }

  private static func columns(_ unit: Unit, _ days: ClosedRange<CalendarDay>) -> [CalendarDay] {
    let (first, last) = (days.lowerBound, days.upperBound)
    switch unit {
    case .day: return (first.number...last.number).map { CalendarDay(number: $0) }
    case .week:
      return stride(from: first.startOfWeek.number, through: last.number, by: 7).map {
        CalendarDay(number: $0)
      }
    case .month:
      let months = (first.year * 12 + first.month - 1)...(last.year * 12 + last.month - 1)
      return months.map { month in
        CalendarDay(year: month / 12, month: month % 12 + 1, day: 1)
      }
    case .years(let step):
      return stride(from: first.year, through: last.year, by: step).map { year in
        CalendarDay(year: year, month: 1, day: 1)
      }
    }
  }

  /// Returns the columns that a span of days covers.
  func range(_ span: ClosedRange<CalendarDay>) -> ClosedRange<Int> {
    let first = index(span.lowerBound)
    return first...max(first, index(span.upperBound))
  }

  private func index(_ day: CalendarDay) -> Int {
    let next = columns.firstIndex { $0 > day } ?? columns.count
    return max(0, next - 1)
  }

  /// Returns the heading of a column.
  func label(_ column: CalendarDay) -> String {
    switch unit {
    case .day, .week: String(column.day)
    case .month: TimelineScale.months[column.month - 1]
    case .years: String(column.year)
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The months or years above the labels, each with its number of columns; empty above years.
  var groups: [(title: String, count: Int)] {
    var groups: [(title: String, count: Int)] = []
    for column in columns {
      let title: String
      switch unit {
      case .day, .week: title = String(column.text.prefix(7))
      case .month: title = String(column.year)
      case .years: return []
      }
      if groups.last?.title == title {
        groups[groups.count - 1].count += 1
      } else {
        groups.append((title, 1))
      }
    }
    return groups
  }
}
