import Testing

@testable import ArchiverMarkup

/// Limits of formulas, and tables of what their commands draw.
@Suite struct FormulaLimitTests {
  /// The accents: their names, whether they are below, whether they stretch.
  private static let accents: [(names: String, isBelow: Bool, stretches: Bool)] = [
    (
      "hat bar vec dot ddot dddot ddddot tilde check breve acute grave mathring",
      false, false
    ),
    (
      "widehat widetilde widecheck overline overbrace overrightarrow overleftarrow "
        + "overleftrightarrow Overrightarrow overrightharpoon overleftharpoon overgroup "
        + "overlinesegment overbracket overparen wideparen",
      false, true
    ),
    (
      "underline underbar underbrace underrightarrow underleftarrow underleftrightarrow utilde "
        + "undergroup underlinesegment underbracket underparen",
      true, true
    ),
  ]

  @Test func `accents are above or below, and the wide ones stretch`() {
    var count = 0
    for (names, isBelow, stretches) in Self.accents {
      for name in names.split(separator: " ").map(String.init) {
        #expect(LaTeXSymbols.accents[name]?.isBelow == isBelow, "\(name)")
        #expect(LaTeXSymbols.accents[name]?.stretches == stretches, "\(name)")
        count += 1
      }
    }
    #expect(LaTeXSymbols.accents.count == count)
  }

