/// The localised strings of reading pages and of the library in one language.
///
/// Each language is one file that extends this type by a constant; `Words.all` lists them. `%1` and
/// `%2` in strings are placeholders for values.
package struct Words: Sendable {
  /// The language as a BCP 47 tag.
  package let language: String
  /// The language's own name.
  package let name: String
  /// The names of the months, from January.
  let months: [String]
  /// The format of a date: `%1` day, `%2` month's name, `%3` year.
  let datePattern: String
  /// The format of a month: `%1` month's name, `%2` year.
  let monthPattern: String
  package let numbers: NumberStyle
  /// The localised strings, by key: those of a bundle's page begin with `page.`, those of the start
  /// page of several archives with `portal.`; the others are the library's.
  ///
  /// Scripts refill elements marked `data-w` when another language is chosen, with the value in
  /// `data-v`, the day in `data-d` or the number in `data-n` if present. A string with a number has
  /// a singular form under `KEY.one` if that differs.
  let texts: [String: String]
}

extension Words {
  /// Returns the strings for a BCP 47 tag; English for an unsupported one.
  package static func of(_ language: String) -> Words {
    all.first { $0.language == language }
      ?? all.first { $0.language.prefix { $0 != "-" } == language.prefix { $0 != "-" } }
      ?? english
  }

  /// The headings that an export writes, as on the item's page.
  package var highlightsHeading: String { text("highlights") }
  package var filesHeading: String { text("page.files") }
  package var contentsHeading: String { text("page.contents") }
  /// The text of the link from a highlight to its passage.
  package var toPassage: String { text("page.toPassage") }

  /// Returns a string; the key itself if it is missing.
  func text(_ key: String, _ values: String...) -> String {
    (texts[key] ?? Words.english.texts[key] ?? key).filled(values)
  }

  func count(_ number: Int) -> String { counted("itemCount", number) }

  /// Returns a string with a number inserted, in its singular form for one.
  func counted(_ key: String, _ number: Int) -> String {
    (number == 1 ? texts["\(key).one"] : nil) ?? text(key, self.number(number))
  }

  func date(_ date: CivilDate) -> String {
    datePattern.filled(String(date.day), months[date.month - 1], String(date.year))
  }

  func month(year: Int, month: Int) -> String {
    monthPattern.filled(months[month - 1], String(year))
  }
}

extension String {
  func filled(_ values: String...) -> String { filled(values) }

  /// Replaces `%1`, `%2` and so on by values.
  package func filled(_ values: [String]) -> String {
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
