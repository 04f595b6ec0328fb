import ArchiverMarkup
import Testing

/// Formulas as pages have them: for MathJax, from MathJax and from KaTeX.
@Suite struct FormulaMarkupTests {
  private static let square = "<msup><mi>x</mi><mn>2</mn></msup>"

  @Test(arguments: [
    ("<p>a <script type=\"math/tex\">x^2</script> b</p>", "<math alttext=\"x^2\">"),
    (
      "<p>a <script type=\"Math/TeX; mode=display\"> x^2 </script> b</p>",
      "<math display=\"block\" alttext=\"x^2\">"
    ),
    (
      "<p>a <script type=\"math/tex\">% <![CDATA[\nx^2 %]]></script> b</p>",
      "<math alttext=\"x^2\">"
    ),
    (
      "<p>a <script type=\"math/mml\"><math><msup><mi>x</mi><mn>2</mn></msup></math></script> b</p>",
      "<math>"
    ),
  ])
  func `a formula for MathJax is written as MathML`(html: String, start: String) throws {
    let expected = "<p>a \(start)\(FormulaMarkupTests.square)</math> b</p>"
    #expect(try canonical(html) == expected)
    #expect(try canonical(expected) == expected)
    #expect(try sanitized(html).plainText == "a x2 b")
    #expect(try sanitized(html).dropped.scripts == 0)
  }

