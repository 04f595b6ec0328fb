import ArchiverStorage

/// An item's text as indexed: divided into passages, each with its terms.
struct PassageText: Sendable {
  /// The hash of the whole text.
  private(set) var fingerprint: UInt64
  private(set) var passages: [PassageFile]
  /// The terms of each passage.
  private(set) var terms: [PassageTerms]

  init(_ text: String, _ fields: SearchFields) {
    fingerprint = WordHash.of(text)
    let texts = Passages.cut(text)
    passages = texts.enumerated().map { PassageFile(text: $1, also: $0 == 0 ? fields.also : "") }
    terms = PassageText.terms(of: texts, fields)
  }

  /// Returns the terms of the passages; the fields are part of the first.
  static func terms(
    of passages: [String], _ fields: SearchFields, hasFile: Bool = false
  ) -> [PassageTerms] {
    var counter = TermCounter()
    var language: StemLanguage?
    return passages.enumerated().map { number, passage in
      let terms = PassageTerms(passage, number == 0 ? fields : nil, &counter, language: language)
      language = terms.language
      return number == 0 && hasFile ? terms.adding(SearchFields.havingMark + "file") : terms
    }
  }

  /// Returns the text, marked as that of an item with a file.
  func havingFile() -> PassageText {
    guard let first = terms.first else { return self }
    var whole = self
    whole.fingerprint = WordHash.add(1, to: fingerprint)
    whole.passages[0].hasFile = true
    whole.terms[0] = first.adding(SearchFields.havingMark + "file")
    return whole
  }

  /// Returns the text followed by that of a book, in separate passages.
  ///
  /// - Parameter parts: Chapters or pages; a passage may contain several.
  func adding(_ parts: [BookTexts.Part]) -> PassageText {
    guard !parts.isEmpty else { return self }
    var whole = self
    var text = ""
    var starts: [Int] = []
    for part in parts {
      starts.append(text.utf8.count)
      text += part.text + "\n"
      for string in [part.path, part.text] {
        whole.fingerprint = WordHash.of(string, from: whole.fingerprint)
      }
    }
    var counter = TermCounter()
    var start = 0
    for piece in Passages.cut(text) {
      let range = start..<(start + piece.utf8.count)
      start = range.upperBound
      var places: [PassageFile.Place] = []
      for (part, first) in zip(parts, starts) where first < range.upperBound {
        if first <= range.lowerBound { places = [] }
        let offset = max(0, first - range.lowerBound)
        places.append(
          PassageFile.Place(start: PassageText.units(piece, before: offset), path: part.path))
      }
      whole.passages.append(PassageFile(text: piece, places: places))
      whole.terms.append(
        PassageTerms(piece, nil, &counter, language: terms.first?.language))
    }
    return whole
  }

  /// Returns the number of UTF-16 units before an offset in bytes.
  private static func units(_ text: String, before offset: Int) -> Int {
    String(decoding: text.utf8.prefix(offset), as: UTF8.self).utf16.count
  }
}
