import Testing

@testable import ArchiverMarkup

/// Where formulas in running text begin and end.
struct FormulaDelimiterTests {
  private func pieces(_ text: String) -> [FormulaText.Piece] {
    FormulaText.pieces(of: Array(text.utf8))
  }

  @Test(arguments: [
    ("$$", true), ("a $$b", true), (#"\("#, true), (#"\["#, true), (#"\b"#, true),
    (#"\a \("#, true), ("$a $$", true), ("", false), ("$", false), ("a$", false), ("$ $", false),
    ("\\", false), (#"\a"#, false), (#"\)"#, false), (#"$\"#, false), ("(", false),
  ])
  func `text may have a formula only with an opening delimiter`(text: String, mayBegin: Bool) {
    #expect(Array(text.utf8).withUnsafeBufferPointer(FormulaText.mayBegin) == mayBegin)
  }

  @Test func `text and formulas follow each other without gaps`() {
    #expect(
      pieces(#"a \(x\) b \[y^2\]$$z^2$$"#) == [
        .init(range: 0..<2), .init(range: 2..<7, source: "x"), .init(range: 7..<10),
        .init(range: 10..<17, source: "y^2", isBlock: true),
        .init(range: 17..<24, source: "z^2", isBlock: true),
      ])
    #expect(pieces("") == [])
    #expect(pieces("ab") == [.init(range: 0..<2)])
  }

  @Test func `the delimiters of an environment belong to its formula`() {
    for name in ["equation", "align*"] {
      let text = "\\begin{\(name)}x\\end{\(name)}"
      #expect(
        pieces(text + "!") == [
          .init(range: 0..<text.utf8.count, source: text, isBlock: true),
          .init(range: text.utf8.count..<(text.utf8.count + 1)),
        ])
    }
    #expect(pieces(#"\begin{align}x\end{align*}"#).count == 1)
  }

  @Test func `a delimiter without an end is text, and so is one before another`() {
    #expect(
      pieces(#"\[ \( 1 \(x\)"#) == [.init(range: 0..<8), .init(range: 8..<13, source: "x")])
    #expect(
      pieces(#"$$5 and $$x^2$$ b"#) == [
        .init(range: 0..<8), .init(range: 8..<15, source: "x^2", isBlock: true),
        .init(range: 15..<17),
      ])
  }

  @Test(arguments: [
    (#"a\(x\)"#, false), (#"Z\(x\)"#, false), (#"0\(x\)"#, false), (#"9\(x\)"#, false),
    (#"é\(x\)"#, true), (#"/\(x\)"#, true), (#":\(x\)"#, true), (#"{\(x\)"#, true),
    ("`\\(x\\)", true), (#"a$$x^2$$"#, true),
  ])
  func `a formula in the line does not begin within a word`(text: String, isFormula: Bool) {
    #expect((pieces(text).last?.source != nil) == isFormula)
  }

  @Test func `a formula in text has at most 20000 bytes`() {
    func formula(_ count: Int) -> String {
      "\\(1+" + String(repeating: "1", count: count - 2) + "\\)"
    }
    #expect(pieces(formula(20_000)).map { $0.source != nil } == [true])
    #expect(pieces(formula(20_001)).map { $0.source != nil } == [false])
  }

  @Test(arguments: [
    ("x", true, false), ("1", true, false), ("x+1", true, true), ("x+", false, false),
    ("x,", false, false), ("x ; ", false, false), ("", false, false), ("+", false, false),
    ("a b", true, false), ("ab", true, false), ("abc", false, false), ("x=ab", true, true),
    ("x=abc", false, false), ("1 2 3 45", true, false),
    ("1 2 3 456", false, false), ("1<2 3 456", true, true), (#"\d"#, true, false),
    (#"\pi"#, true, true), (#"\,+x"#, true, true),
    (#"\text{one two three four five six seven}"#, true, true),
    (#"\frac{abc def ghi jkl mno pqr stu}"#, false, false),
    (#"\frac{abc def ghi jkl mno pqr st}"#, true, true),
    (#"\begin{abc def ghi jkl mno pqr stu}"#, true, true),
    (#"\ce{abc def ghi jkl mno pqr stu}"#, true, true),
    (#"\text{abc def ghi jkl mno pqr stu"#, false, false),
  ])
  func `text reads as TeX with a command or a sign and few words`(
    source: String, inLine: Bool, alone: Bool
  ) {
    #expect(FormulaText.readsAsTeX(source) == inLine)
    #expect(FormulaText.readsAsTeX(source, isLine: true) == alone)
  }

  @Test func `a formula in the text is read as the style of its delimiters says`() throws {
    #expect(try canonical(#"a \(x^2\)"#).contains("<math alttext"))
    #expect(try canonical(#"a $$x^2$$"#).contains("<math display=\"block\" alttext"))
  }
}
