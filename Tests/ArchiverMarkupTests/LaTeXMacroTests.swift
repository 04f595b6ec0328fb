import Testing

@testable import ArchiverMarkup

/// Macros, comments, dollar signs and limits of formulas.
struct LaTeXMacroTests {
  @Test(
    arguments: sides(
      of: #"""
        \def\f#1#2{#2#1}\f ab => ba
        \def\f#1{#1}\f{{a}b} => ab
        \def\f#1{#1#2}\f a => a#2
        \def\f#1{#0#1}\f a => #0a
        \def\f{a#}\f => a#
        \def\f#1#2#3#4#5#6#7#8#9{#9}\f abcdefghi => i
        \newcommand\f{x}\f => x
        \newcommand{ \f }{x}\f => x
        \newcommand{\f}[1][x]{#1y}\f\f[z] => xyzy
        \newcommand{\f}[1][{]}]{#1}\f => ]
        \newcommand{\f}{a}\newcommand{\f}{b}\f => b
        \providecommand{\f}{a}\providecommand{\f}{b}\f => a
        \let\a=b\a => b
        \let\a = b\a => b
        \let\a b\a => b
        \def\f{x}\let\g\f\def\f{y}\g\f => xy
        \global\def\f{x}\f => x
        a%b⏎c => ac
        """#))
  func `a macro stands for its body`(source: String, letters: String) throws {
    let content = try #require(mathContent(source))
    #expect(content.replacing(/<[^>]*>/, with: "") == letters)
  }

  @Test(
    arguments: sides(
      of: #"""
        \DeclareMathOperator{\foo}{foo}\foo_a => <msub><mi>foo</mi><mi>a</mi></msub>
        \DeclareMathOperator*{\foo}{foo}\foo_a => <munder><mo movablelimits="true">foo</mo><mi>a</mi></munder>
        a~b => <mrow><mi>a</mi><mspace width="0.25em"></mspace><mi>b</mi></mrow>
        a\ b => <mrow><mi>a</mi><mspace width="0.25em"></mspace><mi>b</mi></mrow>
        a\⏎b => <mrow><mi>a</mi><mspace width="0.25em"></mspace><mi>b</mi></mrow>
        $$x$$ => <mi>x</mi>
         $ x $  => <mi>x</mi>
        $$$x$$$ => <mrow><mo>$</mo><mo>$</mo><mo>$</mo><mi>x</mi><mo>$</mo><mo>$</mo><mo>$</mo></mrow>
        $x => <mrow><mo>$</mo><mi>x</mi></mrow>
        $$x$ => <mrow><mo>$</mo><mo>$</mo><mi>x</mi><mo>$</mo></mrow>
        $x$y$ => <mrow><mo>$</mo><mi>x</mi><mo>$</mo><mi>y</mi><mo>$</mo></mrow>
        """#))
  func `operators are defined, spaces kept, dollar signs around all removed`(
    source: String, expected: String
  ) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: lines(
      of: #"""
        \def\f#2{x}\f a
        \def\f#1#2#3#4#5#6#7#8#9#0{x}\f abcdefghij
        \def\f x
        \newcommand{\f}[0][x]{a}\f
        \newcommand{\f}[a]{a}\f
        \newcommand{\f}[12]{a}\f
        \newcommand{ab}{x}
        \newcommand{a}{x}
        \def\f#1{x}\f
        """#))
  func `a wrong definition makes the formula unreadable`(source: String) {
    #expect(LaTeXParser.parse(source) == nil)
  }

  @Test func `a formula has at most 2000 expansions`() {
    func calls(_ count: Int) -> MathNode? {
      LaTeXParser.parse(#"\def\f{}"# + String(repeating: #"\f"#, count: count))
    }
    #expect(calls(2_000) != nil)
    #expect(calls(2_001) == nil)
  }

  @Test func `a formula has at most 20000 bytes`() {
    func formula(_ count: Int) -> String { "x%" + String(repeating: "a", count: count - 2) }
    #expect(LaTeXParser.parse(formula(20_000)) == .identifier("x"))
    #expect(LaTeXParser.parse(formula(20_001)) == nil)
  }

  @Test func `a formula has at most 24 levels`() {
    func nested(_ count: Int) -> MathNode? {
      LaTeXParser.parse(
        String(repeating: "{", count: count) + "x" + String(repeating: "}", count: count))
    }
    #expect(nested(23) != nil)
    #expect(nested(24) == nil)
  }

  @Test(
    arguments: sides(
      of: #"""
        \alpha_1^{2}&x\\ => \alpha _1^{2}&x\\
        \,a  b => \,a b
        a%b => a
        \verb|x^2|y => x^2y
        \alpha x => \alpha  x
        \operatorname*{a} => \operatorname*{a}
        """#))
  func `tokens have a source`(source: String, text: String) {
    #expect(LaTeXScanner.text(LaTeXScanner.tokens(source)) == text)
  }
}
