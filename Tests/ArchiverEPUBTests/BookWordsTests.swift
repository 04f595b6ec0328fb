import Testing

@testable import ArchiverEPUB

/// The pages' own text in every language.
@Suite struct BookWordsTests {
  private static func texts(_ words: BookWords) -> [String: String] {
    var texts = words.comicPages
    for child in Mirror(reflecting: words).children {
      if let name = child.label, let text = child.value as? String { texts[name] = text }
    }
    return texts
  }

  @Test(arguments: BookWords.all.dropFirst().map(\.language))
  func `every text is translated and keeps its placeholder`(language: String) {
    let (english, other) = (Self.texts(BookWords()), Self.texts(BookWords.of(language)))
    #expect(Set(english.keys) == Set(other.keys))
    #expect(english.count > 25)
    for (name, text) in english {
      #expect(other[name]?.contains("{}") == text.contains("{}"), "\(name)")
      // The Spanish word for an editorial is the English one.
      #expect(other[name] != text || name == "Editorial", "\(name)")
    }
  }

  @Test func `a language is known by its first part, others are English`() {
    #expect(BookWords.of("de-AT").contents == "Inhalt")
    #expect(BookWords.of("ZH").contents == "目录")
    #expect(BookWords.of("fr").contents == "Contents" && BookWords.of("").language == "en")
  }
}
