/// What is said to people while a run goes on, at its end and by `status`. `%1`, `%2` and `%3` stand
/// for what is put in.
///
/// What machines read (`--json`), log lines, errors and the help are the same in every language.
enum Phrase: String, Sendable, CaseIterable {
  // Counts: one and many.
  case item, items, picture, pictures
  // The progress display.
  case listing, ofTotal, progress, timeLeft, failedCount, missingCount, more
  // The end of a run.
  case archived, nothingNew, unchanged, pictureLacking, picturesLacking, notReady
  case waitsOne, waitsMany, expired, left, held, wouldArchive, laterOne, laterMany, failedItems,
    interrupted
  // How a source stands.
  case archive, source, state, size, aMonth, lastRun, nextRun
  case ok, someFail, failed, running, notRun, disabled, stopped, died
  case ago, ahead, justNow, now, never, noSchedule
}

/// The phrases of one language.
struct Wording: Sendable, Hashable {
  /// As RFC 5646 has it: `en`.
  let language: String
  let phrases: [Phrase: String]

  static let all: [Wording] = [.english, .german, .spanish, .chinese]

  /// Returns the words for the locale that `LC_ALL`, `LC_MESSAGES` and `LANG` name, in this order;
  /// English for all others.
  static func chosen(by variables: [String: String]) -> Wording {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { variables[$0] }
      .first { !$0.isEmpty }
    guard let locale else { return .english }
    let language = locale.lowercased().prefix { $0.isASCII && $0.isLetter }
    // Without UTF-8 most of what they need cannot be written.
    let encoding = locale.lowercased().drop { $0 != "." }
    guard encoding.contains("utf-8") || encoding.contains("utf8") else { return .english }
    return all.first { $0.language == language } ?? .english
  }

  /// Returns a phrase with the values in their places.
  func text(_ phrase: Phrase, _ values: String...) -> String {
    let template = phrases[phrase] ?? Wording.english.phrases[phrase] ?? phrase.rawValue
    var result = ""
    var rest = template[...]
    while let mark = rest.firstIndex(of: "%") {
      result += rest[..<mark]
      rest = rest[mark...].dropFirst()
      guard let number = rest.first?.wholeNumberValue, values.indices.contains(number - 1) else {
        result += "%"
        continue
      }
      result += values[number - 1]
      rest = rest.dropFirst()
    }
    return result + rest
  }

  /// "1 item", "20 items".
  func count(_ number: Int, _ one: Phrase, _ many: Phrase) -> String {
    text(number == 1 ? one : many, Quantity.grouped(number))
  }

  /// "5 min ago", "in 3 h".
  func rough(_ seconds: Double, past: Bool) -> String {
    if seconds < 60 { return text(past ? .justNow : .now) }
    return text(past ? .ago : .ahead, Quantity.largestUnit(seconds))
  }
}
