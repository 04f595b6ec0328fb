import ArchiverCore

/// The parts of an issue's title: `The Atlas – No. 12, May 2024` is an issue of The Atlas.
///
/// In catalogs without periodicals, only titles tell which issues belong together.
struct IssueTitle {
  /// The magazine's name; the whole title if no part of it identifies an issue.
  let name: String
  /// The part after the name: `No. 12, May 2024`.
  let issue: String?
  /// `2024-05` or `2024-05-03`.
  let date: String?

  init(_ title: String) {
    var words = title.split(whereSeparator: \.isWhitespace).map(String.init)
    var rest: [String] = []
    while words.count > 1, let word = words.last, IssueTitle.isOfIssue(word) {
      rest.insert(words.removeLast(), at: 0)
    }
    let marks: Set<Character> = ["-", "–", "—", ":", ",", "|", "(", "[", "·", "/"]
    func trimmed(_ words: [String]) -> String {
      var text = words.joined(separator: " ")[...]
      while let last = text.last, last == " " || marks.contains(last) { text.removeLast() }
      while let first = text.first, first == " " || marks.contains(first) { text.removeFirst() }
      return String(text)
    }
    let hasNumber = rest.contains { $0.contains(where: \.isNumber) }
    let name = trimmed(words)
    guard hasNumber, !name.isEmpty else {
      (self.name, issue, date) = (title, nil, nil)
      return
    }
    self.name = name
    issue = trimmed(rest).filter { ![")", "]"].contains($0) }.nonEmpty
    date = IssueTitle.date(rest)
  }

  /// Whether a word at the end of a title identifies an issue: a number, a date, a month or
  /// punctuation.
  private static func isOfIssue(_ word: String) -> Bool {
    let core = core(word)
    if core.isEmpty { return true }
    if core.allSatisfy({ $0.isNumber || "-/.".contains($0) }) { return true }
    return month(core) != nil || marks.contains(core)
      || core.first == "#" && core.dropFirst().allSatisfy(\.isNumber)
  }

  private static func core(_ word: String) -> String {
    let ends: Set<Character> = ["(", ")", "[", "]", ",", ":", ";", "-", "–", "—", "|", "·", "."]
    var text = word.lowercased()[...]
    while let last = text.last, ends.contains(last) { text.removeLast() }
    while let first = text.first, ends.contains(first) { text.removeFirst() }
    return String(text)
  }

  private static func date(_ words: [String]) -> String? {
    var numbers = words.flatMap { word in
      core(word).split { "-/.".contains($0) }.compactMap { $0.count <= 4 ? Int($0) : nil }
    }
    guard let place = numbers.firstIndex(where: { (1_500...2_200).contains($0) }) else {
      return nil
    }
    let year = numbers.remove(at: place)
    if let place = words.firstIndex(where: { month(core($0)) != nil }),
      let month = month(core(words[place]))
    {
      return text(year, month, day(beside: place, words))
    }
    // ISO 8601 has the year first; a number before the year may be the issue's.
    let after = numbers.dropFirst(place)
    guard let month = after.first, (1...12).contains(month) else { return String(year) }
    return text(year, month, after.dropFirst().first { (1...31).contains($0) })
  }

  /// Returns the number next to a month, unless it is the issue's: `No. 12, May`.
  private static func day(beside place: Int, _ words: [String]) -> Int? {
    for index in [place - 1, place + 1] where words.indices.contains(index) {
      guard let day = Int(core(words[index])), (1...31).contains(day) else { continue }
      if index > 0, marks.contains(core(words[index - 1])) { continue }
      return day
    }
    return nil
  }

  private static func text(_ year: Int, _ month: Int, _ day: Int?) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return "\(year)-\(two(month))" + (day.map { "-" + two($0) } ?? "")
  }

  private static func month(_ word: String) -> Int? {
    months.firstIndex { $0.contains(word) }.map { $0 + 1 }
  }

  private static let marks: Set<String> = [
    "no", "nr", "n°", "nº", "num", "number", "numero", "número", "issue", "vol", "volume", "heft",
    "ausgabe", "edition", "#", "spring", "summer", "autumn", "fall", "winter", "frühjahr", "herbst",
  ]

  /// English, German, French and Spanish, in full and abbreviated.
  private static let months: [Set<String>] = [
    ["january", "jan", "januar", "jänner", "janvier", "enero", "ene"],
    ["february", "feb", "februar", "février", "febrero"],
    ["march", "mar", "märz", "mär", "mars", "marzo"],
    ["april", "apr", "avril", "abril", "abr"],
    ["may", "mai", "mayo"],
    ["june", "jun", "juni", "juin", "junio"],
    ["july", "jul", "juli", "juillet", "julio"],
    ["august", "aug", "août", "agosto", "ago"],
    ["september", "sep", "sept", "septembre", "septiembre"],
    ["october", "oct", "oktober", "okt", "octobre", "octubre"],
    ["november", "nov", "novembre", "noviembre"],
    ["december", "dec", "dezember", "dez", "décembre", "diciembre", "dic"],
  ]
}
