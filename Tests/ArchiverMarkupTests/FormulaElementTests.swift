import Testing

@testable import ArchiverMarkup

/// Elements and attributes of delivered formulas.
struct FormulaElementTests {
  @Test(
    arguments: sides(
      of: #"""
        <math><math><mi>x</mi></math></math> => <math><mi>x</mi></math>
        <math><mi>x</mi><annotation>a<annotation>b</annotation>c</annotation><mi>y</mi></math> => <math><mi>x</mi><mi>y</mi></math>
        <math> <mi>x</mi> loose  text <mi>y</mi></math> => <math><mi>x</mi><mtext>loose text</mtext><mi>y</mi></math>
        <math><mi>a<mglyph alt=b>c</mi></math> => <math><mi>abc</mi></math>
        <math><mglyph alt=b></mglyph><mi>c</mi></math> => <math><mi>c</mi></math>
        <math><menclose><mi>x</mi></menclose></math> => <math><mrow class="math-line-above math-line-before"><mi>x</mi></mrow></math>
        <math><menclose notation=box><mi>x</mi><mi>y</mi></menclose></math> => <math><mrow class="math-box"><mi>x</mi><mi>y</mi></mrow></math>
        <math><mi mathcolor=red color=blue>x</mi></math> => <math><mi class="ink-red">x</mi></math>
        <math><mi color=blue>x</mi></math> => <math><mi class="ink-blue">x</mi></math>
        <math><mi mathbackground=yellow>x</mi></math> => <math><mi class="tint-yellow">x</mi></math>
        <math><mi class="ink-red" mathcolor=red>x</mi></math> => <math><mi class="ink-red">x</mi></math>
        <math><mover><mi>a</mi><mo class="math-wide-brace">→</mo></mover></math> => <math><mover><mi>a</mi><mo class="math-wide-brace">→</mo></mover></math>
        <math><mover><mi>a</mi><mi>→</mi></mover></math> => <math><mover><mi>a</mi><mi>→</mi></mover></math>
        <math><mover><mi>a</mi><mo>→ →</mo></mover><mover><mi>a</mi><mi>→</mi></mover></math> => <math><mover><mi>a</mi><mo>→ →</mo></mover><mover><mi>a</mi><mi>→</mi></mover></math>
        <math><munder><mi>a</mi><mo>⏟</mo></munder></math> => <math><munder><mi>a</mi><mo class="math-wide-brace">⏟</mo></munder></math>
        <math><mfenced><mi>a</mi><mspace width=1em></mspace><mi>b</mi></mfenced></math> => <math><mrow><mo fence="true">(</mo><mi>a</mi><mo separator="true">,</mo><mspace width="1em"></mspace><mo separator="true">,</mo><mi>b</mi><mo fence="true">)</mo></mrow></math>
        """#))
  func `a formula keeps what has a meaning`(html: String, expected: String) throws {
    #expect(try canonical(html) == expected)
    #expect(try canonical(expected) == expected)
  }

  @Test func `control characters in a formula are left out, white space is one space`() throws {
    #expect(
      try canonical("<math><mtext>a\u{1}\u{7F}b \n\t c</mtext></math>")
        == "<math><mtext>ab c</mtext></math>")
  }

  @Test(
    arguments: sides(
      of: #"""
        <mtr><mtd>1<mtd>2<mtd>3</mtr><mtr><mtd>4</mtr> => rllr
        <mtr><mtd columnalign=left>1<mtd>2</mtr> => ll
        <mtr><mtd class=math-left>1<mtd class=math-right>2</mtr> => lr
        <mtr><mtd columnalign=center>1<mtd>2</mtr> => -l
        <mtr><mtd><mtable><mtr><mtd>1</mtr></mtable></mtd><mtd>2</mtr> => r-l
        <mlabeledtr><mtd>1<mtd>2</mlabeledtr> => rl
        """#))
  func `a cell has the alignment of its column, the last of which repeats`(
    rows: String, expected: String
  ) throws {
    let rows = rows.replacing(/<mtd([^>]*)>(\d)/) { "<mtd\($0.1)><mn>\($0.2)</mn></mtd>" }
    let shown = try canonical("<math><mtable columnalign='right left'>\(rows)</mtable></math>")
    let cells = shown.split(separator: "<mtd").dropFirst().map { cell in
      let tag = cell.prefix { $0 != ">" }
      return tag.contains("math-left") ? "l" : tag.contains("math-right") ? "r" : "-"
    }
    #expect(cells.joined() == expected, "\(shown)")
  }

  @Test(arguments: ["mrow", "mfenced", "semantics"])
  func `elements of a formula are written to a depth of 100`(name: String) throws {
    for (count, written) in [(99, 99), (100, 99), (150, 99)] {
      let html =
        "<math>" + String(repeating: "<\(name)>", count: count) + "<mi>x</mi>"
        + String(repeating: "</\(name)>", count: count) + "</math>"
      let shown = try canonical(html)
      #expect(shown.ranges(of: "<mrow>").count == written, "\(count)")
      #expect(shown.contains("<mi>x</mi>"))
    }
  }

  @Test(arguments: [
    ("a % n\n+ b", "a + b"), ("a \\% n\n+ b", "a \\% n + b"), ("% n\r\na %\n+b", "a +b"),
    ("a \\\\% n\nb", "a \\\\ b"), ("% <![CDATA[\na % n\n+ b\n%]]>", "a + b"),
    // As kramdown and LaTeXML write them.
    ("% <![CDATA[\n0 < 1 %]]>", "0 < 1"), ("b^{2}=%\nb^{2}", "b^{2}= b^{2}"),
  ])
  func `a comment in the source of a formula ends with its line`(source: String, rest: String)
    throws
  {
    let commented = try canonical("<script type='math/tex'>\(source)</script>")
    #expect(commented.contains("<math"))
    #expect(try commented == canonical("<script type='math/tex'>\(rest)</script>"))
    // Only a script hides its source from XML parsers.
    if source.contains("<![CDATA[") { return }
    // The same in running text and in the attribute of a drawn formula.
    for form in ["<p>$$§$$</p>", "<mjx-container data-latex='§'></mjx-container>"] {
      let (long, short) = (form.replacing("§", with: source), form.replacing("§", with: rest))
      let shown = try canonical(short)
      // Not every source is recognised there.
      if shown.contains("<math") { #expect(try canonical(long) == shown) }
    }
  }

  @Test func `an attribute of a formula has less than 500 bytes`() throws {
    let long = String(repeating: "a", count: 499)
    #expect(try canonical("<math alttext=\(long)><mi>x</mi></math>").contains("\"\(long)\""))
    #expect(
      try canonical("<math alttext=\(long)b><mi>x</mi></math>") == "<math><mi>x</mi></math>")
  }

  @Test(
    arguments: sides(
      of: #"""
        <mjx-container display=true data-latex=x></mjx-container> => <math display="block" alttext="x"><mi>x</mi></math>
        <mjx-container display=false data-latex=x></mjx-container> => <math alttext="x"><mi>x</mi></math>
        <mjx-container data-latex=x><mjx-a data-latex=y></mjx-a></mjx-container> => <math alttext="x"><mi>x</mi></math>
        <mjx-container data-latex=""><mjx-a data-latex=y></mjx-a></mjx-container> => <math alttext="y"><mi>y</mi></math>
        <d-math>x</d-math> => <math alttext="x"><mi>x</mi></math>
        <d-math block>x</d-math> => <math display="block" alttext="x"><mi>x</mi></math>
        <mjx-container block>x</mjx-container> => x
        <mjx-container><mjx-a data-semantic-speech="one two"></mjx-a></mjx-container> => one two
        <mjx-container aria-label=A><mjx-a data-semantic-speech=B></mjx-a></mjx-container> => A
        <mjx-container data-semantic-speech=B></mjx-container> =>
        <mjx-container><a class="TEX-I mjx-c78 mjx-c79"></a></mjx-container> => x
        <mjx-container><mjx-a><mjx-b>x</mjx-b>y</mjx-a></mjx-container> => xy
        <span class="mjx-chtml MJXc">x</span> => x
        <span class="MathJax_SVG" data-mathml="<math><mi>x</mi></math>">y</span> => <math><mi>x</mi></math>
        <span class="MathJax_other" data-mathml="<math><mi>x</mi></math>">y</span> => y
        <span class="a MathJax" data-mathml="<math><mi>x</mi></math>">y</span> => y
        <script type="math/latex">x</script> => <math alttext="x"><mi>x</mi></math>
        <script type="math/tex;mode=display">x</script> => <math display="block" alttext="x"><mi>x</mi></math>
        <script type="math/tex">% x</script> => <code class="latex">% x</code>
        <script type="math/mml"><math></math></script> => <code class="latex">&lt;math&gt;&lt;/math&gt;</code>
        """#))
  func `a drawn formula becomes its source, or else what is known of it`(
    html: String, expected: String
  ) throws {
    #expect(try canonical(html) == expected)
  }

  @Test(
    arguments: [
      ("<mover><mi>a</mi><mo stretchy='true'>^</mo></mover>", #"\widehat{a}"#),
      ("<mover><mi>a</mi><mo>^</mo></mover>", #"\hat{a}"#),
      ("<mover><mi>a</mi><mo>⏞</mo></mover>", #"\overbrace{a}"#),
      ("<munder><mi>a</mi><mo>⏟</mo></munder>", #"\underbrace{a}"#),
      ("<munder><mi>a</mi><mo>⏞</mo></munder>", #"\underset{⏞}{a}"#),
      ("<mover><mi>a</mi><mo>⎴</mo></mover>", #"\overbracket{a}"#),
      ("<mover><mi>a</mi><mi>^</mi></mover>", #"\overset{\hat{}}{a}"#),
      (
        "<munderover><mi>a</mi><mo>⏟</mo><mi>b</mi></munderover>",
        #"\underset{⏟}{\overset{b}{a}}"#
      ),
      ("<mrow><mo>[</mo><mi>a</mi><mo>)</mo></mrow>", #"\left[a\right)"#),
      ("<mrow><mi>x</mi><mi>a</mi><mo>)</mo></mrow>", "xa)"),
      ("<mrow><mo>+</mo><mi>a</mi><mo>)</mo></mrow>", "+a)"),
      ("<mrow><mo>(</mo><mi>a</mi><mo>+</mo></mrow>", "(a+"),
      ("<mrow><mo>(</mo><mi>a</mi><mi>x</mi></mrow>", "(ax"),
      ("<mo>%</mo><mo>~</mo><mo>\\</mo>", #"\%\sim\backslash"#),
      ("<mi mathvariant='normal'>Ω</mi>", #"\Omega"#),
      ("<mi mathvariant='italic'>d</mi>", "d"),
      ("<mfrac linethickness='1px'><mi>a</mi><mi>b</mi></mfrac>", #"\frac{a}{b}"#),
      ("<msup><mtext>a</mtext><mn>2</mn></msup>", #"{\text{a}}^{2}"#),
      ("<msup><mi></mi><mn>2</mn></msup>", "{}^{2}"),
      ("<munder><mtext>max</mtext><mi>i</mi></munder>", #"\underset{i}{\text{max}}"#),
      (
        "<mmultiscripts><mi>a</mi><mn>1</mn><mn>2</mn><none/><mn>3</mn></mmultiscripts>",
        "a_{1}^{2}^{3}"
      ),
      ("<mmultiscripts><mprescripts/><mn>1</mn></mmultiscripts>", "{}_{1}{}"),
      ("<mfenced separators='; |'><mi>a</mi></mfenced>", #"\left(a\right)"#),
      ("<mi>α</mi><mo>+</mo><mi>β</mi>", #"\alpha+\beta"#),
    ])
  func `markup becomes the LaTeX that draws it`(markup: String, expected: String) throws {
    #expect(try latex("<math>\(markup)</math>") == expected)
  }

  @Test func `invisible operators do not tell a formula from its source`() throws {
    let math = "<math alttext='a  b'><mi>a</mi><mo>\u{2061}\u{2064}</mo><mi>b</mi></math>"
    #expect(try latex(math) == "a b")
    let other = "<math alttext='a  b'><mi>a</mi><mo>\u{2065}</mo><mi>b</mi></math>"
    #expect(try latex(other) == "a\u{2065}b")
  }

  private func latex(_ html: String) throws -> String {
    let tree = try ContentTree.parse(Array(html.utf8))
    return FormulaSource.latex(try #require(tree.elements.first))
  }
}
