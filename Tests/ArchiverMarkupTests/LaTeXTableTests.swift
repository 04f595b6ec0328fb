import Testing

@testable import ArchiverMarkup

/// Rows and columns of formulas: `\begin{…}`, lines, numbers of lines, diagrams.
struct LaTeXTableTests {
  @Test(
    arguments: sides(
      of: #"""
        \begin{matrix}a\\\end{matrix} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr></mtable>
        \begin{matrix}\end{matrix} => <mtable columnalign="center"><mtr><mtd><mrow></mrow></mtd></mtr></mtable>
        \begin{matrix}a\\[2em]b\end{matrix} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable>
        \begin{matrix}a\cr b\end{matrix} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable>
        \begin{matrix*}[ l ]a\end{matrix*} => <mtable columnalign="left"><mtr><mtd class="math-left"><mi>a</mi></mtd></mtr></mtable>
        \begin{matrix*}[x]a\end{matrix*} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr></mtable>
        \begin{bmatrix*}[r]a\end{bmatrix*} => <mrow><mo fence="true" stretchy="true">[</mo><mtable columnalign="right"><mtr><mtd class="math-right"><mi>a</mi></mtd></mtr></mtable><mo fence="true" stretchy="true">]</mo></mrow>
        \begin{smallmatrix}a\end{smallmatrix} => <mstyle mathsize="0.7em"><mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr></mtable></mstyle>
        \begin{cases}a\end{cases} => <mrow><mo fence="true" stretchy="true">{</mo><mtable columnalign="left"><mtr><mtd class="math-left"><mi>a</mi></mtd></mtr></mtable><mrow></mrow></mrow>
        \begin{aligned}[t]a\end{aligned} => <mtable columnalign="right" displaystyle="true"><mtr><mtd class="math-right"><mi>a</mi></mtd></mtr></mtable>
        \begin{alignat}{2}a&b\end{alignat} => <mtable columnalign="right left" displaystyle="true"><mtr><mtd class="math-right"><mi>a</mi></mtd><mtd class="math-left"><mi>b</mi></mtd></mtr></mtable>
        \begin{alignedat}{2}a\end{alignedat} => <mtable columnalign="right" displaystyle="true"><mtr><mtd class="math-right"><mi>a</mi></mtd></mtr></mtable>
        \begin{align*}a&b&c\end{align*} => <mtable columnalign="right left right" displaystyle="true"><mtr><mtd class="math-right"><mi>a</mi></mtd><mtd class="math-left"><mi>b</mi></mtd><mtd class="math-right"><mi>c</mi></mtd></mtr></mtable>
        a\\b => <mtable columnalign="left"><mtr><mtd class="math-left"><mi>a</mi></mtd></mtr><mtr><mtd class="math-left"><mi>b</mi></mtd></mtr></mtable>
        """#))
  func `rows and their alignment`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \begin{array}{lrc}a&b&c\end{array} => <mtable columnalign="left right center"><mtr><mtd class="math-left"><mi>a</mi></mtd><mtd class="math-right"><mi>b</mi></mtd><mtd><mi>c</mi></mtd></mtr></mtable>
        \begin{array}[t]{ c r }a&b\end{array} => <mtable columnalign="center right"><mtr><mtd><mi>a</mi></mtd><mtd class="math-right"><mi>b</mi></mtd></mtr></mtable>
        \begin{array}{p{2cm}c}a&b\end{array} => <mtable columnalign="left center"><mtr><mtd class="math-left"><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>
        \begin{array}{@{a{b}c}r@{}}a\end{array} => <mtable columnalign="right"><mtr><mtd class="math-right"><mi>a</mi></mtd></mtr></mtable>
        \begin{array}{*{2}{r}c}a&b&c\end{array} => <mtable columnalign="right right center"><mtr><mtd class="math-right"><mi>a</mi></mtd><mtd class="math-right"><mi>b</mi></mtd><mtd><mi>c</mi></mtd></mtr></mtable>
        \begin{array}{c}a\\\hline\end{array} => <mtable columnalign="center"><mtr><mtd class="math-line-below"><mi>a</mi></mtd></mtr></mtable>
        \begin{array}{c}a\\\hline b\end{array} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd class="math-line-above"><mi>b</mi></mtd></mtr></mtable>
        \begin{array}{c:c}\hdashline a&b\\\hdashline\end{array} => <mtable columnalign="center center"><mtr><mtd class="math-dash-above math-dash-below"><mi>a</mi></mtd><mtd class="math-dash-above math-dash-below math-dash-before"><mi>b</mi></mtd></mtr></mtable>
        \begin{array}{|c|}a\end{array} => <mtable columnalign="center"><mtr><mtd class="math-line-before math-line-after"><mi>a</mi></mtd></mtr></mtable>
        \begin{array}{c:}a\end{array} => <mtable columnalign="center"><mtr><mtd class="math-dash-after"><mi>a</mi></mtd></mtr></mtable>
        \begin{array}{|c|c|}a\\b&c\end{array} => <mtable columnalign="center center"><mtr><mtd class="math-line-before"><mi>a</mi></mtd><mtd class="math-line-before math-line-after"></mtd></mtr><mtr><mtd class="math-line-before"><mi>b</mi></mtd><mtd class="math-line-before math-line-after"><mi>c</mi></mtd></mtr></mtable>
        \begin{array}{cc}a\\b&c\end{array} => <mtable columnalign="center center"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd><mtd><mi>c</mi></mtd></mtr></mtable>
        \begin{array}{}a\end{array} => <mtable columnalign="center"><mtr><mtd><mi>a</mi></mtd></mtr></mtable>
        """#))
  func `columns and the lines between them`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        a\tag{1}\\b => <mtable columnalign="left left"><mtr><mtd class="math-left"><mrow><mi>a</mi><mrow></mrow></mrow></mtd><mtd class="math-left"><mrow><mspace width="2em"></mspace><mtext>(1)</mtext></mrow></mtd></mtr><mtr><mtd class="math-left"><mi>b</mi></mtd></mtr></mtable>
        \begin{align}a&=b\\c\tag{2}\end{align} => <mtable columnalign="right left right" displaystyle="true"><mtr><mtd class="math-right"><mi>a</mi></mtd><mtd class="math-left"><mrow><mo>=</mo><mi>b</mi></mrow></mtd></mtr><mtr><mtd class="math-right"><mrow><mi>c</mi><mrow></mrow></mrow></mtd><mtd class="math-left"><mrow></mrow></mtd><mtd class="math-right"><mrow><mspace width="2em"></mspace><mtext>(2)</mtext></mrow></mtd></mtr></mtable>
        \tag{3}\begin{gather}a\end{gather} => <mrow><mrow><mrow></mrow><mtable columnalign="center" displaystyle="true"><mtr><mtd><mi>a</mi></mtd></mtr></mtable></mrow><mspace width="2em"></mspace><mtext>(3)</mtext></mrow>
        """#))
  func `the number of a line is its last cell`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test func `an array has at most 50 repetitions and 500 columns`() {
    func isRead(_ columns: String) -> Bool {
      LaTeXParser.parse("\\begin{array}{\(columns)}a\\end{array}") != nil
    }
    #expect(isRead("*{1}{c}") && isRead("*{50}{c}"))
    #expect(!isRead("*{0}{c}") && !isRead("*{51}{c}"))
    #expect(isRead(String(repeating: "c", count: 500)))
    #expect(!isRead(String(repeating: "c", count: 501)))
  }

  @Test(
    arguments: lines(
      of: #"""
        a&b
        a\\b&c
        \begin{array}{x}a\end{array}
        \begin{array}{@l}a\end{array}
        \begin{array}{*c}a\end{array}
        \begin{array}c
        \begin{matrix}[l a\end{matrix}
        \begin{matrix}a
        \begin{CD}A @x B\end{CD}
        \begin{CD}A @>a>b\end{CD}
        \begin{CD}A\end{CDx}
        """#))
  func `an unknown or unfinished table makes the formula unreadable`(source: String) {
    #expect(LaTeXParser.parse(source) == nil)
  }

  private static let space = "<mspace width=\"0.5em\"></mspace>"

  private static func horizontal(_ sign: String, _ below: String, _ above: String) -> String {
    "<mtd><munderover><mo stretchy=\"true\" minsize=\"2em\">\(sign)</mo><mrow>\(space)\(below)\(space)"
      + "</mrow><mrow>\(space)\(above)\(space)</mrow></munderover></mtd>"
  }

  private static func vertical(_ sign: String, _ left: String, _ right: String) -> String {
    "<mtd><mrow><mstyle mathsize=\"0.7em\">\(left)</mstyle><mo stretchy=\"true\" minsize=\"1.8em\" "
      + "maxsize=\"1.8em\">\(sign)</mo><mstyle mathsize=\"0.7em\">\(right)</mstyle></mrow></mtd>"
  }

  @Test func `a diagram has its objects and arrows in rows and columns`() {
    let source = #"\begin{CD}A @<f<g< B @)h)) C\\ @VVV @. @AiAA\\D @= E @((( F\\ @| \end{CD}"#
    let none = "<mrow></mrow>"
    func object(_ name: String) -> String { "<mtd><mi>\(name)</mi></mtd>" }
    let rows = [
      object("A") + Self.horizontal("←", "<mi>g</mi>", "<mi>f</mi>") + object("B")
        + Self.horizontal("→", none, "<mi>h</mi>") + object("C"),
      Self.vertical("↓", none, none) + "<mtd>\(none)</mtd><mtd>\(none)</mtd><mtd>\(none)</mtd>"
        + Self.vertical("↑", "<mi>i</mi>", none),
      object("D") + "<mtd><mo stretchy=\"true\" minsize=\"2em\">=</mo></mtd>" + object("E")
        + Self.horizontal("←", none, none) + object("F"),
      "<mtd><mo stretchy=\"true\" minsize=\"1.8em\" maxsize=\"1.8em\">‖</mo></mtd>",
    ]
    #expect(
      mathContent(source) == "<mtable columnalign=\"center center center center center\">"
        + rows.map { "<mtr>\($0)</mtr>" }.joined() + "</mtable>")
  }

  @Test func `a diagram's last line may be empty`() {
    #expect(
      mathContent(#"\begin{CD}A\\\end{CD}"#)
        == "<mtable columnalign=\"center\"><mtr><mtd><mi>A</mi></mtd></mtr></mtable>")
  }
}
