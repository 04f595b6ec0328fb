import ArchiverTestKit
import Testing

@testable import ArchiverMarkup

/// Forms of LaTeX beyond plain symbols and fractions.
@Suite struct LaTeXFormTests {
  private func mathML(_ source: String) -> String? {
    var html = HTMLWriter()
    guard MathMLWriter.write(source, isBlock: false, to: &html) else { return nil }
    let text = String(decoding: html.bytes, as: UTF8.self)
    return text.firstIndex(of: ">").map { String(text[text.index(after: $0)...].dropLast(7)) }
  }

  private static let common = #"""
    \def\foo{x^2} \foo + \foo
    \newcommand{\RR}{\mathbb{R}} x \in \RR
    \newcommand{\norm}[1]{\lVert #1 \rVert} \norm{x}
    \ce{H2O}
    \ce{2H2 + O2 -> 2H2O}
    \xLeftrightarrow{x} y
    \xRightarrow{x} y
    \bra{\psi}
    \ket{\psi}
    \braket{\phi|\psi}
    a \\ b
    \large x
    \hspace{1cm} x
    \rule{1em}{1em} x
    \Updownarrow x
    \Set{x|x<5}
    \begin{dcases} a & b \\ c & d \end{dcases}
    \begin{CD} A @>a>> B \end{CD}
    \bcancel{x}
    \xcancel{x}
    \sout{x}
    \utilde{x}
    \llap{x} y
    \intop x
    \eth x
    \sqsubset x
    \circledR x
    \maltese x
    \ulcorner x
    \llbracket x \rrbracket
    \begin{array}{|c|c:c|} \hline a & b & c \\ \hdashline d & e & f \end{array}
    \injlim x
    \genfrac{(}{)}{0pt}{}{n}{k}
    \href{https://example.org}{x}
    \verb|x^2|
    \raisebox{0.25em}{a} b
    \'{a}
    \text{\'a}
    a \newline b
    \TeX
    \let\foo=\alpha \foo
    \begin{alignedat}{2} 10&x+&3&y=2 \end{alignedat}
    \fcolorbox{red}{yellow}{A}
    \lt
    \gt
    \infin
    \empty
    \real
    \plusmn
    \sdot
    \lang x \rang
    \exist x
    \isin x
    \sub x
    \sube x
    \Alpha
    \Beta
    \thetasym
    \weierp
    \clubs
    \hearts
    \rarr
    \rArr
    \harr
    \lrarr
    \larr
    \uarr
    \darr
    \And
    \bull
    \alef
    \image
    \cnums
    """#

  @Test(arguments: common.split(separator: "\n").map(String.init))
  func `is drawn`(source: String) throws {
    #expect(LaTeXParser.parse(source) != nil)
  }

  @Test(arguments: [
    (#"\cancel{x}"#, #"<mrow class="math-strike-up"><mi>x</mi></mrow>"#),
    (#"\xcancel{x}"#, #"<mrow class="math-strike-up math-strike-down"><mi>x</mi></mrow>"#),
    (#"\boxed{x}"#, #"<mrow class="math-box"><mi>x</mi></mrow>"#),
    (#"\textcolor{red}{x}y"#, #"<mrow><mrow class="ink-red"><mi>x</mi></mrow><mi>y</mi></mrow>"#),
    (
      #"a\color{#00f}b c"#,
      #"<mrow><mi>a</mi><mrow class="ink-blue"><mrow><mi>b</mi><mi>c</mi></mrow></mrow></mrow>"#
    ),
    (#"\colorbox{yellow}{x}"#, #"<mrow class="tint-yellow"><mtext>x</mtext></mrow>"#),
    (
      #"x\tag{1}"#,
      #"<mrow><mrow><mi>x</mi><mrow></mrow></mrow><mspace width="2em"></mspace><mtext>(1)</mtext></mrow>"#
    ),
    (
      #"\begin{matrix*}[r]a\end{matrix*}"#,
      #"<mtable columnalign="right"><mtr><mtd class="math-right"><mi>a</mi></mtd></mtr></mtable>"#
    ),
    (
      #"\begin{array}{c|c}\hline a&b\end{array}"#,
      #"<mtable columnalign="center center"><mtr><mtd class="math-line-above"><mi>a</mi></mtd>"#
        + #"<mtd class="math-line-above math-line-before"><mi>b</mi></mtd></mtr></mtable>"#
    ),
    (
      #"\newcommand{\two}[2][x]{#1+#2}\two y\two[a]b"#,
      "<mrow><mi>x</mi><mo>+</mo><mi>y</mi><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
    ),
    (
      #"\ce{SO4^2-}"#,
      "<msubsup><mi>SO</mi><mn>4</mn><mrow><mn>2</mn><mo>−</mo></mrow></msubsup>"
    ),
    (
      #"\ce{1/2}"#,
      #"<mstyle displaystyle="false"><mfrac><mn>1</mn><mn>2</mn></mfrac></mstyle>"#
    ),
    (#"\text{\textcolor{red}{x}}"#, "<mtext>x</mtext>"),
    (#"\text{\ref{ab} \eqref{cd}}"#, "<mtext>ab (cd)</mtext>"),
    (#"\si{\meter}"#, #"<mi mathvariant="normal">m</mi>"#),
    (#"\ce{Na+}"#, "<msup><mi>Na</mi><mo>+</mo></msup>"),
    (
      #"\SI{9.8}{\meter\per\second\squared}"#,
      #"<mrow><mn>9.8</mn><mspace width="0.1667em"></mspace><mrow><mi mathvariant="normal">m</mi>"#
        + #"<mspace width="0.1667em"></mspace><msup><mi mathvariant="normal">s</mi><mrow><mo>−</mo>"#
        + "<mn>2</mn></mrow></msup></mrow></mrow>"
    ),
    ("$x$", "<mi>x</mi>"), (#"{\bf ab}c"#, #"<mrow><mi>𝐚𝐛</mi><mi>c</mi></mrow>"#),
    (#"\text{if $x$}"#, "<mrow><mtext>if\u{A0}</mtext><mi>x</mi></mrow>"),
    (
      #"a\hspace{18mu}"#, #"<mrow><mi>a</mi><mspace width="1em"></mspace></mrow>"#
    ),
    (
      #"\begin{CD}A @>f>{g>}> B\end{CD}"#,
      #"<mtable columnalign="center center center"><mtr><mtd><mi>A</mi></mtd><mtd><munderover>"#
        + #"<mo stretchy="true" minsize="2em">→</mo><mrow><mspace width="0.5em"></mspace><mrow>"#
        + #"<mi>g</mi><mo>&gt;</mo></mrow><mspace width="0.5em"></mspace></mrow><mrow>"#
        + #"<mspace width="0.5em"></mspace><mi>f</mi><mspace width="0.5em"></mspace></mrow>"#
        + "</munderover></mtd><mtd><mi>B</mi></mtd></mtr></mtable>"
    ),
    (
      #"\begin{CD}A\\ @VfV{V}V \end{CD}"#,
      #"<mtable columnalign="center"><mtr><mtd><mi>A</mi></mtd></mtr><mtr><mtd><mrow>"#
        + #"<mstyle mathsize="0.7em"><mi>f</mi></mstyle>"#
        + #"<mo stretchy="true" minsize="1.8em" maxsize="1.8em">↓</mo>"#
        + #"<mstyle mathsize="0.7em"><mi>V</mi></mstyle></mrow></mtd></mtr></mtable>"#
    ),
    (#"\not\exists"#, #"<mi mathvariant="normal">∄</mi>"#),
  ])
  func `keeps its meaning`(source: String, expected: String) throws {
    #expect(mathML(source) == expected)
    let html = "<p><math>\(expected)</math></p>"
    #expect(try canonical(html) == html, "not the same when it is sanitised")
  }

  @Test(arguments: [
    #"\def\x{\x\x}\x"#, #"\def\x{a\x}\x"#, #"\newcommand{\x}[1]{#1#1}\x{\x{\x{\x"#, #"\def\x#1{"#,
    #"\let"#, #"\newcommand{\x}[99]{}"#, #"\hspace{99999999em}"#, #"\hspace{1furlong}"#,
    #"\begin{array}{*{99999}{c}}a\end{array}"#, #"\begin{array}{*{50}{*{50}{c}}}a\end{array}"#,
    #"\char"1"#, #"\char99999999999"#, #"\unicode{x0}"#, #"\begin{CD}A @"#, #"\verb|x"#,
    #"\includegraphics{x.png}"#, #"\ce{"#, #"\SI{1}{\furlong}"#, #"\rule{1em}"#, #"\bbox[red"#,
  ])
  func `shows as source what has no end or no meaning`(source: String) {
    #expect(LaTeXParser.parse(source) == nil)
  }

  @Test func `macros that multiply take a bounded time`() throws {
    var source = #"\def\a{x}"#
    for letter in "bcdefghijklmnopqrstuvwxyz" {
      let before = Character(Unicode.Scalar(letter.asciiValue.map { $0 - 1 } ?? 0))
      source += #"\def\"# + "\(letter){" + String(repeating: #"\"# + "\(before) ", count: 9) + "}"
    }
    let time = processorTime { #expect(LaTeXParser.parse(source + #"\z"#) == nil) }
    #expect(time < .seconds(5), "\(time)")
  }

  @Test func `text in a diagram keeps its spaces`() {
    #expect(
      mathML(#"\begin{CD} \text{a b} @>>> C \end{CD}"#)?.contains("<mtext>a b</mtext>") == true)
  }

  @Test func `MathML of others keeps its marks, colours and alignment as classes`() throws {
    #expect(
      try canonical(
        "<math><menclose notation='updiagonalstrike box'><mi mathcolor=red>x</mi></menclose></math>"
      )
        == #"<math><mrow class="math-strike-up math-box"><mi class="ink-red">x</mi></mrow></math>"#)
    #expect(
      try canonical(
        "<math><mtable columnalign='right left'><mtr><mtd>a</mtd><mtd>b</mtd></mtr></mtable></math>"
      )
        == #"<math><mtable columnalign="right left"><mtr><mtd class="math-right"><mtext>a</mtext></mtd>"#
        + #"<mtd class="math-left"><mtext>b</mtext></mtd></mtr></mtable></math>"#)
    #expect(
      try canonical("<math><mi class='evil math-box math-box'>x</mi></math>")
        == #"<math><mi class="math-box">x</mi></math>"#)
  }

  @Test(arguments: [
    (#"\si{\newton\meter}"#, ["N", "m"]), (#"\si{\kilo\gram\meter}"#, ["kg", "m"]),
    (#"\SI{2}{\volt\ampere\second}"#, ["2", "V", "A", "s"]),
  ])
  func `every unit of a product is shown`(source: String, parts: [String]) throws {
    let formula = try #require(mathML(source))
    for part in parts { #expect(formula.contains(">\(part)<"), "\(formula)") }
  }
}
