import Testing

@testable import ArchiverMarkup

/// What each command of LaTeX draws.
struct LaTeXCommandTests {
  @Test(
    arguments: sides(
      of: #"""
        \nicefrac12 => <mfrac><mn>1</mn><mn>2</mn></mfrac>
        \frac123 => <mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mn>3</mn></mrow>
        \cfrac[l]{a}{b} => <mstyle displaystyle="true"><mfrac><mi>a</mi><mi>b</mi></mfrac></mstyle>
        \dfrac ab => <mstyle displaystyle="true"><mfrac><mi>a</mi><mi>b</mi></mfrac></mstyle>
        \tfrac ab => <mstyle displaystyle="false"><mfrac><mi>a</mi><mi>b</mi></mfrac></mstyle>
        a\over b => <mfrac><mrow><mi>a</mi></mrow><mi>b</mi></mfrac>
        a\atop b => <mfrac linethickness="0"><mrow><mi>a</mi></mrow><mi>b</mi></mfrac>
        a\above2pt b => <mfrac linethickness="2pt"><mrow><mi>a</mi></mrow><mi>b</mi></mfrac>
        a\brack b => <mrow><mo fence="true" stretchy="true">[</mo><mfrac linethickness="0"><mrow><mi>a</mi></mrow><mi>b</mi></mfrac><mo fence="true" stretchy="true">]</mo></mrow>
        \genfrac{(}{]}{2pt}{0}{n}{k} => <mstyle displaystyle="true"><mrow><mo fence="true" stretchy="true">(</mo><mfrac linethickness="2pt"><mi>n</mi><mi>k</mi></mfrac><mo fence="true" stretchy="true">]</mo></mrow></mstyle>
        \genfrac{}{}{}{1}{n}{k} => <mstyle displaystyle="false"><mfrac><mi>n</mi><mi>k</mi></mfrac></mstyle>
        \genfrac{ ( }{}{0pt}{}{n}{k} => <mrow><mo fence="true" stretchy="true">(</mo><mfrac linethickness="0pt"><mi>n</mi><mi>k</mi></mfrac><mrow></mrow></mrow>
        \genfrac({]}{}{}nk => <mrow><mo fence="true" stretchy="true">(</mo><mfrac><mi>n</mi><mi>k</mi></mfrac><mo fence="true" stretchy="true">]</mo></mrow>
        \root 3 \of x => <mroot><mi>x</mi><mrow><mn>3</mn></mrow></mroot>
        \root n+1 \of x => <mroot><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></mroot>
        \sqrt[n+1]{x} => <mroot><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></mroot>
        \sqrt[ n ]x => <mroot><mi>x</mi><mi>n</mi></mroot>
        """#))
  func `fractions and roots`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \fbox{a b} => <mrow class="math-box"><mtext>a b</mtext></mrow>
        \bcancel x => <mrow class="math-strike-down"><mi>x</mi></mrow>
        \sout x => <mrow class="math-strike-across"><mi>x</mi></mrow>
        \cancelto{0}{x} => <msup><mrow class="math-strike-up"><mi>x</mi></mrow><mn>0</mn></msup>
        \angln => <mrow class="math-line-above math-line-after"><mi>n</mi></mrow>
        \angl{7} => <mrow class="math-line-above math-line-after"><mn>7</mn></mrow>
        \phase{x} => <mrow><mo stretchy="false">∠</mo><mrow class="math-line-below"><mi>x</mi></mrow></mrow>
        \enclose{circle,box}{x} => <mrow class="math-circle math-box"><mi>x</mi></mrow>
        \textcolor{black}{x} => <mi>x</mi>
        \colorbox{white}{A} => <mtext>A</mtext>
        \fcolorbox{red}{yellow}{A} => <mrow class="math-box tint-yellow"><mtext>A</mtext></mrow>
        \fcolorbox{red}{white}{A} => <mrow class="math-box"><mtext>A</mtext></mrow>
        \bbox[yellow, 2pt, border: 1px solid]{x} => <mrow class="math-box tint-yellow"><mi>x</mi></mrow>
        \bbox[red, yellow]{x} => <mrow class="tint-red"><mi>x</mi></mrow>
        \bbox[2pt]{x} => <mi>x</mi>
        \bbox{x} => <mi>x</mi>
        \color[HTML]{FF0000}x => <mrow class="ink-red"><mi>x</mi></mrow>
        \color[RGB]{0,128,0}x => <mrow class="ink-green"><mi>x</mi></mrow>
        \color[rgb]{0,0,1}x => <mrow class="ink-blue"><mi>x</mi></mrow>
        \color[rgb]{0.32,0,0}x => <mrow class="ink-red"><mi>x</mi></mrow>
        \color[rgb]{0.31,0,0}x => <mi>x</mi>
        \color[gray]{0.5}x => <mi>x</mi>
        """#))
  func `boxes, strokes and colours`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \overset{a}{b} => <mover><mi>b</mi><mi>a</mi></mover>
        \underset{a}{b} => <munder><mi>b</mi><mi>a</mi></munder>
        \overunderset{a}{b}{c} => <munderover><mi>c</mi><mi>b</mi><mi>a</mi></munderover>
        \xrightarrow{a} => <mover><mo stretchy="true" minsize="2em">→</mo><mrow><mspace width="0.5em"></mspace><mi>a</mi><mspace width="0.5em"></mspace></mrow></mover>
        \xleftarrow[b]{a} => <munderover><mo stretchy="true" minsize="2em">←</mo><mrow><mspace width="0.5em"></mspace><mi>b</mi><mspace width="0.5em"></mspace></mrow><mrow><mspace width="0.5em"></mspace><mi>a</mi><mspace width="0.5em"></mspace></mrow></munderover>
        \mathop{x}_a => <munder><mi>x</mi><mi>a</mi></munder>
        \sum\nolimits_a => <msub><mo movablelimits="true">∑</mo><mi>a</mi></msub>
        \int\limits_a => <munder><mo>∫</mo><mi>a</mi></munder>
        \underbrace{a}_b => <munder><munder accentunder="true"><mi>a</mi><mo stretchy="true" class="math-wide-brace">⏟</mo></munder><mi>b</mi></munder>
        \widehat{a}_b => <msub><mover accent="true"><mi>a</mi><mo stretchy="true" class="math-wide-hat">^</mo></mover><mi>b</mi></msub>
        f'' => <msup><mi>f</mi><mo>′′</mo></msup>
        f'^2 => <msup><mi>f</mi><mrow><mo>′</mo><mn>2</mn></mrow></msup>
        _a => <msub><mrow></mrow><mi>a</mi></msub>
        a _b ^c => <msubsup><mi>a</mi><mi>b</mi><mi>c</mi></msubsup>
        a^12 => <mrow><msup><mi>a</mi><mn>1</mn></msup><mn>2</mn></mrow>
        \substack{a\\b} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable>
        """#))
  func `what is above and below`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \mathrel{x} => <mi>x</mi>
        \smash[b]{x} => <mi>x</mi>
        \htmlClass{a b}{x} => <mi>x</mi>
        \mathchoice{a}{b}{c}{d} => <mi>b</mi>
        \label{a}x => <mrow><mrow></mrow><mi>x</mi></mrow>
        \tag*{A}x => <mrow><mrow><mrow></mrow><mi>x</mi></mrow><mspace width="2em"></mspace><mtext>A</mtext></mrow>
        \ref{a} => <mtext>a</mtext>
        \eqref{a} => <mtext>(a)</mtext>
        \href{https://example.org/a_b}{x} => <mrow><mi>x</mi><mtext> (https://example.org/a_b)</mtext></mrow>
        \url{a{b}_c} => <mtext>a{b}_c</mtext>
        \verb*|x^2| => <mtext>x^2</mtext>
        \not\in => <mo>∉</mo>
        \not\to => <mo>↛</mo>
        \not a => <mi>a̸</mi>
        \not\infty => <mi mathvariant="normal">∞̸</mi>
        a\nonumber => <mrow><mi>a</mi><mrow></mrow></mrow>
        \displaystyle a => <mstyle displaystyle="true"><mi>a</mi></mstyle>
        \textstyle a => <mstyle displaystyle="false"><mi>a</mi></mstyle>
        a\large x => <mrow><mi>a</mi><mstyle mathsize="1.2em"><mi>x</mi></mstyle></mrow>
        """#))
  func `commands for layout`(source: String, expected: String) {
    // A space at the edge of text does not break.
    #expect(mathContent(source) == expected.replacing("<mtext> ", with: "<mtext>\u{A0}"))
  }

  @Test(
    arguments: sides(
      of: #"""
        .5 => <mn>.5</mn>
        .a => <mrow><mo>.</mo><mi>a</mi></mrow>
        1.2.3 => <mn>1.2.3</mn>
        a*b => <mrow><mi>a</mi><mo>∗</mo><mi>b</mi></mrow>
        'a => <mrow><mo>′</mo><mi>a</mi></mrow>
        |a| => <mrow><mo stretchy="false">|</mo><mi>a</mi><mo stretchy="false">|</mo></mrow>
        \big( => <mo stretchy="true" minsize="1.2em" maxsize="1.2em">(</mo>
        \left.a\right| => <mrow><mrow></mrow><mi>a</mi><mo fence="true" stretchy="true">|</mo></mrow>
        \left<a\right> => <mrow><mo fence="true" stretchy="true">⟨</mo><mi>a</mi><mo fence="true" stretchy="true">⟩</mo></mrow>
        \left\lt a\right\gt => <mrow><mo fence="true" stretchy="true">⟨</mo><mi>a</mi><mo fence="true" stretchy="true">⟩</mo></mrow>
        \left(a\middle|b\right) => <mrow><mo fence="true" stretchy="true">(</mo><mi>a</mi><mo fence="true" stretchy="true">|</mo><mi>b</mi><mo fence="true" stretchy="true">)</mo></mrow>
        """#))
  func `characters and brackets`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \hspace{1000em} => 1000em
        \hspace{-1000em} => -1000em
        \hspace{.5em} => 0.5em
        \hspace{1.23456em} => 1.2346em
        \hspace{ 9 mu } => 0.5em
        \hspace{36mu} => 2em
        \hspace{0} => 0em
        \hspace{2bp} => 2pt
        \hspace*{3px} => 3px
        \kern1.5em => 1.5em
        \mkern 18 mu => 1em
        """#))
  func `a length is written in CSS`(source: String, width: String) {
    #expect(mathContent(source) == "<mspace width=\"\(width)\"></mspace>")
  }

  @Test(
    arguments: sides(
      of: #"""
        \kern1emx => <mrow><mspace width="1em"></mspace><mi>x</mi></mrow>
        \vspace{1cm}x => <mrow><mrow></mrow><mi>x</mi></mrow>
        \rule{2em}{3em} => <mrow class="math-rule"><mspace width="2em" height="3em" depth="0"></mspace></mrow>
        \rule[1em]{2em}{3em} => <mrow class="math-rule"><mspace width="2em" height="4em" depth="-1em"></mspace></mrow>
        \rule[1px]{2em}{3em} => <mrow class="math-rule"><mspace width="2em" height="3em" depth="-1px"></mspace></mrow>
        \raisebox{0.25em}{a} => <mpadded voffset="0.25em"><mtext>a</mtext></mpadded>
        \phantom{x} => <mphantom><mi>x</mi></mphantom>
        \hphantom{x} => <mpadded height="0" depth="0"><mphantom><mi>x</mi></mphantom></mpadded>
        \vphantom{x} => <mpadded width="0"><mphantom><mi>x</mi></mphantom></mpadded>
        """#))
  func `spaces and rules`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: lines(
      of: #"""
        \root 3 x
        \enclose{none}{x}
        \color[rgb]{0,0,1.1}x
        \color[rgb]{0,0}x
        \color[rgb]{0,0,0,1}x
        \substack a
        \substack{a
        \not{ab}
        \u{a}
        \hspace{1001em}
        \hspace{-1001em}
        \hspace{1}
        \kern1e
        \genfrac{(x}{)}{}{}{n}{k}
        \left\alpha a\right)
        \sqrt[n x
        a_b_c
        \url a
        \url{a
        a\
        """#))
  func `a command with a wrong argument makes the formula unreadable`(source: String) {
    #expect(LaTeXParser.parse(source) == nil)
  }

  @Test(
    arguments: [
      ("mathbf", "AZaz09", "𝐀𝐙𝐚𝐳𝟎𝟗"), ("mathbf", "ΑΩαω", "𝚨𝛀𝛂𝛚"), ("boldsymbol", "ΑΩαω", "𝜜𝜴𝜶𝝎"),
      ("boldsymbol", "AZaz09", "𝑨𝒁𝒂𝒛𝟎𝟗"), ("mathbb", "AZaz09", "𝔸ℤ𝕒𝕫𝟘𝟡"),
      ("mathcal", "ABaz09", "𝒜ℬ𝒶𝓏09"), ("mathfrak", "AZaz", "𝔄ℨ𝔞𝔷"),
      ("mathsf", "AZaz09", "𝖠𝖹𝖺𝗓𝟢𝟫"), ("mathtt", "AZaz09", "𝙰𝚉𝚊𝚣𝟶𝟿"),
      ("mathit", "AZahz0", "𝐴𝑍𝑎ℎ𝑧0"), ("mathsf", "@[`{/:αé", "@[`{/:αé"),
    ])
  func `letters are those of Unicode's alphabets`(
    name: String, plain: String, expected: String
  ) throws {
    let alphabet = try #require(MathAlphabet(rawValue: name))
    #expect(String(plain.map(alphabet.character)) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \mathbf{a^2} => <msup><mi mathvariant="normal">𝐚</mi><mn>𝟐</mn></msup>
        \mathbf{a_b} => <msub><mi mathvariant="normal">𝐚</mi><mi mathvariant="normal">𝐛</mi></msub>
        \mathbf{\frac ab} => <mfrac><mi mathvariant="normal">𝐚</mi><mi mathvariant="normal">𝐛</mi></mfrac>
        \mathbf{\sqrt[3]a} => <mroot><mi mathvariant="normal">𝐚</mi><mn>𝟑</mn></mroot>
        \mathbf{\hat a} => <mover accent="true"><mi mathvariant="normal">𝐚</mi><mo stretchy="false">^</mo></mover>
        \mathbf{\overset ab} => <mover><mi mathvariant="normal">𝐛</mi><mi mathvariant="normal">𝐚</mi></mover>
        \mathbf{\underset ab} => <munder><mi mathvariant="normal">𝐛</mi><mi mathvariant="normal">𝐚</mi></munder>
        \mathbf{\sin} => <mi>sin</mi>
        \mathbf{\Omega} => <mi mathvariant="normal">𝛀</mi>
        \mathrm{a+b} => <mrow><mi mathvariant="normal">a</mi><mo>+</mo><mi mathvariant="normal">b</mi></mrow>
        \mathrm{ab+c} => <mrow><mi>ab</mi><mo>+</mo><mi mathvariant="normal">c</mi></mrow>
        a\bf b => <mrow><mi>a</mi><mi mathvariant="normal">𝐛</mi></mrow>
        """#))
  func `an alphabet applies to all letters of its argument`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }
}
