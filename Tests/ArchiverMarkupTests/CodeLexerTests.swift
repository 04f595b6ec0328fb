import Testing

@testable import ArchiverMarkup

/// Where the coloured words of a program begin and end.
struct CodeLexerTests {
  /// Returns the tokens as `kind:text`, separated by ` ¦ `.
  private func words(_ text: String, _ language: String) -> String {
    let bytes = Array(text.utf8)
    return CodeColoring.tokens(in: text, language: language).map { token in
      "\(token.kind.rawValue):\(String(decoding: bytes[token.range], as: UTF8.self))"
    }.joined(separator: " ¦ ")
  }

  @Test(
    arguments: sides(
      of: #"""
        /* a /* b */ c */ if => comment:/* a /* b */ c */ ¦ keyword:if
        /* a /* b */ if => comment:/* a /* b */ if
        /**/if => comment:/**/ ¦ keyword:if
        // a⏎if => comment:// a ¦ keyword:if
        "a\"b" if => string:"a\"b" ¦ keyword:if
        "a\ => string:"a\
        "a⏎if => string:"a ¦ keyword:if
        """a⏎"b""" if => string:"""a⏎"b""" ¦ keyword:if
        1.5.2 => number:1.5.2
        1.a => number:1
        1..2 => number:1 ¦ number:2
        2e+3-4 => number:2e+3 ¦ number:4
        2E-3 => number:2E-3
        2e+a => number:2e
        2f+3 => number:2f ¦ number:3
        0x1F_0 => number:0x1F_0
        @a1 @1 @ => meta:@a1 ¦ number:1
        #if a => meta:#if
        ifs _if if1 éif Aé => type:Aé
        A Z a @Z => type:A ¦ type:Z ¦ meta:@Z
        """#))
  func `a program's words end where its language says`(code: String, tokens: String) {
    #expect(words(code, "swift") == tokens)
  }

  @Test(
    arguments: [
      ("rust", "#[a]if", "meta:#[a] ¦ keyword:if"), ("rust", "#[a\nif", "meta:#[a ¦ keyword:if"),
      ("rust", "#[a", "meta:#[a"), ("ruby", ":a::B c::d", "meta::a ¦ type:B"),
      ("ruby", "a: :b", "meta::b"), ("ruby", ":a if", "meta::a ¦ keyword:if"),
      ("bash", "a#b", ""), ("bash", "a #b", "comment:#b"), ("bash", ";#b", "comment:#b"),
      ("bash", "#b", "comment:#b"), ("bash", "$# if", "keyword:if"),
      ("bash", "$a $1", "name:$a ¦ number:1"),
      ("bash", "if-a a-if", ""), ("bash", "if- a", "keyword:if"), ("python", "a#b", "comment:#b"),
      ("bash", #"'a\' if"#, #"string:'a\' ¦ keyword:if"#),
      ("bash", "\"a\nb\" if", "string:\"a\nb\" ¦ keyword:if"),
      ("powershell", "FOREACH <# a #> if", "keyword:FOREACH ¦ comment:<# a #> ¦ keyword:if"),
      ("sql", "Select 'a''b' -- c", "keyword:Select ¦ string:'a' ¦ string:'b' ¦ comment:-- c"),
      ("sql", "/* a */ from", "comment:/* a */ ¦ keyword:from"),
      ("swift", "If", "type:If"), ("sql", "Abc", ""),
      ("c", "/* a /* b */ if", "comment:/* a /* b */ ¦ keyword:if"),
      ("php", "#a\n$b # c", "comment:#a ¦ name:$b ¦ comment:# c"),
      ("json", "\"a\" \t: \"b\"", "name:\"a\" ¦ string:\"b\""), ("json", "\"a\"", "string:\"a\""),
      ("json", "\"a\"\n:", "string:\"a\""), ("js", "\"a\":1", "string:\"a\" ¦ number:1"),
      ("haskell", "{- a {- b -} c -} if", "comment:{- a {- b -} c -} ¦ keyword:if"),
      ("lua", "--[[ a\nb ]] if -- c", "comment:--[[ a\nb ]] ¦ keyword:if ¦ comment:-- c"),
      ("elixir", "@a :b do", "meta:@a ¦ meta::b ¦ keyword:do"),
      ("r", "if A # b", "keyword:if ¦ comment:# b"),
      ("make", ".PHONY: a", "meta:.PHONY"), ("docker", "FROM a", "keyword:FROM"),
      ("go", "`a\nb\\` if", "string:`a\nb\\` ¦ keyword:if"),
    ])
  func `languages differ in comments, quotation marks and names`(
    language: String, code: String, tokens: String
  ) {
    #expect(words(code, language) == tokens)
  }

  @Test func `a name of more than 40 bytes has no colour`() {
    let name = "A" + String(repeating: "a", count: 39)
    #expect(words(name, "swift") == "type:\(name)")
    #expect(words(name + "a", "swift") == "")
  }

  @Test(
    arguments: sides(
      of: #"""
        <![CDATA[ <a> ]]>&lt; => string:<![CDATA[ <a> ]]> ¦ number:&lt;
        <!--a>b-->c => comment:<!--a>b-->
        <!-- a => comment:<!-- a
        <?a?>b<!b> => meta:<?a?> ¦ meta:<!b>
        a < b <1 </> =>
        a & b &amp &#x1F; => number:&#x1F;
        &amp;; => number:&amp;
        </a-b:c.d> => keyword:a-b:c.d
        <a b=c @d='e' :f> => keyword:a ¦ name:b ¦ name:c ¦ name:@d ¦ string:'e' ¦ name::f
        <a b="c'd" e='f"g'> => keyword:a ¦ name:b ¦ string:"c'd" ¦ name:e ¦ string:'f"g'
        <a b="c => keyword:a ¦ name:b ¦ string:"c
        <a <b => keyword:a ¦ keyword:b
        <a/>b "c" => keyword:a
        """#))
  func `of markup, tags and references are coloured`(code: String, tokens: String) {
    #expect(words(code, "html") == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        a{b:c 1.5px #fff;d:e} => type:a ¦ name:b ¦ number:1.5px ¦ number:#fff ¦ name:d
        #id{a:b}#id => type:id ¦ name:a ¦ type:id
        /* a */b => comment:/* a */ ¦ type:b
        /* a => comment:/* a
        // a⏎b => comment:// a ¦ type:b
        {a:http://b;c:d} => name:a ¦ name:c
        / a => type:a
        @media "a" 'b' => keyword:@media ¦ string:"a" ¦ string:'b'
        $a-b:50% => name:$a-b ¦ number:50%
        a-b:c;d => name:a-b ¦ type:d
        """#))
  func `of a style sheet, names and values are told apart`(code: String, tokens: String) {
    #expect(words(code, "css") == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        a: b⏎c:d e => name:a
        - a: 1 => name:a ¦ number:1
        a: b: c => name:a
        "a b": c => name:"a b"
        a:⏎  b: 2 => name:a ¦ name:b ¦ number:2
        a: => name:a
        a: true # b#c => name:a ¦ keyword:true ¦ comment:# b#c
        a: b#c => name:a
        # a: b => comment:# a: b
        a, b: 1 => number:1
        {a: 1} => number:1
        a: "b" c"d" => name:a ¦ string:"b"
        a: ["b",'c'] => name:a ¦ string:"b" ¦ string:'c'
        a: &b *c d&e => name:a ¦ meta:&b ¦ meta:*c
        a: 1.5 YES 2x => name:a ¦ number:1.5 ¦ keyword:YES ¦ number:2x
        [a] # b => type:[a]  ¦ comment:# b
        """#))
  func `settings have keys and values`(code: String, tokens: String) {
    #expect(words(code, "yaml") == tokens)
  }

  @Test(
    arguments: [
      ("toml", "a=1\nb = \"c\"", "name:a ¦ number:1 ¦ name:b  ¦ string:\"c\""),
      ("toml", "a=\"c\" # d", "name:a ¦ string:\"c\" ¦ comment:# d"),
      ("ini", "; a\nb=c", "comment:; a ¦ name:b"), ("yaml", "; a", ""),
      ("diff", "+a\n-b\n@@ c\n d\n\n+", "string:+a ¦ name:-b ¦ meta:@@ c ¦ string:+"),
      ("diff", "a\n+", "string:+"), ("diff", "", ""), ("yaml", "", ""), ("css", "", ""),
      ("html", "", ""),
      ("swift", "", ""), ("Swift", "if", "keyword:if"), ("klingon", "if", ""),
    ])
  func `other forms and unknown languages`(language: String, code: String, tokens: String) {
    #expect(words(code, language) == tokens)
  }

  @Test func `a megabyte of code is read, a byte more is not`() {
    let code = "if" + String(repeating: " ", count: CodeColoring.mostBytes - 2)
    #expect(words("+" + code.dropFirst(), "diff").utf8.count == CodeColoring.mostBytes + 7)
    #expect(words("+" + code, "diff") == "")
  }
}
