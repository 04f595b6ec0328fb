import Testing

@testable import ArchiverMarkup

/// Forms of style sheets and formulas that few pages have.
@Suite struct ForeignFormTests {
  @Test(arguments: [
    ("(monochrome)", false), ("(grid)", false), ("(color)", true), ("(width)", true),
    ("print,", false), (",", false), (",screen", true), ("", true),
  ])
  func `a feature that is 0 is not met alone, nor is an empty query in a list`(
    media: String, isMet: Bool
  ) {
    #expect(MediaCondition.isMet(media) == isMet)
  }

  @Test func `a channel of a colour may be none`() {
    #expect(AuthorColor("rgb(none 255 0 / 1)", for: .text) == .green)
    #expect(AuthorColor("rgb(x 255 0)", for: .text) == nil)
  }

  @Test func `the function of a background has upper or lower case`() {
    #expect(StyleFilter.background(of: "background:URL(a)") == "a")
  }

  @Test func `a letter of another alphabet keeps its accent`() {
    #expect(MathAlphabet.mathbf.character("e\u{301}") == "\u{1D41E}\u{301}")
    #expect(MathAlphabet.mathbf.character("e") == "\u{1D41E}")
  }

  @Test func `a line of a formula that has only a number stays`() throws {
    let source = "\\begin{align}a\\\\\\tag{1}\\end{align}"
    let html = try canonical("<script type='math/tex; mode=display'>\(source)</script>")
    #expect(html.contains(">(1)<"))
  }

  @Test(arguments: [
    ("<svg viewBox='0 0 9 9'><image href='/i.png' /></svg>", 1),
    ("<svg viewBox='0 0 9 9'><image href='/i.png' /><image href='/j.png' /></svg>", 2),
    ("<svg viewBox='0 0 400 200'><text>a</text></svg>", 1),
    ("<svg width=400 height=200><path d='M0 0'/></svg>", 1),
    ("<svg width=9 height=9><path d='M0 0'/></svg>", 0),
  ])
  func `what a drawing shows beyond the limit of images is counted`(
    drawing: String, count: Int
  ) throws {
    var limits = SanitizerLimits()
    limits.images = 1
    let html = "<img src='/a.png'>" + drawing
    let result = try sanitized(html, SanitizerOptions(limits: limits))
    #expect(result.losses == (count > 0 ? ["drawing": count] : [:]))
  }

  @Test func `an image of a drawing without a usable address is counted`() throws {
    let result = try sanitized("<svg viewBox='0 0 9 9'><image href='blob:x' /></svg>")
    #expect(result.losses == ["drawing": 1])
  }
}
