import ArchiverCore

/// `library/languages.js`: the strings of every language for the scripts.
enum ScriptWords {
  static func script() -> [UInt8] {
    ScriptData.assignment(
      "var archiverLanguages",
      .object(
        Dictionary(
          uniqueKeysWithValues: Words.all.map { words in
            (
              words.language,
              .object([
                "name": .string(words.name),
                "words": .object(words.texts.mapValues { .string($0) }),
              ])
            )
          })))
  }
}
