import Testing

@testable import ArchiverMarkup

/// Text in which tags have no meaning, and character references.
@Suite struct HTMLTextTokenTests {
  @Test(
    arguments: sides(
      of: #"""
        a&amp;b<c></title>d&lt; => "a&b<c>" ¦ </title> ¦ "d<"
        &amp;a</TITLE >b => "&a" ¦ </title> ¦ "b"
        &</title/>b => "&" ¦ </title> ¦ "b"
        </title>b => </title> ¦ "b"
        a&b => "a&b"
        a& => "a&"
        ␀a␀␀</title> => "�a��" ¦ </title>
        </titles></titl></title>b => "</titles></titl>" ¦ </title> ¦ "b"
        <</title>b => "<" ¦ </title> ¦ "b"
        </</title>b => "</" ¦ </title> ¦ "b"
        < /title></title a=b>c => "< /title>" ¦ </title> ¦ "c"
        a</title => "a</title"
        a</titl => "a</titl"
        a</ => "a</"
        a< => "a<"
        a</title⏎ => "a"
        """#))
  func `the text of a title ends with its end tag`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html, in: .rcdata, element: "title") == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        a&amp;b␀<c></style>d&lt; => "a&amp;b�<c>" ¦ </style> ¦ "d<"
        ␀</style> => "�" ¦ </style>
        &amp;</stylé></style>b => "&amp;</stylé>" ¦ </style> ¦ "b"
        <!--</style>--> => "<!--" ¦ </style> ¦ "-->"
        a => "a"
        """#))
  func `the text of a style sheet has no references`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html, in: .rawText, element: "style") == tokens)
  }

  @Test func `raw text without a start tag before it has no end tag`() {
    for content in [HTMLTokenizer.Content.rcdata, .rawText, .script] {
      #expect(HTMLTokenText.tokens(of: "a</b>c", in: content) == "\"a</b>c\"")
      #expect(HTMLTokenText.tokens(of: "", in: content, element: "b") == "")
      // The name whose number is zero.
      #expect(
        HTMLTokenText.tokens(of: "b</a>c", in: content, element: "a") == "\"b\" ¦ </a> ¦ \"c\"")
    }
  }

  @Test func `plain text has no end`() {
    let html = "␀a</plaintext>␀b<c>&amp;"
    #expect(
      HTMLTokenText.tokens(of: html, in: .plainText, element: "plaintext")
        == "\"\u{FFFD}a</plaintext>\u{FFFD}b<c>&amp;\"")
    #expect(HTMLTokenText.tokens(of: "", in: .plainText) == "")
  }

  @Test(
    arguments: sides(
      of: #"""
        <![CDATA[a]]>b => "ab"
        a<![CDATA[<b>&amp;]]><c> => "a<b>&amp;" ¦ <c>
        <![CDATA[]]>a => "a"
        <![CDATA[]]><a> => <a>
        <![CDATA[a]b]]c]]]>]]>d => "a]b]]c]]]>d"
        <![CDATA[a]>b]]>c => "a]>bc"
        <![CDATA[a => "a"
        <![CDATA[ =>
        <![CDATA[a]] => "a]]"
        <![CDATA[a] => "a]"
        <![CDATA[␀a␀]]>b => NUL ¦ "a" ¦ NUL ¦ "b"
        <![cdata[a]]>b => <!--[cdata[a]]--> ¦ "b"
        <![CDATa[a]]>b => <!--[CDATa[a]]--> ¦ "b"
        <![CDATA{a]]>b => <!--[CDATA{a]]--> ¦ "b"
        <![CDATA => <!--[CDATA-->
        <!--a-->b => <!--a--> ¦ "b"
        """#))
  func `a CDATA section of foreign content is text`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html, allowsCDATA: true) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        a<b</script>c => "a<b" ¦ </script> ¦ "c"
        </script>c => </script> ¦ "c"
        a&amp;</SCRIPT a=b/>&lt; => "a&amp;" ¦ </script> ¦ "<"
        <</script>c => "<" ¦ </script> ¦ "c"
        ></script>c => ">" ¦ </script> ¦ "c"
        ␀a␀␀</script>c => "�a��" ¦ </script> ¦ "c"
        </scripts></script⏎>c => "</scripts>" ¦ </script> ¦ "c"
        <script>a</script>b => "<script>a" ¦ </script> ¦ "b"
        a => "a"
        a< => "a<"
        a</script => "a</script"
        a</script/ => "a"
        """#))
  func `a script ends with its end tag`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html, in: .script, element: "script") == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <!--a</script>b => "<!--a" ¦ </script> ¦ "b"
        <!--</script>b => "<!--" ¦ </script> ¦ "b"
        <!--<</script>b => "<!--<" ¦ </script> ¦ "b"
        <!--<script>a</script>b</script>c => "<!--<script>a</script>b" ¦ </script> ¦ "c"
        <!--<SCRIPT></Script></script>c => "<!--<SCRIPT></Script>" ¦ </script> ¦ "c"
        <!--<script><</script>-</script>c => "<!--<script><</script>-" ¦ </script> ¦ "c"
        <!--<script⏎</script/</script>c => "<!--<script⏎</script/" ¦ </script> ¦ "c"
        <!--<script></scripts></script></script>c => "<!--<script></scripts></script>" ¦ </script> ¦ "c"
        <!--<scripts></script>c => "<!--<scripts>" ¦ </script> ¦ "c"
        <!--<scrip></script>c => "<!--<scrip>" ¦ </script> ¦ "c"
        <!--<script>--></script>c => "<!--<script>-->" ¦ </script> ¦ "c"
        <!--a--><script></script>c => "<!--a--><script>" ¦ </script> ¦ "c"
        <!--><script></script>c => "<!--><script>" ¦ </script> ¦ "c"
        <!--a-><script></script>b</script>c => "<!--a-><script></script>b" ¦ </script> ¦ "c"
        <!--a--b><script></script>b</script>c => "<!--a--b><script></script>b" ¦ </script> ¦ "c"
        <!-a<script></script>c => "<!-a<script>" ¦ </script> ¦ "c"
        --><script></script>c => "--><script>" ¦ </script> ¦ "c"
        <!--<script => "<!--<script"
        <!--<script></script => "<!--<script></script"
        <!--␀<script>␀</script>␀</script>c => "<!--�<script>�</script>�" ¦ </script> ¦ "c"
        """#))
  func `a script within a comment of a script hides its end tag`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html, in: .script, element: "script") == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        &amp;&lt;x => &<x
        &ampx&amp=&amp1 => &x&=&1
        a&amp => a&
        &am => &am
        &a => &a
        & => &
        &&amp; => &&
        &; => &;
        &1; => &1;
        &@;&[;&`;&{; => &@;&[;&`;&{;
        &notin;&notit; => ∉¬it;
        &#65;b => Ab
        &#65b => Ab
        &#65 => A
        &#065;;b => A;b
        &#x4f;b => Ob
        &#X4Fg => Og
        &#x4a;&#x4A; => JJ
        &#xaf;&#xFA; => ¯ú
        &#x4f`&#x4f@&#x4fG => O`O@OG
        &#53:&#53/ => 5:5/
        &# => &#
        &#; => &#;
        &#a; => &#a;
        &#x => &#x
        &#x; => &#x;
        &#xg; => &#xg;
        &#1114112;&#x110000;&#99999999999; => ���
        """#))
  func `a reference in text ends with its name or number`(html: String, words: String) {
    #expect(HTMLTokenText.tokens(of: html) == "\"\(words)\"")
    #expect(HTMLTokenText.tokens(of: "a" + html + "<b>") == "\"a\(words)\" ¦ <b>")
  }

  @Test(
    arguments: sides(
      of: #"""
        &amp;x => &x
        &ampx => &ampx
        &ampX => &ampX
        &amp1 => &amp1
        &amp= => &amp=
        &amp;= => &=
        &amp- => &-
        &amp/&amp:&amp@&amp[ => &/&:&@&[
        a&amp => a&
        &lt;&gt => <>
        &#65=&#65a => A=Aa
        &#x; => &#x;
        &nothing;&amp; => &nothing;&
        & => &
        a&b=c&d => a&b=c&d
        """#))
  func `a name in a value needs its semicolon before a letter, digit or equals sign`(
    value: String, words: String
  ) {
    for quote in ["", "'", "\""] {
      let html = "<a b=\(quote)\(value)\(quote) c>d"
      #expect(HTMLTokenText.tokens(of: html) == "<a b=\"\(words)\" c=\"\"> ¦ \"d\"")
    }
  }

  @Test func `numbers from 128 to 159 are characters of Windows`() {
    let characters: [UInt32] = [
      0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
    let numbers: [UInt32] = Array(0x80...0x9F)
    #expect(numbers.map(HTMLCharacterReferences.codePoint) == characters)
  }

  @Test func `numbers without a character are replaced`() {
    #expect(HTMLTokenText.tokens(of: "&#1114111;&#x10ffff;") == "\"\u{10FFFF}\u{10FFFF}\"")
    let kept: [UInt32] = [1, 0x7F, 0xA0, 0xD7FF, 0xE000, 0xFFFE, 0x10FFFF]
    #expect(kept.map(HTMLCharacterReferences.codePoint) == kept)
    let replaced: [UInt32] = [0, 0xD800, 0xDFFF, 0x11_0000, .max]
    for number in replaced { #expect(HTMLCharacterReferences.codePoint(number) == 0xFFFD) }
  }
}
