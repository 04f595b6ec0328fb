import Testing

@testable import ArchiverEPUB

struct StyleTests {
  private func filtered(_ css: String, keepsColors: Bool = true) -> String {
    StyleSheetFilter(
      declarations: DeclarationFilter { $0 == "font.ttf" ? "../assets/1.ttf" : nil },
      importing: { $0 == "b.css" ? "/*b*/" : nil }, keepsColors: keepsColors
    ).filter(css.utf8)
  }

  @Test(arguments: [
    ("p.x > em { text-indent: 1em; behavior: url(x) }", ".sheet p.b-x > em{text-indent:1em}\n"),
    ("html, body.a { margin: 0 }", ".book,.sheet.b-a{margin:0}\n"),
    (
      "#n1::before { content: \"</style>\" }",
      ".sheet #c-n1::before,.book#c-n1::before,.sheet#c-n1::before{content:\"\\3c /style\\3e \"}\n"
    ),
    ("a { background: url(http://evil/x.png) }", ""),
    ("a { width: expression(alert(1)) }", ""),
    ("a { position: fixed; top: 0 }", ".sheet a{top:0}\n"),
    ("p { -epub-writing-mode: vertical-rl }", ".sheet p{writing-mode:vertical-rl}\n"),
    ("@import url('b.css'); @charset 'x'; p{margin:0}", "/*b*/.sheet p{margin:0}\n"),
    (
      "@font-face{font-family:F;src:url(font.ttf)}",
      "@font-face{font-family:F;src:url(\"../assets/1.ttf\")}\n"
    ),
    ("@font-face{font-family:F;src:url(//evil/f.ttf)}", ""),
    ("@media print { p { margin: 0 } }", "@media print{\n.sheet p{margin:0}\n}\n"),
    (
      "p { u\\72l: 1; color: u\\72l(x) } .\\31 a{margin:0}",
      ".sheet .b-1a,.book.b-1a,.sheet.b-1a{margin:0}\n"
    ),
    (
      ".v > p, q { margin: 0 }",
      ".sheet .b-v > p,.book.b-v > p,.sheet.b-v > p,.sheet q{margin:0}\n"
    ),
    ("[onclick] p { margin: 0 } [lang|=en] p {margin:0}", ""),
    ("p { margin: 0", ".sheet p{margin:0}\n"),
    ("} p { margin: 0 }", ".sheet p{margin:0}\n"),
  ])
  func `keeps layout inside the sheet and nothing that reaches out`(css: String, expected: String) {
    #expect(filtered(css) == expected)
  }

  @Test func `colours apply to light pages only`() {
    #expect(
      filtered("p { color: #000; margin: 0 }", keepsColors: false)
        == ".sheet p{margin:0}\n@media (prefers-color-scheme:light){.sheet p{color:#000}}\n")
  }

  @Test func `a drawing keeps its paint on dark pages`() {
    #expect(
      filtered("path { fill: none; stroke: #000; stroke-linecap: round }", keepsColors: false)
        == ".sheet path{fill:none;stroke:#000;stroke-linecap:round}\n")
  }

  @Test func `a coloured border is toned down on dark pages`() {
    #expect(
      filtered("p { border: 40px solid #eee; border-left: 1px solid }", keepsColors: false)
        == ".sheet p{border:40px solid #eee;border-left:1px solid}\n"
        + "@media screen and (prefers-color-scheme:dark){.sheet p{border-color:var(--line)}}\n")
    #expect(filtered("p { border: 1px solid red }") == ".sheet p{border:1px solid red}\n")
  }

  @Test func `deep nesting and long input end in time`() {
    let css = String(repeating: "@media all{", count: 20_000) + "p{margin:0}"
    let clock = ContinuousClock()
    let time = clock.measure { #expect(filtered(css).isEmpty) }
    #expect(time < .seconds(2))
  }
}
