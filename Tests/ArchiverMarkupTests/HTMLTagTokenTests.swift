import Testing

@testable import ArchiverMarkup

/// Tags, attributes and comments as the standard's tokenizer reads them.
@Suite struct HTMLTagTokenTests {
  @Test(
    arguments: sides(
      of: #"""
        a<b>c => "a" ¦ <b> ¦ "c"
        <A1 B-c=D>x => <a1 b-c="D"> ¦ "x"
        <a b=c d='e' f="g" h>x => <a b="c" d="e" f="g" h=""> ¦ "x"
        <a b = c  d= 'e' f ="g" h >x => <a b="c" d="e" f="g" h=""> ¦ "x"
        <a⏎b⏎=⏎c⏎d>x => <a b="c" d=""> ¦ "x"
        <a b='c"d' e="f'g">x => <a b="c"d" e="f'g"> ¦ "x"
        <a b="c"d='e'f>x => <a b="c" d="e" f=""> ¦ "x"
        <a b='' c="">x => <a b="" c=""> ¦ "x"
        <a b=>x => <a b=""> ¦ "x"
        <a b= >x => <a b=""> ¦ "x"
        <a =b=c>x => <a =b="c"> ¦ "x"
        <a b==c=d>x => <a b="=c=d"> ¦ "x"
        <a b=c"d'e<f`g>x => <a b="c"d'e<f`g"> ¦ "x"
        <a b="c>d">x => <a b="c>d"> ¦ "x"
        <a=b>x => <a=b> ¦ "x"
        <a<b c<d>x => <a<b c<d=""> ¦ "x"
        <a b=1 b=2 B=3 c=4>x => <a b="1" c="4"> ¦ "x"
        <a b=1><a b=2> => <a b="1"> ¦ <a b="2">
        <a b><c> => <a b=""> ¦ <c>
        <A@Z[`{ @Z[=b>x => <a@z[`{ @z[="b"> ¦ "x"
        <aÉ Éb=É>x => <aÉ Éb="É"> ¦ "x"
        <a␀b c␀d=e␀f g="␀" h='i␀j'>x => <a�b c�d="e�f" g="�" h="i�j"> ¦ "x"
        <a b="c&amp;d" e=f&lt;g h>x => <a b="c&d" e="f<g" h=""> ¦ "x"
        """#))
  func `a start tag has a name and attributes in lower case`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <a/>x => <a/> ¦ "x"
        <a />x => <a/> ¦ "x"
        <a/b/>x => <a b=""/> ¦ "x"
        <a / b>x => <a b=""> ¦ "x"
        <a/ >x => <a> ¦ "x"
        <a//>x => <a/> ¦ "x"
        <a b=c/>x => <a b="c/"> ¦ "x"
        <a b="c"/>x => <a b="c"/> ¦ "x"
        <a/><b> => <a/> ¦ <b>
        """#))
  func `a tag closes itself with a stroke directly before its end`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <p>x</p>y => <p> ¦ "x" ¦ </p> ¦ "y"
        </A b=c/>x => </a> ¦ "x"
        </z⏎>x => </z> ¦ "x"
        a</>b => "ab"
        a</> => "a"
        </ a>x => <!-- a--> ¦ "x"
        </1>x => <!--1--> ¦ "x"
        </?>x => <!--?--> ¦ "x"
        a</ => "a</"
        """#))
  func `an end tag begins with a letter`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        a< => "a<"
        < => "<"
        a<1>b => "a<1>b"
        a< b>c => "a< b>c"
        a<>b => "a<>b"
        a<<b>c => "a<" ¦ <b> ¦ "c"
        a<@b>c => "a<@b>c"
        a<[b>c => "a<[b>c"
        a<`b>c => "a<`b>c"
        a<{b>c => "a<{b>c"
        <a><z><A><Z> => <a> ¦ <z> ¦ <a> ¦ <z>
        a@b>c => "a@b>c"
        a␀b => "a" ¦ NUL ¦ "b"
        ␀␀ => NUL ¦ NUL
        """#))
  func `a sign without a letter after it is text`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(arguments: [
    "<a", "<abc", "<a ", "<a b", "<a b ", "<a b=", "<a b= ", "<a b=c", "<a b=\"", "<a b=\"c",
    "<a b=\"c\"", "<a b='c>d", "<a/", "<a b=&amp", "<a b=\"&amp", "<a b=\"␀", "</a", "</a b",
  ])
  func `a tag without an end is left out`(tag: String) {
    #expect(HTMLTokenText.tokens(of: tag) == "")
    #expect(HTMLTokenText.tokens(of: "x" + tag) == "\"x\"")
  }

  @Test(
    arguments: sides(
      of: #"""
        <!--a-->x => <!--a--> ¦ "x"
        <!---->x => <!----> ¦ "x"
        <!-->x => <!----> ¦ "x"
        <!--->x => <!----> ¦ "x"
        <!--a--!>x => <!--a--> ¦ "x"
        <!--a--!b-->x => <!--a--!b--> ¦ "x"
        <!--a--!-->x => <!--a--!--> ¦ "x"
        <!--a->b-->x => <!--a->b--> ¦ "x"
        <!--a-!>b-->x => <!--a-!>b--> ¦ "x"
        <!--a-b--c-->x => <!--a-b--c--> ¦ "x"
        <!--ab-->x => <!--ab--> ¦ "x"
        <!--a--->x => <!--a---> ¦ "x"
        <!---a-->x => <!---a--> ¦ "x"
        <!-- a > b -->x => <!-- a > b --> ¦ "x"
        <!--A␀B--><!--c--> => <!--A�B--> ¦ <!--c-->
        <!--a-->-->x => <!--a--> ¦ "-->x"
        """#))
  func `a comment ends with two dashes and a sign`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <!--a => <!--a-->
        <!--a- => <!--a-->
        <!--a-- => <!--a-->
        <!--a--! => <!--a-->
        <!--a--- => <!--a--->
        <!--a-b => <!--a-b-->
        <!-- => <!---->
        <!--- => <!---->
        <!---- => <!---->
        <!----! => <!---->
        <!--! => <!--!-->
        <!---! => <!---!-->
        <!--a-! => <!--a-!-->
        <!--a--> => <!--a-->
        """#))
  func `a comment without an end has the rest without its dashes`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }

  @Test(
    arguments: sides(
      of: #"""
        <!a>b => <!--a--> ¦ "b"
        <!>b => <!----> ¦ "b"
        <!-a-->b => <!---a----> ¦ "b"
        <!->b => <!-----> ¦ "b"
        <!a => <!--a-->
        <! => <!---->
        <!- => <!----->
        <?a b?>c => <!--?a b?--> ¦ "c"
        <? => <!--?-->
        <!a␀A>b => <!--a�A--> ¦ "b"
        <!doctyp>x => <!--doctyp--> ¦ "x"
        <!doctyp => <!--doctyp-->
        <!abcdefg>x => <!--abcdefg--> ¦ "x"
        <!d0ctype>x => <!--d0ctype--> ¦ "x"
        <![CDATA[a]]>b => <!--[CDATA[a]]--> ¦ "b"
        """#))
  func `other declarations are comments up to the next sign`(html: String, tokens: String) {
    #expect(HTMLTokenText.tokens(of: html) == tokens)
  }
}