  @Test(arguments: [
    ("math/tex", #"\tikz a < b"#, #"\tikz a &lt; b"#),
    ("math/asciimath", "sum_(i=1)^n", "sum_(i=1)^n"),
    ("math/tex", "</b><img onerror=1>", "&lt;/b&gt;&lt;img onerror=1&gt;"),
  ])
  func `a formula that is not read is shown by its source`(
    type: String, source: String, expected: String
  ) throws {
    let output = "<p>a <code class=\"latex\">\(expected)</code> b</p>"
    let html =
      type == "math/tex" && source.hasPrefix("<")
      ? "<p>a <script type=\"\(type)\">\\nothing \(source)</script> b</p>"
      : "<p>a <script type=\"\(type)\">\(source)</script> b</p>"
    let shown = try canonical(html).replacing(#"\nothing "#, with: "")
    #expect(shown == output)
    #expect(try canonical(shown) == shown)
  }

  @Test(arguments: [
    "<span class=MathJax_Preview>x^2</span><script type=math/tex>x^2</script>",
    "<span class=MathJax_Preview></span><script type=math/tex>x^2</script>",
    "<span class=MathJax><nobr><span class=math><span>x</span><span>2</span></span></nobr></span>"
      + "<script type=math/tex>x^2</script>",
    "<span class=MathJax><nobr>x2</nobr><span class=MJX_Assistive_MathML><math alttext=\"x^2\">"
      + "<msup><mi>x</mi><mn>2</mn></msup></math></span></span><script type=math/tex>x^2</script>",
    "<span class=MathJax data-mathml='<math alttext=\"x^2\"><msup><mi>x</mi><mn>2</mn></msup></math>'>"
      + "<nobr>x2</nobr></span><script type=math/tex>x^2</script>",
    "<span class=MathJax_Preview>[x]</span><span class=MathJax_CHTML data-mathml='<math "
      + "alttext=\"x^2\"><msup><mi>x</mi><mn>2</mn></msup></math>'>x2</span>"
      + "<script type=math/tex>x^2</script>",
    "<span class=mwe-math-element><span class=mwe-math-mathml-inline><math alttext=\"x^2\"><msup><mi>x"
      + "</mi><mn>2</mn></msup></math></span><img class=mwe-math-fallback-image-inline src=/x.svg "
      + "alt=\"x^2\"></span>",
  ])
  func `a formula with its rendering is written once`(html: String) throws {
    let all = "<p>a \(html) b</p>"
    #expect(
      try canonical(all) == "<p>a <math alttext=\"x^2\">\(FormulaMarkupTests.square)</math> b</p>")
    #expect(try sanitized(all).plainText == "a x2 b")
  }

  @Test func `the rendering of a formula is kept without its source`() throws {
    #expect(
      try canonical("<p>a <span class=MathJax_Preview>x<sup>2</sup> + y</span> b</p>")
        == "<p>a x2 + y b</p>")
    #expect(
      try canonical("<img class=mwe-math-fallback-image-inline src=/x.svg alt=\"x^2\">").contains(
        "<img"))
  }

  @Test(arguments: [
    "<mjx-container class=MathJax jax=CHTML aria-label='x squared'><mjx-math data-latex='x^2'>"
      + "<mjx-msup data-latex='x^2'><mjx-mi data-latex=x><mjx-c class=mjx-c1D465></mjx-c></mjx-mi></mjx-msup></mjx-math></mjx-container>",
    "<mjx-container class=MathJax jax=SVG><svg><g data-mml-node=math data-latex='x^2'><g data-latex=x>"
      + "<use data-c=1D465></use></g></g></svg></mjx-container>",
  ])
  func `MathJax 4 output is replaced by its source`(html: String) throws {
    #expect(
      try canonical("<p>a \(html) b</p>")
        == "<p>a <math alttext=\"x^2\">\(FormulaMarkupTests.square)</math> b</p>")
  }

  @Test func `MathJax 3 output is replaced by its formula, characters or text`() throws {
    func drawn(_ inside: String, _ label: String = "") -> String {
      "<p>a <mjx-container class=MathJax jax=CHTML\(label)>\(inside)</mjx-container> b</p>"
    }
    let glyphs =
      "<mjx-math aria-hidden=true><mjx-mi><mjx-c class='mjx-c1D465 TEX-I'></mjx-c></mjx-mi>"
      + "<mjx-mo><mjx-c class=mjx-c3D></mjx-c></mjx-mo><mjx-mn><mjx-c class=mjx-c32></mjx-c></mjx-mn></mjx-math>"
    #expect(try canonical(drawn(glyphs)) == "<p>a 𝑥=2 b</p>")
    #expect(try canonical(drawn(glyphs, " aria-label='x equals 2'")) == "<p>a x equals 2 b</p>")
    let assistive =
      "<mjx-assistive-mml><math><mi>x</mi><mo>=</mo><mn>2</mn></math></mjx-assistive-mml>"
    #expect(
      try canonical(drawn(glyphs + assistive)).contains(
        "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>"))
    let vectors = "<svg><g><use data-c=1D465></use><use data-c=3D></use></g></svg>"
    #expect(try canonical(drawn(vectors)) == "<p>a 𝑥= b</p>")
    #expect(try sanitized(drawn("<svg><g></g></svg>")).losses["formula"] == 1)
    // What cannot be read stays as its source.
    #expect(
      try canonical(drawn("<mjx-math data-latex='\\nothing x'></mjx-math>")).contains(
        "<code class=\"latex\">"))
  }

  @Test func `a heading that has ended keeps the words it has`() throws {
    let result = try sanitized(
      "<h2>a <span class=MathJax_Preview>y</span></h2><script type=math/tex>z</script>")
    #expect(result.headings.map(\.text) == ["a y"])
    #expect(text(result.bytes).contains("a y</h2>"))
    let begun = try sanitized(
      "<p><span class=MathJax_Preview>y</span><h2><script type=math/tex>z</script></h2>")
    #expect(begun.headings.map(\.text) == ["z"])
  }

  @Test func `formulas that follow each other are all written`() throws {
    let one = "<script type=math/tex>x</script>"
    #expect(try canonical(one + one).ranges(of: "<math").count == 2)
    let drawn = "<span class=MathJax><math><mi>x</mi></math></span>" + one
    #expect(try canonical(drawn + " " + drawn).ranges(of: "<math").count == 2)
    let preview = "<span class=MathJax_Preview>x</span>" + one
    #expect(try canonical(preview + preview).ranges(of: "<math").count == 2)
  }

  @Test(arguments: [
    "<math><mtext><script>alert(1)</script></mtext></math>",
    "<math><mi href=javascript:alert(1) onclick=1>x</mi></math>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=1></annotation-xml><mi>x</mi></math>",
    "</script><img src=x onerror=alert(1)>",
  ])
  func `formulas contain no forbidden content`(source: String) throws {
    for html in [
      "<script type=math/mml>\(source)</script>",
      "<span class=MathJax data-mathml='\(source)'>y</span>",
      "<script type=math/tex>\\text{\(source)}</script>",
      "<p>\\(\\text{\(source)}\\) $$\\href{\(source)}{x}$$</p>",
    ] {
      let shown = try canonical(html)
      #expect(!shown.contains("<script") && !shown.contains("<mi href"), "\(shown)")
      #expect(!shown.contains("<img src=\"x\""), "\(shown)")
      #expect(try canonical(shown) == shown)
    }
  }

  @Test(arguments: ["s\u{11}x", "\u{7F}x", "x\u{1}"])
  func `a formula's source has the same text in the page and as a file`(source: String) throws {
    let result = try sanitized("<script type=math/asciimath>\(source)</script>")
    #expect(try HTMLSanitizer().plainText(of: result.bytes) == result.plainText)
  }

  @Test func `scripts of other types stay out`() throws {
    for type in ["", "math", "math/javascript", "text/x-mathjax-config", "x math/tex"] {
      #expect(try canonical("<p>a<script type=\"\(type)\">x</script></p>") == "<p>a</p>")
    }
  }

  @Test(arguments: [
    ("<mfenced><mi>x</mi></mfenced>", "(x)"), ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
    (
      "<mfenced open='[' close=']' separators=';|'><mi>a</mi><mi>b</mi><mn>1</mn><mn>2</mn></mfenced>",
      "[a;b|1|2]"
    ),
    ("<mfenced open='{' close='' separators=''><mrow><mi>a</mi></mrow><mi>b</mi></mfenced>", "{ab"),
    (
      "<mfenced open='〈' close='〉'><mfenced><mi>a</mi><mi>b</mi></mfenced><mi>c</mi></mfenced>",
      "〈(a,b),c〉"
    ),
    ("<mfenced open=' ' close='&lt;'/>", "<"),
  ])
  func `brackets and separators that browsers do not draw are written as operators`(
    source: String, shown: String
  ) throws {
    let clean = try canonical("<p><math>\(source)</math></p>")
    #expect(!clean.contains("mfenced"))
    var text = ""
    var isTag = false
    for character in clean {
      if character == "<" {
        isTag = true
      } else if character == ">" {
        isTag = false
      } else if !isTag {
        text.append(character)
      }
    }
    #expect(text.replacing("&lt;", with: "<") == shown)
    #expect(try canonical(clean) == clean)
  }
}
