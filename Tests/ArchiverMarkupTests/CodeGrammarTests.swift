import Testing

@testable import ArchiverMarkup

/// How languages differ in their comments, quotation marks and names.
@Suite struct CodeGrammarTests {
  /// Returns the tokens as `kind:text`, separated by ` ¦ `.
  private static func words(_ text: String, _ language: String) -> String {
    let bytes = Array(text.utf8)
    return CodeColoring.tokens(in: text, language: language).map { token in
      "\(token.kind.rawValue):\(String(decoding: bytes[token.range], as: UTF8.self))"
    }.joined(separator: " ¦ ")
  }

  @Test func `languages are listed by their first names`() {
    let names = """
      bash c c# c++ css dart diff docker elixir go groovy haskell html ini java javascript json
      kotlin lua makefile perl php powershell python r ruby rust scala sql swift toml typescript
      yaml
      """
    #expect(CodeColoring.languages == names.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  @Test(
    arguments: [
      ("node", "javascript"), ("tsx", "typescript"), ("arduino", "c"), ("cc", "c++"), ("cs", "c#"),
      ("golang", "go"), ("rs", "rust"), ("kt", "kotlin"), ("flutter", "dart"), ("gradle", "groovy"),
      ("jsonc", "json"), ("py", "python"), ("rb", "ruby"), ("console", "bash"),
      ("ps1", "powershell"), ("plsql", "sql"), ("pl", "perl"), ("hs", "haskell"), ("ex", "elixir"),
      ("dockerfile", "docker"), ("make", "makefile"), ("svelte", "html"), ("less", "css"),
      ("yml", "yaml"), ("dotenv", "ini"), ("patch", "diff"),
    ] as [(String, String)])
  func `a language has several names`(alias: String, name: String) {
    #expect(CodeGrammar.named(alias)?.names.first == name)
    #expect(CodeGrammar.named(alias.uppercased())?.names.first == name)
  }

