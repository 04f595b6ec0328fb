/// The localised strings of reading pages and of the library in one language.
///
/// Each language is one file that extends this type by a constant; `Words.all` lists them. `%1` and
/// `%2` in strings are placeholders for values.
package struct Words: Sendable {
  /// BCP 47 tag.
  package let language: String
  /// The language's own name.
  package let name: String
  /// Months, from January.
  let months: [String]
  /// `%1` day, `%2` month's name, `%3` year.
  let datePattern: String
  /// `%1` month's name, `%2` year.
  let monthPattern: String
  package let numbers: NumberStyle
  let reading: Reading
  let portal: StartPage
  /// The localised strings of the library, for its pages and scripts alike: elements marked
  /// `data-w` are refilled when another language is chosen, with the value in `data-v`, the day in
  /// `data-d` or the number in `data-n` if present. A string with a number in it has a singular form under
  /// `KEY.one`.
  let texts: [String: String]

  /// Strings of a bundle's page.
  struct Reading: Sendable {
    let skip: String
    let library: String
    let published: String
    let archived: String
    let minutes: String
    let wordCount: String
    let oneWord: String
    let favourite: String
    let labels: String
    let original: String
    let originalAt: String
    let by: String
    let contents: String
    let noContent: String
    let files: String
    let read: String
    let series: String
    /// Before the titles of the pages that contain the item.
    let within: String
    let previous: String
    let next: String
    let highlights: String
    let toPassage: String
    let versions: String
    let versionOf: String
    /// For a worse copy that is held back, with its time.
    let heldBackSince: String
    let heldBackPage: String
    let earlierVersion: String
    let currentVersion: String
    let missing: String
    let notes: String
    let backlinks: String
    let filter: String
    let untitled: String
    let from: String
    let gone: String
  }
}

extension Words {
  /// Returns the strings for a BCP 47 tag; English for an unsupported one.
  package static func of(_ language: String) -> Words {
    all.first { $0.language == language }
      ?? all.first { $0.language.prefix { $0 != "-" } == language.prefix { $0 != "-" } }
      ?? english
  }

  /// The headings that an export writes, as on the item's page.
  package var highlightsHeading: String { reading.highlights }
  package var filesHeading: String { reading.files }
  package var contentsHeading: String { reading.contents }
  /// The text of the link from a highlight to its passage.
  package var toPassage: String { reading.toPassage }

  /// Returns a string of the library; the key itself if it is missing.
  func text(_ key: String, _ values: String...) -> String {
    (texts[key] ?? Words.english.texts[key] ?? key).filled(values)
  }

  func count(_ number: Int) -> String { counted("itemCount", number) }

  /// Returns a string with a number in it, with the singular form for one.
  func counted(_ key: String, _ number: Int) -> String {
    let one = "\(key).one"
    return number == 1 && texts[one] != nil ? text(one) : text(key, self.number(number))
  }

  func date(_ date: CivilDate) -> String {
    datePattern.filled(String(date.day), months[date.month - 1], String(date.year))
  }

  func month(year: Int, month: Int) -> String {
    monthPattern.filled(months[month - 1], String(year))
  }
}

extension String {
  /// Replaces `%1`, `%2` and so on by values.
  func filled(_ values: String...) -> String { filled(values) }

  func filled(_ values: [String]) -> String {
    guard utf8.contains(UInt8(ascii: "%")) else { return self }
    let mark = UInt8(ascii: "%")
    var result: [UInt8] = []
    var isMarked = false
    for byte in utf8 {
      if isMarked {
        isMarked = false
        let number = Int(byte) - 0x31
        if number < 9, values.indices.contains(number) {
          result += values[number].utf8
          continue
        }
        result.append(mark)
      }
      if byte == mark { isMarked = true } else { result.append(byte) }
    }
    if isMarked { result.append(mark) }
    return String(decoding: result, as: UTF8.self)
  }
}
