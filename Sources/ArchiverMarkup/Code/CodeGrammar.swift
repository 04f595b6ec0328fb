/// What a language's comments, texts and words look like.
struct CodeGrammar: Sendable {
  enum Form: Sendable {
    case program
    /// HTML and XML.
    case markup
    case styles
    /// Keys with values: YAML, TOML, settings.
    case keys
    case difference
  }

  /// A text between quotation marks.
  struct Quote: Sendable {
    let mark: [UInt8]
    /// Whether it may go over several lines.
    var isLong = false
    var hasEscapes = true

    init(_ mark: String, isLong: Bool = false, hasEscapes: Bool = true) {
      self.mark = Array(mark.utf8)
      self.isLong = isLong
      self.hasEscapes = hasEscapes
    }
  }

  /// In lower case, the first the usual one.
  let names: [String]
  var form: Form = .program
  var lineComments: [[UInt8]] = []
  var blockComment: (open: [UInt8], close: [UInt8])?
  var nestsComments = false
  /// Longer marks first.
  var quotes: [Quote] = []
  var keywords: Set<String> = []
  var ignoresCase = false
  /// Whether names with a capital are types.
  var hasTypes = true
  /// Signs before a name that make it a directive, such as `@objc` or `#include`.
  var metaSigns: Set<UInt8> = []
  /// Whether a name may have a hyphen.
  var hasHyphens = false
  /// Whether names begin with a dollar sign.
  var hasDollarNames = false

  static func named(_ language: String) -> CodeGrammar? {
    index[language.lowercased()].map { all[$0] }
  }

  private static let index: [String: Int] = {
    var index: [String: Int] = [:]
    for (place, grammar) in all.enumerated() {
      for name in grammar.names where index[name] == nil { index[name] = place }
    }
    return index
  }()

  static let all: [CodeGrammar] = CodeGrammar.braces + CodeGrammar.scripts + CodeGrammar.others

  /// A language whose comments are those of C.
  static func brace(
    _ names: [String], _ keywords: String, quotes: [Quote] = [Quote("\""), Quote("'")],
    meta: String = "", nests: Bool = false, types: Bool = true
  ) -> CodeGrammar {
    var grammar = CodeGrammar(names: names)
    grammar.lineComments = [Array("//".utf8)]
    grammar.blockComment = (Array("/*".utf8), Array("*/".utf8))
    grammar.nestsComments = nests
    grammar.quotes = quotes
    grammar.keywords = words(keywords)
    grammar.metaSigns = Set(meta.utf8)
    grammar.hasTypes = types
    return grammar
  }

  /// A language whose comments begin with a sign and end with the line.
  static func script(
    _ names: [String], _ keywords: String, comment: String = "#",
    quotes: [Quote] = [Quote("\""), Quote("'")], meta: String = "", types: Bool = true
  ) -> CodeGrammar {
    var grammar = CodeGrammar(names: names)
    grammar.lineComments = [Array(comment.utf8)]
    grammar.quotes = quotes
    grammar.keywords = words(keywords)
    grammar.metaSigns = Set(meta.utf8)
    grammar.hasTypes = types
    return grammar
  }

  static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }
}
