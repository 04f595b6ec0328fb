/// A piece of a program's text that is shown in a colour of its own.
package struct CodeToken: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case comment, keyword, string, number, type, name, meta
  }

  package let kind: Kind
  /// Offsets in the text's UTF-8, never empty.
  package let range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}

/// Finds what is to be coloured in the text of a program.
package enum CodeColoring {
  /// A longer text, in UTF-8 bytes, is left as it is.
  package static let mostBytes = 1 << 20

  /// Returns tokens in their order, without overlap; none for a language that is not known.
  ///
  /// - Parameters:
  ///   - text: The code.
  ///   - language: As people write it, such as `C++`, `js` or `plain text`.
  package static func tokens(in text: String, language: String) -> [CodeToken] {
    guard text.utf8.count <= mostBytes, let grammar = CodeGrammar.named(language) else { return [] }
    let bytes = Array(text.utf8)
    switch grammar.form {
    case .program: return ProgramLexer(bytes, grammar).tokens()
    case .markup: return MarkupLexer(bytes).tokens()
    case .styles: return StyleLexer(bytes).tokens()
    case .keys: return KeyLexer(bytes, grammar).tokens()
    case .difference: return DifferenceLexer(bytes).tokens()
    }
  }

  /// The languages that are known, by their first names, in the order of the alphabet.
  package static var languages: [String] {
    CodeGrammar.all.compactMap { $0.names.first }.sorted()
  }
}
