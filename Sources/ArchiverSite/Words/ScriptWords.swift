import ArchiverCore

/// `library/languages.js`: the strings of the library in every language, for the scripts.
enum ScriptWords {
  static func script() -> [UInt8] {
    ScriptData.assignment(
      "var archiverLanguages",
      .object(
        Dictionary(
          uniqueKeysWithValues: Words.all.map { words in
            (words.language, .object(["name": .string(words.name), "words": texts(words)]))
          })))
  }

  private static func texts(_ words: Words) -> JSONValue {
    let texts = words.texts.filter {
      !$0.key.hasPrefix("page.") && !$0.key.hasPrefix("portal.")
    }
    return .object(texts.mapValues { .string($0) })
  }
}
