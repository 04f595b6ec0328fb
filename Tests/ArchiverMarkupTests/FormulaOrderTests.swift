import ArchiverMarkup
import Testing

/// Formulas beside their sources and in highlights.
@Suite struct FormulaOrderTests {
  private static let x = "<math><mi>x</mi></math>"
  private static let y = "<math alttext=\"y\"><mi>y</mi></math>"
  private static let script = "<script type=math/tex>y</script>"

  @Test func `one source behind a formula is that of the formula`() throws {
    #expect(try canonical(Self.x + Self.script) == Self.x)
    #expect(try canonical(Self.x + Self.script + Self.script) == Self.x + Self.y)
    #expect(try canonical(Self.x + " and " + Self.script) == Self.x + " and " + Self.y)
    #expect(try canonical(Self.script + Self.script) == Self.y + Self.y)
    #expect(
      try canonical("<mjx-container data-latex='\\nothing'></mjx-container>" + Self.script)
        == "<code class=\"latex\">\\nothing</code>" + Self.y)
  }

  @Test func `words behind other words are no rendering of a formula`() throws {
    #expect(try canonical("<p>a<span class=katex-html>b</span>c</p>") == "<p>abc</p>")
    #expect(
      try canonical("\(Self.x) <span class=katex-html>b</span>c") == "\(Self.x) c")
    #expect(
      try canonical("\(Self.x)a<span class=katex-html>b</span>c") == "\(Self.x)abc")
  }

  @Test func `a drawn formula with its markup is no loss`() throws {
    let result = try sanitized(
      "<mjx-container><mjx-mi class=mjx-c78></mjx-mi><mjx-assistive-mml>\(Self.x)"
        + "</mjx-assistive-mml></mjx-container>b")
    #expect(text(result.bytes) == Self.x + "b")
    #expect(result.losses.isEmpty)
    #expect(result.plainText == "xb")
  }

  @Test func `the text of a formula is that of its markup`() throws {
    let result = try sanitized("a<math><mtext>b\u{1}c\u{7F}d</mtext></math>e")
    #expect(result.plainText == "abcde")
    let source = try sanitized("a <script type=math/tex>\\nothing  {x}</script> b")
    #expect(source.plainText == "a \\nothing {x} b")
    #expect(source.losses == ["formula": 1])
  }

  @Test func `each highlight has its own words if the page has formulas`() throws {
    let result = try sanitized(
      #"<p>\(x^2\) <rd-annotation id=A>one \(y^2\)</rd-annotation> "#
        + "<rd-annotation id=B>two</rd-annotation></p>")
    #expect(result.annotations.map(\.id) == ["A", "B"])
    #expect(result.annotations.map(\.text) == ["one y2", "two"])
  }
}
