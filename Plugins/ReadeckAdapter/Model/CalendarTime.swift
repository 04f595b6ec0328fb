/// A second of the Gregorian calendar in UTC, from 1600 to 9998: what servers write as a rule, read and
/// written in a small part of the time that `Date.ISO8601FormatStyle` takes, to which all else is left.
struct CalendarTime: Equatable {
  private let days: Int64
  private let secondOfDay: Int64

  /// `nil` outside its years.
  init?(seconds: Int64) {
    guard CalendarTime.range ~= seconds else { return nil }
    days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    secondOfDay = seconds - 86_400 * days
  }

  /// Seconds since 1970 in the years.
  private static let range = civilDays(1600, 1, 1) * 86_400..<civilDays(9999, 1, 1) * 86_400

  /// `2026-11-21T00:00:32Z`.
  var text: String {
    let (year, month, day) = CalendarTime.date(days)
    return String(unsafeUninitializedCapacity: 20) { buffer in
      _ = buffer.initialize(fromContentsOf: "0000-00-00T00:00:00Z".utf8)
      func put(_ number: Int64, _ places: Range<Int>) {
        var rest = number
        for place in places.reversed() {
          buffer[place] += UInt8(rest % 10)
          rest /= 10
        }
      }
      put(year, 0..<4)
      put(month, 5..<7)
      put(day, 8..<10)
      put(secondOfDay / 3600, 11..<13)
      put(secondOfDay / 60 % 60, 14..<16)
      put(secondOfDay % 60, 17..<19)
      return 20
    }
  }

  /// Reads `2026-11-21T00:00:32Z` or the same with `+02:00`; `nil` for all that is not exactly so, or
  /// that the calendar does not have.
  static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 20 || text.count == 25, text[4] == 0x2D, text[7] == 0x2D,
      text[10] == UInt8(ascii: "T"), text[13] == 0x3A, text[16] == 0x3A,
      let year = number(text[0..<4]), let month = number(text[5..<7]),
      let day = number(text[8..<10]), let hour = number(text[11..<13]),
      let minute = number(text[14..<16]), let second = number(text[17..<19]),
      let offset = offset(text[19...]), 1601...9997 ~= year, 1...12 ~= month, hour < 24,
      minute < 60, second < 60
    else { return nil }
    let days = civilDays(year, month, day)
    guard date(days) == (year, month, day) else { return nil }
    return 86_400 * days + 3600 * hour + 60 * minute + second - offset
  }

  private static func offset(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let sign = text[text.startIndex]
    if text.count == 1 { return sign == UInt8(ascii: "Z") ? 0 : nil }
    let place = text.startIndex + 1
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text[place + 2] == 0x3A,
      let hours = number(text[place..<(place + 2)]),
      let minutes = number(text[(place + 3)..<(place + 5)]), hours < 15, minutes < 60
    else { return nil }
    let seconds = 3600 * hours + 60 * minutes
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }

  private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    var number: Int64 = 0
    for byte in text {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      number = 10 * number + Int64(byte - UInt8(ascii: "0"))
    }
    return number
  }

  // Years begin in March, so that the leap day is a year's last: 365 days, a fourth year's leap day
  // but not a hundredth's but for a four hundredth's; months are 30.6 days in the mean.
  private static func civilDays(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    return 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400
      + (153 * marchMonth + 2) / 5 + day - 1 - daysTo1970
  }

  /// From March of the year 0.
  private static let daysTo1970: Int64 = 719_468

  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let day = days + daysTo1970
    let (era, dayOfEra) = day.quotientAndRemainder(dividingBy: 146_097)
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      400 * era + year + (month > 2 ? 0 : 1), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }
}
