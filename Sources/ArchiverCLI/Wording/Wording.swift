import ArchiverSite

/// The messages of one language.
struct Wording: Sendable, Hashable {
  /// The language tag (RFC 5646): `en`.
  let language: String
  let phrases: [Phrase: String]

  static let all: [Wording] = [.english, .german, .spanish, .chinese]

  /// Returns the messages for the locale that `LC_ALL`, `LC_MESSAGES` and `LANG` name, in this
  /// order; English for all others.
  static func chosen(by variables: [String: String]) -> Wording {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }
      .first { !$0.isEmpty }
    guard let locale else { return .english }
    let language = locale.lowercased().prefix { $0.isASCII && $0.isLetter }
    // Without UTF-8, most characters of other languages cannot be written.
    let encoding = locale.lowercased().drop { $0 != "." }
    guard encoding.contains("utf-8") || encoding.contains("utf8") else { return .english }
    return all.first { $0.language == language } ?? .english
  }

  /// Returns a message with the values inserted.
  func text(_ phrase: Phrase, _ values: String...) -> String {
    (phrases[phrase] ?? Wording.english.phrases[phrase] ?? phrase.rawValue).filled(values)
  }

  /// Returns a number with its noun: "1 item", "20 items".
  func count(_ number: Int, _ one: Phrase, _ many: Phrase) -> String {
    text(number == 1 ? one : many, self.number(number))
  }

  /// Returns a number such as "1,204"; see `Quantity.grouped`.
  func number(_ number: Int) -> String { numbers.grouped(number) }

  /// Returns a size such as "12.3 kB"; see `Quantity.bytes`.
  func bytes(_ count: Int) -> String { Quantity.bytes(count, style: numbers) }

  /// Returns a time relative to now: "5 min ago", "in 3 h".
  func rough(_ seconds: Double, past: Bool) -> String {
    if seconds < 60 { return text(past ? .justNow : .now) }
    return text(past ? .ago : .ahead, Quantity.largestUnit(seconds, units: timeUnits))
  }

  /// Returns a duration such as "0.4 s" or "3 min 5 s"; see `Quantity.time`.
  func time(_ duration: Duration, tenths: Bool = true) -> String {
    Quantity.time(duration, tenths: tenths, units: timeUnits, style: numbers)
  }

  private var numbers: NumberStyle { Words.of(language).numbers }

  private var timeUnits: Quantity.TimeUnits {
    let words = text(.timeUnits).split(separator: " ").map(String.init)
    guard words.count == 4 else { return .standard }
    return Quantity.TimeUnits(
      second: words[0], minute: words[1], hour: words[2], day: words[3])
  }
}
