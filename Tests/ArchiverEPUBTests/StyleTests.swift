import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

struct StyleTests {
  private func filtered(_ css: String, keepsColors: Bool = true) -> String {
    StyleSheetFilter(
      declarations: DeclarationFilter { address, _ in
        address == "font.ttf" ? "../assets/1.ttf" : nil
      },
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
    ("[onclick] p { margin: 0 } p:not([data-x]) {margin:0}", ""),
    (
      "[lang|=en] p {margin:0}",
      ".sheet [lang|=\"en\"] p,.book[lang|=\"en\"] p,.sheet[lang|=\"en\"] p{margin:0}\n"
    ),
    ("p { margin: 0", ".sheet p{margin:0}\n"),
    ("} p { margin: 0 }", ".sheet p{margin:0}\n"),
  ])
  func `keeps layout inside the sheet and nothing that reaches out`(css: String, expected: String) {
    #expect(filtered(css) == expected)
  }

  @Test(arguments: [
    (
      "[epub|type~='z:poem'] p",
      ".sheet [data-epub-type~=\"z:poem\"] p,.book[data-epub-type~=\"z:poem\"] p,"
        + ".sheet[data-epub-type~=\"z:poem\"] p"
    ),
    ("a[*|type=x]", ".sheet a[data-epub-type=\"x\"]"),
    ("a[epub\\:type]", ".sheet a[data-epub-type]"),
    ("p[class^=alpha]", ".sheet p[class^=\"b-alpha\"]"),
    ("p[class~=x i]", ".sheet p[class~=\"b-x\" i]"),
    ("p[class*='a b']", ".sheet p[class*=\"a b-b\"]"),
    ("p[id$=end]", ".sheet p[id$=\"end\"]"), ("p[id=a]", ".sheet p[id=\"c-a\"]"),
    ("p:not(.foo):not(.v)", ".sheet p:not(.b-foo):not(.b-v)"),
    (
      ":is(p):where(#p6)",
      ".sheet :is(p):where(#c-p6),.book:is(p):where(#c-p6),.sheet:is(p):where(#c-p6)"
    ),
    ("div:has(> img, p + p)", ".sheet div:has(> img,p + p)"), ("svg|", ""),
    ("svg|path", ".sheet path"), ("html > body.x", ".book > .sheet.b-x"),
    ("a[href^='https://x']", ".sheet a[href^=\"https://x\"]"), ("a[href$=pdf]", ""),
    ("p:lang(en, 'fr')", ".sheet p:lang(en, \"fr\")"), ("p[class*='-']", ""),
    ("p >", ""), ("p::-webkit-scrollbar", ""), (":not(:is(p)", ""),
  ])
  func `selectors of today mean the same in the pages`(selector: String, expected: String) {
    let text = filtered(selector + "{margin:0}")
    #expect(text == (expected.isEmpty ? "" : expected + "{margin:0}\n"))
  }

  @Test(arguments: [
    (":root{--W:33px}", ".book{--b-W:33px}\n"),
    ("p{margin:var(--W,var(--page))}", ".sheet p{margin:var(--b-W,var(--b-page))}\n"),
    ("p{aspect-ratio:2/1}", ".sheet p{aspect-ratio:2/1}\n"),
    ("p{grid-template-areas:\"a b\"}", ".sheet p{grid-template-areas:\"a b\"}\n"),
    ("p{grid-template-columns:[a] 1fr}", ".sheet p{grid-template-columns:[a] 1fr}\n"),
    ("p{inline-size:calc(2px + 1em)}", ".sheet p{inline-size:calc(2px + 1em)}\n"),
    (
      "p{color:oklch(40% 0.2 30 / .5)!important}",
      ".sheet p{color:oklch(40% 0.2 30 / .5)!important}\n"
    ),
    ("path{fill:url(#g)}", ".sheet path{fill:url(\"#c-g\")}\n"),
    ("@layer a{p{margin:0}}", "@layer b-a{\n.sheet p{margin:0}\n}\n"),
    ("@layer a, b.c;", "@layer b-a,b-b.c;\n"),
    ("@import 'b.css' layer(x) print;", "@media print{\n@layer b-x{\n/*b*/}\n}\n"),
    ("@import 'b.css' supports(display:grid);", "@supports (display:grid){\n/*b*/}\n"),
    (
      "@media (400px <= width < 50em){p{margin:0}}",
      "@media ( 50em>width >=400px ){\n.sheet p{margin:0}\n}\n"
    ),
    (
      "@container (min-width:1px){p{margin:0}}",
      "@container (min-width:1px){\n.sheet p{margin:0}\n}\n"
    ),
    (
      "@counter-style x{system:cyclic;symbols:'*'}",
      "@counter-style x{system:cyclic;symbols:\"*\"}\n"
    ),
    (
      "p{margin:0; & em{top:0} .x &{left:0} q{right:0} @media print{bottom:0} height:1px}",
      ".sheet p{margin:0;height:1px}\n:is(.sheet p) em{top:0}\n.b-x :is(.sheet p){left:0}\n"
        + ":is(.sheet p) q{right:0}\n@media print{\n.sheet p{bottom:0}\n}\n"
    ),
    ("p{*zoom:1;margin:0;width:1px !ie}", ".sheet p{margin:0}\n"),
    ("p{margin:0;content:\"a\nb\";top:0}", ".sheet p{margin:0}\n"),
  ])
  func `properties and rules of today are kept`(css: String, expected: String) {
    let text = filtered(css)
    #expect(text.filter { $0 != " " } == expected.filter { $0 != " " })
    #expect(!text.utf8.contains(0x3C))
  }