  @Test(
    arguments: sides(
      of: #"""
        \displaystyle\alpha b => <mstyle displaystyle="true"><mrow><mi>α</mi><mi>b</mi></mrow></mstyle>
        \textstyle\alpha => <mstyle displaystyle="false"><mi>α</mi></mstyle>
        \large\alpha => <mstyle mathsize="1.2em"><mi>α</mi></mstyle>
        \bf{b}c => <mi>𝐛𝐜</mi>
        a\over{b} => <mfrac><mrow><mi>a</mi></mrow><mi>b</mi></mfrac>
        n\choose{k} => <mrow><mo fence="true" stretchy="true">(</mo><mfrac linethickness="0"><mrow><mi>n</mi></mrow><mi>k</mi></mfrac><mo fence="true" stretchy="true">)</mo></mrow>
        n\brace{k} => <mrow><mo fence="true" stretchy="true">{</mo><mfrac linethickness="0"><mrow><mi>n</mi></mrow><mi>k</mi></mfrac><mo fence="true" stretchy="true">}</mo></mrow>
        a. => <mrow><mi>a</mi><mo>.</mo></mrow>
        .\alpha => <mrow><mo>.</mo><mi>α</mi></mrow>
        \hspace{0px} => <mspace width="0px"></mspace>
        \hspace{0mu} => <mspace width="0em"></mspace>
        \si{m^0} => <msup><mi mathvariant="normal">m</mi><mn>0</mn></msup>
        \si{°C} => <mi>°C</mi>
        \begin{CD}\end{CD} => <mtable columnalign="center"></mtable>
        \begin{array}{cc}\hline a\\b&c\end{array} => <mtable columnalign="center center"><mtr><mtd class="math-line-above"><mi>a</mi></mtd><mtd class="math-line-above"></mtd></mtr><mtr><mtd><mi>b</mi></mtd><mtd><mi>c</mi></mtd></mtr></mtable>
        """#))
  func `a command takes what directly follows it`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        \bra{a} => <mrow><mo stretchy="false">⟨</mo><mi>a</mi><mo stretchy="false">|</mo></mrow>
        \ket{a} => <mrow><mo stretchy="false">|</mo><mi>a</mi><mo stretchy="false">⟩</mo></mrow>
        \set{a} => <mrow><mo stretchy="false">{</mo><mspace width="0.1667em"></mspace><mi>a</mi><mspace width="0.1667em"></mspace><mo stretchy="false">}</mo></mrow>
        \pod{a} => <mrow><mspace width="1em"></mspace><mo stretchy="false">(</mo><mi>a</mi><mo stretchy="false">)</mo></mrow>
        \idotsint a => <mrow><mo>∫</mo><mi mathvariant="normal">⋯</mi><mo>∫</mo><mi>a</mi></mrow>
        \varlimsup a => <mrow><mrow class="math-line-above"><mi>lim</mi></mrow><mi>a</mi></mrow>
        \varliminf a => <mrow><mrow class="math-line-below"><mi>lim</mi></mrow><mi>a</mi></mrow>
        \varinjlim_a => <munder><munder accentunder="true"><mi>lim</mi><mo stretchy="true" class="math-wide-right">→</mo></munder><mi>a</mi></munder>
        \bgroup a\egroup b => <mrow><mi>a</mi><mi>b</mi></mrow>
        \begingroup a\endgroup b => <mrow><mi>a</mi><mi>b</mi></mrow>
        """#))
  func `macros of packages have their arguments only`(source: String, expected: String) {
    #expect(mathContent(source) == expected)
  }

  private static func nested(_ count: Int) -> String {
    String(repeating: "{", count: count) + "x" + String(repeating: "}", count: count)
  }

  @Test(
    arguments: [
      ("", "", 23), ("{}", "", 23), ("{}{}{}a", "", 23), (#"\sqrt a"#, "", 23),
      (#"\frac{a}{b}"#, "", 23), (#"\text{$"#, "$}", 21), (#"\text{a $"#, "$ b}", 21),
      (#"\begin{CD}"#, #"\end{CD}"#, 21), (#"\begin{CD}A @>"#, #">> B\end{CD}"#, 21),
      (#"\begin{CD}A @>>"#, #"> B\end{CD}"#, 21),
    ] as [(String, String, Int)])
  func `levels count wherever they are, and only those that are open`(
    before: String, after: String, most: Int
  ) {
    #expect(LaTeXParser.parse(before + Self.nested(most) + after) != nil)
    #expect(LaTeXParser.parse(before + Self.nested(most + 1) + after) == nil)
  }

  @Test func `an argument is a level`() {
    func roots(_ count: Int) -> String { String(repeating: #"\sqrt "#, count: count) + "x" }
    #expect(LaTeXParser.parse(roots(23)) != nil)
    #expect(LaTeXParser.parse(roots(24)) == nil)
    #expect(LaTeXParser.parse(String(repeating: "{}", count: 30)) != nil)
    #expect(LaTeXParser.parse(String(repeating: #"\sqrt a"#, count: 30)) != nil)
  }

  @Test func `macros make at most 100000 tokens`() throws {
    let body = String(repeating: "a", count: 20_000)
    let calls = String(repeating: #"\f"#, count: 5)
    func expanded(_ before: String, _ after: String) throws -> Int {
      let source = #"\def\f{"# + body + "}" + before + calls + after
      return try LaTeXMacros.expanded(LaTeXScanner.tokens(source)).count
    }
    #expect(try expanded("", "") == 100_000)
    #expect(throws: LaTeXParser.Unsupported.self) { _ = try expanded("+", "") }
    #expect(throws: LaTeXParser.Unsupported.self) { _ = try expanded("", "+") }
  }

  @Test func `Greek letters next to the alphabet have no bold form`() {
    let letters = "\u{390}\u{3AA}\u{3B0}\u{3CA}"
    for alphabet in [MathAlphabet.mathbf, .boldsymbol] {
      #expect(String(letters.map(alphabet.character)) == letters)
    }
    #expect(String("αΩ".map(MathAlphabet.mathsf.character)) == "αΩ")
  }

  @Test func `brackets and separators have at most 16 characters`() {
    let attributes = [
      "open": String(repeating: "(", count: 17), "close": " ] ",
      "separators": " abcdefghijklmno pq",
    ]
    let fence = MathFence { attributes[$0] }
    #expect(fence.open == String(repeating: "(", count: 16))
    #expect(fence.close == "]")
    let separators = (-1...18).map { fence.separator(before: $0) }
    let letters: [String?] = "abcdefghijklmnoppp".map { String($0) }
    #expect(Array(separators.prefix(2)) == [nil, nil])
    #expect(Array(separators.dropFirst(2)) == letters)
  }

  @Test func `brackets are round and separators commas by default`() {
    let usual = MathFence { _ in nil }
    #expect(usual.open == "(" && usual.close == ")")
    #expect(usual.separator(before: 1) == "," && usual.separator(before: 9) == ",")
    let none = MathFence { _ in " " }
    #expect(none.open == "" && none.close == "" && none.separator(before: 1) == nil)
  }
}
