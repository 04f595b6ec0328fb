import Testing

@testable import ArchiverMarkup

/// Words, numbers and units in formulas.
struct LaTeXTextTests {
  @Test(
    arguments: sides(
      of: #"""
        \text{a{b}c} => <mtext>abc</mtext>
        \text x => <mtext>x</mtext>
        \text\alpha => <mtext>α</mtext>
        \text{a $x$ b} => <mrow><mtext>a~</mtext><mi>x</mi><mtext>~b</mtext></mrow>
        \text{$x$ $y$} => <mrow><mi>x</mi><mtext>~</mtext><mi>y</mi></mrow>
        \text{\(x+1\)} => <mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow>
        \makebox[2em]{x} => <mtext>x</mtext>
        \text{see \ref{a} b} => <mtext>see a b</mtext>
        \text{\eqref{a}b} => <mtext>(a)b</mtext>
        \text{\cite{x}} => <mtext>x</mtext>
        \text{\textcolor{red}{x}y} => <mtext>xy</mtext>
        \text{a\,b} => <mtext>a b</mtext>
        \text{a\!b} => <mtext>ab</mtext>
        \text{\'eb} => <mtext>éb</mtext>
        \text{\"{o}} => <mtext>ö</mtext>
        \text{a\alpha\sin\max} => <mtext>aαsinmax</mtext>
        \text{\bf{}a\large{}b} => <mtext>ab</mtext>
        \'{a} => <mtext>á</mtext>
        \operatorname{a{b}c}x => <mrow><mi>abc</mi><mi>x</mi></mrow>
        \operatorname{a\\b} => <mi>a b</mi>
        \operatorname{a_b^c&d} => <mi>a_b^c&amp;d</mi>
        \operatorname\alpha => <mi mathvariant="normal">α</mi>
        \operatorname xy => <mrow><mi mathvariant="normal">x</mi><mi>y</mi></mrow>
        \operatorname{foo}_a => <msub><mi>foo</mi><mi>a</mi></msub>
        \operatorname*{foo}_a => <munder><mo movablelimits="true">foo</mo><mi>a</mi></munder>
        \alpha* => <mrow><mi>α</mi><mo>∗</mo></mrow>
        \mod n => <mrow><mspace width="1em"></mspace><mi>mod</mi><mspace width="0.3em"></mspace><mi>n</mi></mrow>
        \pmod{n} => <mrow><mspace width="1em"></mspace><mrow><mo fence="true" stretchy="true">(</mo><mrow><mi>mod</mi><mspace width="0.3em"></mspace><mi>n</mi></mrow><mo fence="true" stretchy="true">)</mo></mrow></mrow>
        """#))
  func `words in a formula`(source: String, expected: String) {
    // A space at the edge of text does not break.
    #expect(mathContent(source) == expected.replacing("~", with: "\u{A0}"))
  }

  @Test(
    arguments: sides(
      of: #"""
        \char65 => <mtext>A</mtext>
        \char 65x => <mrow><mtext>A</mtext><mi>x</mi></mrow>
        \char65a => <mrow><mtext>A</mtext><mi>a</mi></mrow>
        \char"41 => <mtext>A</mtext>
        \char"4a => <mtext>J</mtext>
        \char'101 => <mtext>A</mtext>
        \char'1018 => <mrow><mtext>A</mtext><mn>8</mn></mrow>
        \char`A => <mtext>A</mtext>
        \char126 => <mtext>~</mtext>
        \unicode{x41} => <mtext>A</mtext>
        \unicode{U+1F600} => <mtext>😀</mtext>
        """#))
  func `a character by its number`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: lines(
      of: #"""
        \text{$x}
        \text{\nosuch}
        \text\frac
        \text{a
        \operatorname{a
        \operatorname\frac
        \operatorname_
        \char
        \char`
        \char`\alpha
        \char31
        \char127
        \char"110000
        \unicode{41}
        \unicode{x1F}
        \unicode{xD800}
        \unicode{xG}
        \unicode
        """#))
  func `words without an end and characters that are none make the formula unreadable`(
    source: String
  ) {
    #expect(LaTeXParser.parse(source) == nil)
  }

  @Test(
    arguments: sides(
      of: #"""
        \num{12} => <mn>12</mn>
        \num{ -1.5 } => <mrow><mo>−</mo><mn>1.5</mn></mrow>
        \num{+2} => <mrow><mo>+</mo><mn>2</mn></mrow>
        \num{1e3} => <mrow><mn>1</mn><mo>×</mo><msup><mn>10</mn><mn>3</mn></msup></mrow>
        \num{-1E-3} => <mrow><mrow><mo>−</mo><mn>1</mn></mrow><mo>×</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup></mrow>
        \num{e3} => <msup><mn>10</mn><mn>3</mn></msup>
        \ang{90} => <mrow><mn>90</mn><mi mathvariant="normal">°</mi></mrow>
        \SI[x]{2}{\meter} => <mrow><mn>2</mn><mspace width="0.1667em"></mspace><mi mathvariant="normal">m</mi></mrow>
        \qty{2}{\kilo\gram} => <mrow><mn>2</mn><mspace width="0.1667em"></mspace><mi>kg</mi></mrow>
        \unit[x]{\meter} => <mi mathvariant="normal">m</mi>
        \pu{5} => <mn>5</mn>
        \pu{5 } => <mn>5</mn>
        \pu{m} => <mi mathvariant="normal">m</mi>
        \pu{5 m} => <mrow><mn>5</mn><mspace width="0.1667em"></mspace><mi mathvariant="normal">m</mi></mrow>
        """#))
  func `a number with its unit`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        m => <mi mathvariant="normal">m</mi>
        kg m => <mrow><mi>kg</mi><mspace width="0.1667em"></mspace><mi mathvariant="normal">m</mi></mrow>
        kg.m => <mrow><mi>kg</mi><mspace width="0.1667em"></mspace><mi mathvariant="normal">m</mi></mrow>
        ms^{-2} => <msup><mi>ms</mi><mrow><mo>−</mo><mn>2</mn></mrow></msup>
        m^{99} => <msup><mi mathvariant="normal">m</mi><mn>99</mn></msup>
        m/s => <mrow><mi mathvariant="normal">m</mi><mo stretchy="false">/</mo><mspace width="0.1667em"></mspace><mi mathvariant="normal">s</mi></mrow>
        \square\meter => <msup><mi mathvariant="normal">m</mi><mn>2</mn></msup>
        \cubic\meter\second => <mrow><msup><mi mathvariant="normal">m</mi><mn>3</mn></msup><mspace width="0.1667em"></mspace><mi mathvariant="normal">s</mi></mrow>
        \per\square\meter => <msup><mi mathvariant="normal">m</mi><mrow><mo>−</mo><mn>2</mn></mrow></msup>
        \per\meter\second => <mrow><msup><mi mathvariant="normal">m</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup><mspace width="0.1667em"></mspace><mi mathvariant="normal">s</mi></mrow>
        \meter\squared => <msup><mi mathvariant="normal">m</mi><mn>2</mn></msup>
        \meter\cubed => <msup><mi mathvariant="normal">m</mi><mn>3</mn></msup>
        \per\meter\cubed => <msup><mi mathvariant="normal">m</mi><mrow><mo>−</mo><mn>3</mn></mrow></msup>
        \meter\tothe{99} => <msup><mi mathvariant="normal">m</mi><mn>99</mn></msup>
        \milli\meter\second => <mrow><mi>mm</mi><mspace width="0.1667em"></mspace><mi mathvariant="normal">s</mi></mrow>
        m\second => <mrow><mi mathvariant="normal">m</mi><mspace width="0.1667em"></mspace><mi mathvariant="normal">s</mi></mrow>
        \Omega => <mi mathvariant="normal">Ω</mi>
        """#))
  func `units, their prefixes and powers`(units: String, expected: String) {
    #expect(mathContent("\\si{\(units)}") == expected)
  }

  @Test(
    arguments: lines(
      of: #"""
        \num{x}
        \num{+}
        \num{}
        \num{1e2e3}
        \num{1e}
        \si{}
        \si{\nosuch}
        \si{m^{100}}
        \si{m^{-100}}
        \si{m^x}
        \si{^2}
        \si{m&}
        \si{\squared}
        \si{\meter\tothe{0}}
        \si{\meter\tothe{100}}
        \si{\meter\tothe{x}}
        """#))
  func `numbers and units without a meaning make the formula unreadable`(source: String) {
    #expect(LaTeXParser.parse(source) == nil)
  }
}
