#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads and writes the common form of UTC times faster than `UTCTime`, which handles all other
/// forms.
enum CalendarTime {
  /// Years that both implementations support, with a margin for offsets.
  private static let years: ClosedRange<Int32> = 1601...9997

  /// Returns `2026-11-21T00:00:32Z` for seconds since 1970; `nil` outside the years 1601 to 9997.
  static func text(_ seconds: Int64) -> String? {
    guard let parts = parts(seconds), years ~= parts.tm_year + 1900 else { return nil }
    return String(unsafeUninitializedCapacity: 20) { buffer in
      _ = buffer.initialize(fromContentsOf: "0000-00-00T00:00:00Z".utf8)
      func put(_ number: Int32, _ places: Range<Int>) {
        var rest = number
        for place in places.reversed() {
          buffer[place] += UInt8(rest % 10)
          rest /= 10
        }
      }
      put(parts.tm_year + 1900, 0..<4)
      put(parts.tm_mon + 1, 5..<7)
      put(parts.tm_mday, 8..<10)
      put(parts.tm_hour, 11..<13)
      put(parts.tm_min, 14..<16)
      put(parts.tm_sec, 17..<19)
      return 20
    }
  }

  /// Parses `2026-11-21T00:00:32Z`, or the same with an offset such as `+02:00`, as seconds since
  /// 1970; `nil` for every other form, invalid dates, and years outside 1601 to 9997.
  static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 20 || text.count == 25, text[4] == 0x2D, text[7] == 0x2D,
      text[10] == UInt8(ascii: "T"), text[13] == 0x3A, text[16] == 0x3A,
      let year = number(text[0..<4]), let month = number(text[5..<7]),
      let day = number(text[8..<10]), let hour = number(text[11..<13]),
      let minute = number(text[14..<16]), let second = number(text[17..<19]),
      let offset = offset(text[19...]), years ~= year, hour < 24, minute < 60, second < 60
    else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = month - 1
    parts.tm_mday = day
    parts.tm_hour = hour
    parts.tm_min = minute
    parts.tm_sec = second
    let seconds = Int64(timegm(&parts))
    // timegm normalises a day that the month does not have to one of the next month.
    guard parts.tm_mon == month - 1, parts.tm_mday == day else { return nil }
    return seconds - offset
  }

  private static func parts(_ seconds: Int64) -> tm? {
    var time = time_t(seconds)
    var parts = tm()
    return gmtime_r(&time, &parts) == nil ? nil : parts
  }

  private static func offset(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let sign = text[text.startIndex]
    if text.count == 1 { return sign == UInt8(ascii: "Z") ? 0 : nil }
    let place = text.startIndex + 1
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text[place + 2] == 0x3A,
      let hours = number(text[place..<(place + 2)]),
      let minutes = number(text[(place + 3)..<(place + 5)]), hours < 15, minutes < 60
    else { return nil }
    let seconds = Int64(3600 * hours + 60 * minutes)
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }

  private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int32? {
    var number: Int32 = 0
    for byte in text {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      number = 10 * number + Int32(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
