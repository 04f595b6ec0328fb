import Testing

@testable import ArchiverMarkup

/// Formulas in texts of their own, and comments in the source of formulas.
@Suite struct FormulaReaderTests {
  private static func formula(_ html: String) throws -> String? {
    try FormulaReader.read(Array(html.utf8), limits: SanitizerLimits()).map { text($0.bytes) }
  }

  @Test(
    arguments: sides(
      of: #"""
        <math><mi>a</mi></math><math><mi>b</mi></math> => <math><mi>a</mi></math>
        a<p><math><mi>b</mi></math>c => <math><mi>b</mi></math>
        <math><svg><text>a</text></svg><mi>x</mi></math> => <math><mi>x</mi></math>
        <math><mi>a<annotation><mglyph alt=b></mglyph></annotation>c</mi></math> => <math><mi>ac</mi></math>
        <math><mi>a<img alt=b>c</mi></math> => <math><mi>abc</mi></math>
        <math><mi>a<b>c</b>d</mi><mi>e</mi></math> => <math><mi>acd</mi><mi>e</mi></math>
        <math><foo><mi>a</mi></foo><mi>b</mi></math> => <math><mi>a</mi><mi>b</mi></math>
        """#))
  func `the first formula is read without what a formula may not have`(
    html: String, expected: String
  ) throws {
    #expect(try Self.formula(html) == expected)
  }

  @Test(arguments: ["", "x", "<p>x</p>", "<math></math>", "<math><mi> </mi></math>"])
  func `a text without visible content has no formula`(html: String) throws {
    #expect(try Self.formula(html) == nil)
  }

  @Test func `the alignments of columns are read to 200 characters`() throws {
    func alignments(_ lefts: Int) throws -> [Int] {
      let columns = String(repeating: "left ", count: lefts) + "right"
      let cells = String(repeating: "<mtd><mn>1</mn></mtd>", count: 41)
      let html = "<math><mtable columnalign='\(columns)'><mtr>\(cells)</mtr></mtable></math>"
      let shown = try #require(try Self.formula(html))
      return ["math-left", "math-right"].map { shown.ranges(of: $0).count }
    }
    #expect(try alignments(39) == [39, 2])
    #expect(try alignments(40) == [41, 0])
  }

  @Test(
    arguments: [
      ("a % n\n+ b", "a  + b"), ("ab% n", "ab"), ("%", ""), ("% x", ""), ("", ""),
      ("a\\%b%c", "a\\%b"),
      ("a\\\\%b", "a\\\\"), ("a\\", "a\\"), ("a\rb\nc\r\nd", "a b c d"),
      ("% <![CDATA[ a %]]>", "% <![CDATA[ a %]]>"), ("a %]]>", "a %]]>"), ("% ]]>x", "% ]]>x"),
      ("%<![CDATA[", "%<![CDATA["), ("%<![CDATA", ""), ("a %]] >", "a "), ("a %x]]>", "a "),
    ] as [(String, String)])
  func `a comment ends with its line, except what hides the source`(source: String, rest: String) {
    #expect(text(TeXComment.removed(from: Array(source.utf8))) == rest)
  }

  @Test func `a source that is hidden on one line is drawn`() throws {
    #expect(
      try canonical("<p>a <script type=\"math/tex\">% <![CDATA[ x %]]></script></p>")
        == "<p>a <math alttext=\"x\"><mi>x</mi></math></p>")
  }

  private static func latex(_ markup: String, _ attributes: String = "") throws -> String {
    let tree = try ContentTree.parse(Array("<math\(attributes)>\(markup)</math>".utf8))
    return FormulaSource.latex(try #require(tree.elements.first))
  }

  @Test(arguments: [
    ("<munder><mo>∫</mo><mi>D</mi></munder>", #"\int_{D}"#),
    ("<mover><mo>∑</mo><mi>n</mi></mover>", #"\sum^{n}"#),
    ("<mover><mi>a</mi><mo>⏜</mo></mover>", #"\overparen{a}"#),
    ("<munder><mi>a</mi><mo stretchy='true'>_</mo></munder>", #"\underbar{a}"#),
    ("<mover><mi>a</mi><mo stretchy='true'>→</mo></mover>", #"\overrightarrow{a}"#),
    ("<mover><mi>a</mi><mo>→</mo></mover>", #"\vec{a}"#),
    ("<mover><mi>a</mi><mo>˙</mo></mover>", #"\dot{a}"#),
  ])
  func `limits and accents are written by their shortest commands`(
    markup: String, expected: String
  ) throws {
    #expect(try Self.latex(markup) == expected)
  }

  @Test func `a description that is not LaTeX is not the source`() throws {
    #expect(try Self.latex("<mi>x</mi>", #" alttext="\nothing x""#) == "x")
    #expect(try Self.latex("<mi>x</mi>", #" alttext="{ x }""#) == "{ x }")
  }
}
