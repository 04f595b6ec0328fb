import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// Formulas that go back to LaTeX.
struct FormulaSourceTests {
  private func latex(_ mathML: String, _ attributes: String = "") throws -> String {
    let tree = try ContentTree.parse(Array("<math\(attributes)>\(mathML)</math>".utf8))
    return FormulaSource.latex(try #require(tree.elements.first))
  }

  private func mathML(_ source: String) -> String? {
    var html = HTMLWriter()
    guard MathMLWriter.write(source, isBlock: false, to: &html) else { return nil }
    let text = String(decoding: html.bytes, as: UTF8.self)
    guard let start = text.firstIndex(of: ">"), text.hasPrefix("<math") else { return nil }
    return String(text[text.index(after: start)...].dropLast(7))
  }

  @Test(arguments: [
    "x", "12.5", "a^{2}", "a_{i}^{n+1}", "{ab}^{2}", #"\frac{b}{2}"#, #"\sqrt{x}"#,
    #"\sqrt[3]{x+1}"#, #"\alpha\le x"#, #"\sin x"#, #"\lim_{x\to 0}f"#, #"\sum_{i=1}^{n}i"#,
    #"\int_{0}^{1}x"#, #"\left(a\right)"#, #"\left[a+b\right]"#, #"\boxed{x}"#,
    #"\phantom{x}"#, #"\text{a b}"#, #"\mathrm{ab}"#, #"a\quad b"#, #"a\qquad b"#, #"a\,b"#,
    #"a\;b"#, #"a\:b"#, #"a\!b"#, #"a\enspace b"#, #"\hat{a}"#, #"\overline{a}"#,
    #"\underline{a}"#, #"\overset{a}{b}"#, #"\underset{a}{b}"#, #"\{a\}"#, "a-b",
    #"\begin{matrix} a & b \\ c & d \end{matrix}"#, #"\genfrac{}{}{0pt}{}{a}{b}"#,
    #"\max_{i}a"#, #"\operatorname{foo}x"#,
  ])
  func `a formula written from its markup is the same formula`(source: String) throws {
    let markup = try #require(mathML(source))
    let written = try latex(markup)
    #expect(mathML(written) == markup, "\(written)")
  }

  @Test(arguments: [
    ("<msub><mi>lim</mi><mi>n</mi></msub>", #"\lim_{n}"#),
    ("<msub><mo>∑</mo><mi>n</mi></msub>", #"\sum_{n}"#),
    ("<msup><mi>sin</mi><mn>2</mn></msup>", #"{\sin}^{2}"#),
    ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^{2}"),
    ("<msup><mn>12</mn><mn>2</mn></msup>", "{12}^{2}"), ("<msup></msup>", "{}^{}"),
    ("<munder><mi>max</mi><mi>i</mi></munder>", #"\max_{i}"#),
    ("<munder><mo>lim</mo><mi>n</mi></munder><mo>sin</mo><mi>n</mi>", #"\lim_{n}\sin n"#),
    ("<munder><mi>a</mi><mi>b</mi></munder>", #"\underset{b}{a}"#),
    ("<munderover><mi>a</mi><mi>b</mi><mi>c</mi></munderover>", #"\underset{b}{\overset{c}{a}}"#),
    ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", #"\left(a,b\right)"#),
    (
      "<mfenced open='' close=']' separators='; |'><mi>a</mi><mi>b</mi><mi>c</mi><mi>d</mi></mfenced>",
      #"\left.a;b|c|d\right]"#
    ),
    ("<mfenced separators=''><mi>a</mi><mi>b</mi></mfenced>", #"\left(ab\right)"#),
    ("<mrow><mo stretchy='false'>(</mo><mi>a</mi><mo>)</mo></mrow>", "(a)"),
    ("<mrow><mo>(</mo><mo>)</mo></mrow>", "()"),
    ("<mmultiscripts><mi>a</mi><mn>1</mn><mn>2</mn></mmultiscripts>", "a_{1}^{2}"),
    (
      "<mmultiscripts><mi>a</mi><mn>1</mn><none/><mprescripts/><mn>3</mn><mn>4</mn></mmultiscripts>",
      "{}_{3}^{4}a_{1}"
    ),
    ("<mi mathvariant='normal'>d</mi>", #"\mathrm{d}"#), ("<mi>d</mi>", "d"),
    (
      "<mtext>a_b 5% {c} ~ ^ \\ # $ &amp;</mtext>",
      ##"\text{a\_b 5\% \{c\} \textasciitilde{} \textasciicircum{} \textbackslash{} \# \$ \&}"##
    ),
    ("<mo>−</mo><mi>α</mi><mi>x</mi>", #"-\alpha x"#), ("<mo>\u{2061}</mo>", ""),
  ])
  func `markup of other programs becomes LaTeX`(markup: String, expected: String) throws {
    #expect(try latex(markup) == expected)
  }

  @Test(arguments: ["b%\n+c", "b%&#10;+c", "b% n\r\n+c", "b% n\n+c % m"])
  func `a comment in the source of a formula hides nothing after its line`(source: String) throws {
    let markup = "<mi>b</mi><mo>+</mo><mi>c</mi>"
    let written = try latex(markup, " alttext='\(source)'")
    #expect(written.filter { $0 != " " } == "b+c")
    let html = try canonical("<math alttext='\(source)'>\(markup)</math>")
    let math = try #require(try ContentTree.parse(Array(html.utf8)).elements.first)
    #expect(FormulaSource.latex(math).filter { $0 != " " } == "b+c")
  }

  @Test(arguments: [
    ("-0.1667em", #"\!"#), ("0em", #"\,"#), ("0.19em", #"\,"#), ("0.2em", #"\:"#),
    ("0.25em", #"\;"#), ("0.4em", #"\enspace"#), ("0.75em", #"\quad"#), ("1.49em", #"\quad"#),
    ("1.5em", #"\qquad"#), ("9px", #"\,"#), ("", #"\,"#),
  ])
  func `a space has the nearest command`(width: String, expected: String) throws {
    #expect(try latex("<mspace width=\"\(width)\"></mspace>") == expected)
  }

  @Test func `the source of a formula is kept, its description is not`() throws {
    #expect(try latex("<mi>x</mi>", " alttext=\"{x}\"") == "{x}")
    #expect(try latex("<mi>x</mi>", " alttext=\"the letter x\"") == "x")
    #expect(try latex("<mi>a</mi><mi>b</mi>", " alttext=\"a\n b\"") == "a b")
  }

  @Test func `a formula may be nested as deep as people write, not as deep as programs may`() {
    func nested(_ count: Int) -> String {
      String(repeating: "{", count: count) + "x" + String(repeating: "}", count: count)
    }
    let fraction = (0..<8).reduce("x") { inner, _ in "\\frac{1}{1+\(inner)}" }
    #expect(mathML(fraction) != nil)
    #expect(mathML(nested(20)) != nil)
    #expect(mathML(nested(1_000)) == nil)
  }
}
