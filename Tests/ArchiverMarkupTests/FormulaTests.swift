import Testing

@testable import ArchiverMarkup

struct FormulaTests {
  private func mathML(_ source: String) -> String? {
    var html = HTMLWriter()
    guard MathMLWriter.write(source, isBlock: false, to: &html) else { return nil }
    var text = String(decoding: html.bytes, as: UTF8.self)
    if let start = text.firstIndex(of: ">"), text.hasPrefix("<math") {
      text = String(text[text.index(after: start)...].dropLast(7))
    }
    return text
  }

  @Test(arguments: [
    ("x", "<mi>x</mi>"),
    ("12.5", "<mn>12.5</mn>"),
    ("a^2", "<msup><mi>a</mi><mn>2</mn></msup>"),
    (
      "a_i^{n+1}",
      "<msubsup><mi>a</mi><mi>i</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msubsup>"
    ),
    ("f'", "<msup><mi>f</mi><mo>′</mo></msup>"),
    (
      #"x = \frac{-b\pm\sqrt{b^2-4ac}}{2a}"#,
      "<mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><mrow><msup><mi>b</mi>"
        + "<mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></mrow></msqrt></mrow><mrow><mn>2</mn>"
        + "<mi>a</mi></mrow></mfrac></mrow>"
    ),
    (#"\sqrt[3]{x}"#, "<mroot><mi>x</mi><mn>3</mn></mroot>"),
    (
      #"\sum_{i=1}^n i"#,
      "<mrow><munderover><mo movablelimits=\"true\">∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow>"
        + "<mi>n</mi></munderover><mi>i</mi></mrow>"
    ),
    (#"\int_0^1"#, "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>"),
    (
      #"\lim_{x\to0}"#,
      "<munder><mo movablelimits=\"true\">lim</mo><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>"
    ),
    (#"\sin\alpha"#, "<mrow><mi>sin</mi><mi>α</mi></mrow>"),
    (#"\mathbb{R}"#, "<mi mathvariant=\"normal\">ℝ</mi>"),
    (#"\mathrm{kg}"#, "<mi>kg</mi>"),
    (#"\text{if }x"#, "<mrow><mtext>if\u{A0}</mtext><mi>x</mi></mrow>"),
    (
      #"\left(\frac12\right]"#,
      "<mrow><mo fence=\"true\" stretchy=\"true\">(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>"
        + "<mo fence=\"true\" stretchy=\"true\">]</mo></mrow>"
    ),
    (
      #"\begin{pmatrix}a&b\\c&d\end{pmatrix}"#,
      "<mrow><mo fence=\"true\" stretchy=\"true\">(</mo><mtable columnalign=\"center center\"><mtr><mtd>"
        + "<mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>"
        + "</mtable><mo fence=\"true\" stretchy=\"true\">)</mo></mrow>"
    ),
    (
      #"\hat{x}\vec v"#,
      "<mrow><mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">^</mo></mover><mover accent=\"true\">"
        + "<mi>v</mi><mo stretchy=\"false\">→</mo></mover></mrow>"
    ),
    (
      #"\binom nk"#,
      "<mrow><mo fence=\"true\" stretchy=\"true\">(</mo><mfrac linethickness=\"0\"><mi>n</mi>"
        + "<mi>k</mi></mfrac><mo fence=\"true\" stretchy=\"true\">)</mo></mrow>"
    ),
    (#"a\not=b"#, "<mrow><mi>a</mi><mo>≠</mo><mi>b</mi></mrow>"),
    (#"a\,b"#, "<mrow><mi>a</mi><mspace width=\"0.1667em\"></mspace><mi>b</mi></mrow>"),
    ("a<b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"),
    (
      #"\overline{AB}"#, "<mrow class=\"math-line-above\"><mrow><mi>A</mi><mi>B</mi></mrow></mrow>"
    ),
    (#"\underline{x}"#, "<mrow class=\"math-line-below\"><mi>x</mi></mrow>"),
  ])
  func `turns the common commands into MathML`(source: String, expected: String) {
    #expect(mathML(source) == expected)
  }

  @Test(arguments: [
    #"\frac{1}{"#, #"\unknowncommand x"#, "a^b^c", "}", #"\left( x"#,
    #"\begin{tikzpicture}\end{tikzpicture}"#,
    #"\begin{matrix}a\end{pmatrix}"#, String(repeating: "{", count: 100_000), "x&y",
    String(repeating: #"\sqrt"#, count: 5_000) + "x",
  ])
  func `writes nothing of what it cannot read`(source: String) {
    var html = HTMLWriter()
    #expect(!MathMLWriter.write(source, isBlock: false, to: &html))
    #expect(html.bytes.isEmpty)
  }

  @Test(arguments: [
    #"E = mc^2"#, #"e^{i\pi} + 1 = 0"#,
    #"\nabla \times \vec{\mathbf{B}} = \mu_0\left(\vec{\mathbf{J}}\right)"#,
    #"\begin{aligned}a &= b + c \\ &= d\end{aligned}"#,
    #"|x| = \begin{cases} x & x \ge 0 \\ -x & \text{otherwise} \end{cases}"#,
    #"\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}"#,
    #"P(A \mid B) = \frac{P(B \mid A)P(A)}{P(B)}"#,
    #"\underbrace{a+\cdots+a}_{n\text{ times}}"#,
    #"\bigl\{ x \in \mathbb{Z} : x \equiv 1 \pmod 2 \bigr\}"#,
    #"\overset{!}{=} \quad \operatorname{softmax}(z)_i"#, #"\sum\limits_{k=0}^n \binom{n}{k}"#,
    #"{n \choose k}"#,
    #"\begin{array}{lc|r} 1 & 2 & 3 \\ \hline 4 & 5 & 6 \end{array}"#, #"\boxed{x}"#,
    #"\displaystyle\prod_p p"#,
  ])
  func `reads the formulas people write`(source: String) {
    #expect(LaTeXParser.parse(source) != nil)
  }

  @Test(arguments: [
    (#"\widehat{AB}"#, "math-wide-hat"), (#"\overbrace{a+b}^{n}"#, "math-wide-brace"),
    (#"\underbrace{a+b}_{n}"#, "math-wide-brace"), (#"\overrightarrow{AB}"#, "math-wide-right"),
    (#"\wideparen{AB}"#, "math-wide-paren"), (#"\hat{x}"#, nil), (#"\vec{v}"#, nil),
  ])
  func `wide accents are drawn by styles, others by characters`(
    source: String, name: String?
  ) {
    var html = HTMLWriter()
    #expect(MathMLWriter.write(source, isBlock: false, to: &html))
    let text = String(decoding: html.bytes, as: UTF8.self)
    #expect(
      name.map { text.contains(" class=\"\($0)\">") } ?? !text.contains("math-wide"), "\(text)")
  }

  @Test(arguments: [
    (
      "<mover><mrow><mi>a</mi></mrow><mo>⏞</mo></mover>",
      "<mover><mrow><mi>a</mi></mrow><mo class=\"math-wide-brace\">⏞</mo></mover>"
    ),
    (
      "<munder><mi>a</mi><mo stretchy=\"true\" mathcolor=\"red\"> ⏟ </mo></munder>",
      "<munder><mi>a</mi><mo stretchy=\"true\" class=\"ink-red math-wide-brace\">⏟</mo></munder>"
    ),
    (
      "<mover><mi>a</mi><mo stretchy=\"false\">^</mo></mover>",
      "<mover><mi>a</mi><mo stretchy=\"false\">^</mo></mover>"
    ),
    ("<mrow><mi>a</mi><mo>→</mo></mrow>", "<mrow><mi>a</mi><mo>→</mo></mrow>"),
    (
      "<mover><mo>→</mo><mi>n</mi></mover>",
      "<mover><mo class=\"math-wide-right\">→</mo><mi>n</mi></mover>"
    ),
  ])
  func `wide accents of delivered formulas get the same styles`(
    source: String, expected: String
  ) throws {
    let once = try canonical("<p><math>\(source)</math></p>")
    #expect(once == "<p><math>\(expected)</math></p>")
    #expect(try canonical(once) == once)
  }
}