  @Test(arguments: ["rust", "swift", "kotlin", "scala"])
  func `a comment may contain comments`(language: String) {
    #expect(
      Self.words("/* a /* b */ c */ if", language) == "comment:/* a /* b */ c */ ¦ keyword:if")
  }

  @Test(arguments: [
    "javascript", "typescript", "java", "c", "c++", "c#", "go", "dart", "php", "groovy",
  ])
  func `a comment ends with the first mark`(language: String) {
    #expect(Self.words("/* a /* b */ if", language) == "comment:/* a /* b */ ¦ keyword:if")
  }

  @Test(arguments: [
    ("sql", "/* a /* b */ from", "comment:/* a /* b */ ¦ keyword:from"),
    ("lua", "--[[ a --[[ b ]] if", "comment:--[[ a --[[ b ]] ¦ keyword:if"),
    ("powershell", "<# a <# b #> if", "comment:<# a <# b #> ¦ keyword:if"),
    ("haskell", "-- a\nif", "comment:-- a ¦ keyword:if"),
    ("json", "// a\ntrue", "comment:// a ¦ keyword:true"),
    ("perl", "# abc\nif", "comment:# abc ¦ keyword:if"),
    ("swift", "a /", ""), ("swift", "/", ""), ("lua", "a -", ""), ("c", "a /*", "comment:/*"),
  ])
  func `each language has marks of its own`(language: String, code: String, tokens: String) {
    #expect(Self.words(code, language) == tokens)
  }

  @Test(
    arguments: [
      ("javascript", "`"), ("typescript", "`"), ("java", "\"\"\""), ("c#", "\"\"\""),
      ("kotlin", "\"\"\""), ("scala", "\"\"\""), ("dart", "\"\"\""), ("groovy", "\"\"\""),
      ("go", "`"), ("rust", "\""), ("swift", "\"\"\""), ("php", "\""), ("php", "'"),
      ("python", "\"\"\""), ("python", "'''"), ("elixir", "\"\"\""), ("elixir", "'''"),
      ("bash", "\""), ("bash", "'"), ("powershell", "\""), ("powershell", "'"), ("sql", "'"),
    ] as [(String, String)])
  func `a text goes over several lines`(language: String, mark: String) {
    let text = "\(mark)a\nb\(mark)"
    let keyword = language == "elixir" ? "do" : language == "sql" ? "from" : "for"
    #expect(Self.words("\(text) \(keyword)", language) == "string:\(text) ¦ keyword:\(keyword)")
  }

  @Test(
    arguments: [
      ("javascript", "\""), ("java", "'"), ("c", "\""), ("c++", "'"), ("go", "\""), ("go", "'"),
      ("swift", "\""), ("python", "\""), ("python", "'"), ("ruby", "\""), ("ruby", "'"),
      ("lua", "\""), ("perl", "'"), ("r", "\""), ("groovy", "'"),
    ] as [(String, String)])
  func `a text ends with its line`(language: String, mark: String) {
    #expect(Self.words("\(mark)a\nfor", language) == "string:\(mark)a ¦ keyword:for")
  }

  @Test(arguments: [
    ("sql", #"'a\' from"#, #"string:'a\' ¦ keyword:from"#),
    ("sql", #""a\" b" from"#, #"string:"a\" b" ¦ keyword:from"#),
    ("sql", #"`a\` b` from"#, #"string:`a\` b` ¦ keyword:from"#),
    ("go", #"`a\` for"#, #"string:`a\` ¦ keyword:for"#),
    ("go", #"'\'' for"#, #"string:'\'' ¦ keyword:for"#),
    ("php", #"'a\'b' for"#, #"string:'a\'b' ¦ keyword:for"#),
    ("rust", #""a\"b" for"#, #"string:"a\"b" ¦ keyword:for"#),
    ("bash", #""a\"b" for"#, #"string:"a\"b" ¦ keyword:for"#),
    ("python", #"'''a\'''b''' for"#, #"string:'''a\'''b''' ¦ keyword:for"#),
    ("haskell", "'a' if", "keyword:if"),
  ])
  func `a sign before a mark hides it, except in raw text`(
    language: String, code: String, tokens: String
  ) {
    #expect(Self.words(code, language) == tokens)
  }

  @Test(arguments: [
    "javascript", "typescript", "java", "c", "c++", "c#", "go", "rust", "swift", "kotlin", "scala",
    "dart", "php", "groovy", "python", "ruby", "powershell", "lua", "perl", "haskell", "elixir",
  ])
  func `a name with a capital is a type`(language: String) {
    #expect(Self.words("Abc Zx abc", language) == "type:Abc ¦ type:Zx")
  }

  @Test(arguments: ["json", "bash", "sql", "r", "docker", "makefile"])
  func `a name with a capital has no colour where there are no types`(language: String) {
    #expect(Self.words("Abc", language) == "")
  }

  @Test(arguments: [
    ("swift", "if-a", "keyword:if"), ("python", "a-if", "keyword:if"),
    ("swift", "$if", "keyword:if"),
    ("python", "$if", "keyword:if"), ("bash", "$if", "name:$if"), ("php", "$if", "name:$if"),
    ("powershell", "$if-a", "name:$if"), ("bash", "a-b-if", ""), ("php", "a#b", ""),
  ])
  func `hyphens and dollar signs belong to the names of some languages`(
    language: String, code: String, tokens: String
  ) {
    #expect(Self.words(code, language) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        &&amp; => number:&amp;
        &<a> => keyword:a
        <<a> => keyword:a
        <1><a> => keyword:a
        &a;&b; => number:&a; ¦ number:&b;
        <![CDATA[a => string:<![CDATA[a
        <![CDATA[]]><a> => string:<![CDATA[]]> ¦ keyword:a
        <!---->a<b> => comment:<!----> ¦ keyword:b
        <a b=''c> => keyword:a ¦ name:b ¦ string:'' ¦ name:c
        <_a1> => keyword:_a1
        """#))
  func `markup after a sign without a meaning is coloured`(code: String, tokens: String) {
    #expect(Self.words(code, "html") == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        /**/b => comment:/**/ ¦ type:b
        @ a => keyword:@ ¦ type:a
        $ a => name:$ ¦ type:a
        a{b:1}c => type:a ¦ name:b ¦ number:1 ¦ type:c
        a{b:"c\"d"}e => type:a ¦ name:b ¦ string:"c\"d" ¦ type:e
        a{b:'c⏎d}e => type:a ¦ name:b ¦ string:'c ¦ type:e
        a // b⏎c => type:a ¦ comment:// b ¦ type:c
        //abc⏎c => comment://abc ¦ type:c
        a{b:c #12.5%}d => type:a ¦ name:b ¦ number:#12.5% ¦ type:d
        a{b:0 9} => type:a ¦ name:b ¦ number:0 ¦ number:9
        """#))
  func `values of a style sheet end with their characters`(code: String, tokens: String) {
    #expect(Self.words(code, "css") == tokens)
  }

  @Test(arguments: [
    ("\ta: 1", "name:a ¦ number:1"), (" - \t- a: 1", "name:a ¦ number:1"), ("'a': b", "name:'a'"),
    ("a #b: 1", "comment:#b: 1"), ("a{b: 1", "number:1"), ("a=b", "name:a"),
    ("a: 'b\nc' 1", "name:a ¦ string:'b ¦ number:1"), ("a: b,\"c\"", "name:a ¦ string:\"c\""),
    ("a:\n- \"b\"\nc: 2", "name:a ¦ string:\"b\" ¦ name:c ¦ number:2"),
    ("a: *b &", "name:a ¦ meta:*b ¦ meta:&"),
  ])
  func `settings have keys before values`(code: String, tokens: String) {
    #expect(Self.words(code, "yaml") == tokens)
  }
}