  @Test(arguments: [
    ":root{--x:url(http://evil/x)} p{background:var(--x)}", "p{--x:expression(1)}",
    "p{position:var(--x)}", "p{position:fixed!important}", "p{position:sticky}",
    "p{background:image-set('http://evil/x' 1x)}", "p{background:src('http://evil/x')}",
    "p{filter:url(http://evil/#x)}", "p{background:u\\rl(http://evil/x)}",
    "p{background:url(http://evil/x y)}", "p{background:url(\"http://evil/x\n)}",
    "@import url(http://evil/x) layer(a);", "@namespace x url(http://evil/);",
    "p{-moz-binding:url(x)}", "p{behavior:url(x)}", "p{animation:x 1s}",
    "@keyframes x{from{top:0}}",
    "@supports selector(a<b){p{margin:0}}", "@media (a<{p{margin:0}}", "p{--x:{}}",
    "p{--x:</style>}",
    "@counter-style x{symbols:url(http://evil/x)}", "@font-face{src:local(x)}",
    "@page{margin:0}", "@property --x{syntax:'*'}", "p{background:element(#x)}",
    "p{mask:url(//evil/x)}", "p{shape-outside:url(data:text/html,x)}",
  ])
  func `hostile style leaves nothing`(css: String) {
    let text = filtered(css)
    #expect(!text.contains("evil") && !text.contains("<") && !text.contains("url("))
    #expect(!text.contains("fixed") && !text.contains("sticky") && !text.contains("position:"))
    #expect(!text.contains("animation") && !text.contains("behavior") && !text.contains("binding"))
    #expect(!text.contains("expression") && !text.contains("element("), "\(text)")
  }

  @Test func `style in UTF-16 is read`() {
    let units = Array("\u{FEFF}p{margin:0}".utf16)
    let bytes = units.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    let filter = StyleSheetFilter(
      declarations: DeclarationFilter { _, _ in nil }, importing: { _ in nil }, keepsColors: true)
    #expect(filter.filter(bytes) == ".sheet p{margin:0}\n")
  }

  @Test func `nested rules do not multiply without end`() {
    let css = "p{" + String(repeating: "&,&,&,&,&,&{top:0;", count: 20)
    #expect(filtered(css).utf8.count < 1 << 20)
  }

  @Test func `colours apply to light pages only`() {
    #expect(
      filtered("p { color: #000; margin: 0 }", keepsColors: false)
        == ".sheet p{margin:0}\n@media (prefers-color-scheme:light){.sheet p{color:#000}}\n")
  }

  @Test func `an SVG image keeps its paint on dark pages`() {
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
    let time = processorTime { #expect(filtered(css).isEmpty) }
    #expect(time < .seconds(2))
  }

  @Test(arguments: [
    "transparent", "rgba(0, 0, 0, 0)", "rgb(1 2 3 / 0%)", "#0000", "#12345600", "TRANSPARENT",
  ])
  func `text over its image stays transparent where the image is shown`(color: String) {
    let inline = StyleSheetFilter(
      declarations: DeclarationFilter { _, _ in nil }, importing: { _ in nil }, keepsColors: false
    ).inline("color: \(color)")
    #expect(inline == "color:var(--clear)")
    #expect(
      filtered("p { color: \(color)!important }", keepsColors: false)
        == ".sheet p{color:var(--clear)!important}\n")
  }

  @Test(arguments: ["#000", "#10203040", "rgba(0,0,0,.5)", "rgb(0,0,0)", "hsl(0 0% 0%)"])
  func `text that the book shows stays shown`(color: String) {
    #expect(!DeclarationFilter.isTransparent(color))
  }
}
