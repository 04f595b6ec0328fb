/// The style of the frame of pages, light and dark; a book's style sheets follow it.
///
/// The rules of the layer `room` are important, and important rules of a layer are stronger than all
/// rules outside of layers (CSS Cascading 5 section 6.4.4): what a book says of `html` and `body`
/// changes neither the margins of a page nor the extent of its text.
enum BookStyle {
  static let sheet = """
    @layer room {
      .flow > .book { inline-size: auto !important; min-inline-size: 0 !important; max-inline-size: 44rem !important; margin: 0 auto !important; padding: 0 clamp(1rem, 4vw, 2rem) !important; background: none !important; color: inherit !important; }
      .flow > .book > .sheet { inline-size: auto !important; min-inline-size: 0 !important; max-inline-size: none !important; margin: 0 -1rem !important; padding: 0 1rem !important; background: none !important; color: inherit !important; }
      .flow > .book, .flow > .book > .sheet { display: block !important; position: relative !important; inset: auto !important; float: none !important; columns: auto !important; transform: none !important; white-space: normal !important; }
      :is(.flow, .vertical) > .book, :is(.flow, .vertical) > .book > .sheet { block-size: auto !important; min-block-size: 0 !important; max-block-size: none !important; }
      .flow > .book { overflow: visible !important; }
      :is(.flow, .vertical) :is(span, a)[data-page]:empty { display: inline !important; position: static !important; visibility: visible !important; }
      .flow > .book > .sheet { overflow: auto hidden !important; }
      .sheet a[data-running] { text-decoration-line: underline !important; }
      .placed > .book > .sheet { min-block-size: calc(100vh - 9rem) !important; overflow: auto !important; }
      .vertical > .book { inline-size: auto !important; max-inline-size: none !important; margin: 0 !important; padding: 0 clamp(.5rem, 2vw, 1rem) !important; overflow: visible !important; columns: auto !important; }
      .vertical > .book > .sheet { block-size: max-content !important; inline-size: min(85vh, 44rem) !important; max-inline-size: none !important; margin: 0 !important; padding: 0 !important; overflow: visible !important; columns: auto !important; }
      @media print {
        .flow > .book { max-inline-size: none !important; padding: 0 !important; }
        .flow > .book > .sheet { overflow: visible !important; }
        .vertical, .vertical > .book, .vertical > .book > .sheet { writing-mode: horizontal-tb !important; inline-size: auto !important; block-size: auto !important; padding: 0 !important; overflow: visible !important; }
      }
    }
    :root { color-scheme: light dark; --paper: #fbfaf7; --raised: #fff; --line: #dcd6ca; --ink: #23201b; --soft: #5c564c; --link: #0f5c8a; --mark: #f2efe8; }
    @media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) { --paper: #191816; --raised: #22211e; --line: #3a3732; --ink: #e9e5dc; --soft: #aaa397; --link: #8ec5ea; --mark: #2a2825; } }
    @media screen { :root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; --paper: #191816; --raised: #22211e; --line: #3a3732; --ink: #e9e5dc; --soft: #aaa397; --link: #8ec5ea; --mark: #2a2825; } :root[data-theme="sepia"] { color-scheme: light; --paper: #f4ead5; --raised: #fbf4e4; --line: #d8c9a8; --ink: #35291a; --soft: #5e5039; --link: #0b517c; --mark: #eadfc6; } }
    *, *::before, *::after { box-sizing: border-box; }
    html { background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block: 1.5rem; overscroll-behavior-x: none; }
    body { margin: 0; font: 400 1.125rem/1.65 ui-serif, Charter, "Iowan Old Style", "Source Serif 4", Georgia, Cambria, "Noto Serif", "Noto Serif CJK SC", serif; overflow-wrap: break-word; }
    :any-link { color: var(--link); text-underline-offset: .16em; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
    .skip { position: absolute; inset-inline-start: 1rem; inset-block-start: -4rem; background: var(--raised); padding: .5rem 1rem; z-index: 2; }
    .skip:focus { inset-block-start: .5rem; }
    .bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; max-width: 44rem; margin-inline: auto; padding: 1rem clamp(1rem, 4vw, 2rem); font: .9rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    .bar a { display: inline-block; padding-block: .25rem; text-decoration: none; }
    .bar > span { display: flex; flex-wrap: wrap; gap: 0 .9rem; }
    .bar a:hover { text-decoration: underline; }
    .bottom { border-block-start: 1px solid var(--line); margin-block-start: 3rem; }
    .book { max-width: 44rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem); isolation: isolate; position: relative; contain: paint; }
    .sheet { position: relative; margin-inline: -1rem; padding-inline: 1rem; }
    :where(.flow .sheet) :is(div, section, article, aside, header, footer, nav, figure, blockquote, p, ul, ol, dl, li, dd) { max-inline-size: 100%; }
    @media (prefers-color-scheme: light) { :root:not([data-theme]) .sheet { --clear: transparent; } }
    :root:is([data-theme="light"], [data-theme="sepia"]) .sheet { --clear: transparent; }
    .sheet [style*="background-image"] { --clear: transparent; }
    .fixed .sheet, .vertical .sheet { margin-inline: 0; padding-inline: 0; }
    .sheet img, .sheet video, .sheet svg { max-inline-size: 100%; max-block-size: 95vh; block-size: auto; object-fit: contain; }
    .sheet svg image { max-inline-size: none; }
    .sheet audio { max-inline-size: 100%; }
    .sound { max-width: 44rem; margin: .5rem auto; padding-inline: clamp(1rem, 4vw, 2rem); }
    .sound audio { inline-size: 100%; }
    .sheet table { display: block; inline-size: fit-content; max-inline-size: 100%; overflow-x: auto; border-collapse: collapse; }
    .sheet pre { overflow-x: auto; max-inline-size: 100%; font-size: .87em; line-height: 1.5; tab-size: 4; }
    .sheet h1, .sheet h2, .sheet h3 { line-height: 1.25; text-wrap: balance; }
    .sheet math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "Libertinus Math", "XITS Math", "DejaVu Math TeX Gyre", "Noto Sans Math", math; }
    .sheet math[display="block"] { display: block math; padding-block: .25em; }
    .flow .sheet :is(p, div, section, article, li, dd, dt, td, th, blockquote, figure, figcaption, h1, h2, h3, h4):has(> math) { overflow: auto hidden; }
    :is(.flow, .vertical) [data-page]:empty::before { content: attr(data-page); font: 400 .65rem/1 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; letter-spacing: 0; text-transform: none; color: var(--soft); border-inline: 1px solid var(--line); padding-inline: .3em; margin-inline: .15em; vertical-align: .3em; white-space: nowrap; -webkit-user-select: none; user-select: none; }
    :is(.flow, .vertical) :is(div, p, section, aside)[data-page]:empty { text-align: end; text-indent: 0; block-size: auto; border: 0; margin-block: .2em; }
    .sheet [data-text="none"] { -webkit-user-select: none; user-select: none; }
    .sheet :is([role="doc-footnote"], [data-epub-type~="footnote"], [data-epub-type~="endnote"]) { font-size: .88em; border-block-start: 1px solid var(--line); padding-block-start: .4em; margin-block: .8em; }
    .sheet :is([role="doc-footnote"], [data-epub-type~="footnote"], [data-epub-type~="endnote"]), .sheet [role="doc-endnotes"], .sheet :is(div, section, aside):has(:is([role="doc-footnote"], [data-epub-type~="footnote"], [data-epub-type~="endnote"])), .sheet :is(aside, [style*="display:none"]):target { display: revert !important; visibility: visible !important; max-block-size: none !important; }
    .sheet :is([role="doc-footnote"], [data-epub-type~="footnote"], [data-epub-type~="endnote"]), .sheet aside:target { block-size: auto !important; overflow: visible !important; opacity: 1 !important; }
    :target:not(main) { background: var(--mark); outline: 2px solid var(--link); outline-offset: 3px; border-radius: 2px; }
    @media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) :is(.flow, .vertical) .sheet :is(img, svg:not(svg *)) { background: #efece5; color: #1c1a17; } }
    @media screen { :root[data-theme="dark"] :is(.flow, .vertical) .sheet :is(img, svg:not(svg *)) { background: #efece5; color: #1c1a17; } }
    .vertical { writing-mode: vertical-rl; width: 100%; overflow-x: auto; overscroll-behavior-x: contain; }
    .vertical.from-left { writing-mode: vertical-lr; }
    .fixed .book { max-width: none; padding: 0; overflow: hidden; background: #fff; color: #000; color-scheme: light; --link: #0f5c8a; --line: #dcd6ca; --mark: #f2efe8; }
    .fixed .sheet { overflow: hidden; transform-origin: 0 0; }
    .fixed .sheet img, .fixed .sheet svg, .fixed .sheet video { max-inline-size: none; max-block-size: none; block-size: revert-layer; object-fit: fill; }
    .fixed .sheet p, .fixed .sheet h1, .fixed .sheet h2 { overflow-wrap: normal; }
    .two { display: none !important; }
    .mate { display: none; }
    .pair { direction: ltr; justify-content: center; align-items: center; }
    .pair.backwards { flex-direction: row-reverse; }
    .pair > * { flex: none; }
    .mate { border: 0; background: #fff; color-scheme: light; }
    body:target { background: none; outline: none; }
    body:target :is(.bar, .skip, .sound), body:target .pair .mate { display: none; }
    body:target .pair .book { margin: 0; }
    .whole { text-align: center; }
    .wide { display: none !important; }
    #content > h1 { position: absolute; inline-size: 1px; block-size: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .comic .other { display: none; }
    .comic { max-width: none; padding-inline: .5rem; }
    .comic .sheet { display: flex; justify-content: center; align-items: flex-start; margin-inline: 0; padding-inline: 0; }
    .comic .sheet img { min-inline-size: 0; max-block-size: max(20rem, 100vh - 6.5rem); max-block-size: max(20rem, 100dvh - 6.5rem); }
    .comic .strip img { max-block-size: none; inline-size: min(100%, 50rem); block-size: auto; }
    @media (max-height: 30rem) { .comic .sheet:not(.strip) img { max-block-size: 100vh; max-block-size: 100dvh; } }
    [dir="ltr"] > [data-next="left"] .turn { flex-direction: row-reverse; }
    .fit-links { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1rem; margin: 0; padding-block: .25rem; font: .85rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    .fit:target { background: none; outline: none; }
    #fit-width:target .sheet img { inline-size: 100%; max-block-size: none; block-size: auto; }
    #fit-height:target .sheet { inline-size: max-content; min-inline-size: 100%; overflow-x: visible; }
    #fit-height:target .comic { contain: none; overflow-x: auto; }
    #fit-height:target .sheet img { block-size: 100vh; block-size: 100dvh; max-block-size: none; max-inline-size: none; inline-size: auto; }
    .zone { position: absolute; inset-block: 0; inline-size: 25%; z-index: 1; }
    .zone.left { left: 0; cursor: w-resize; }
    .zone.right { right: 0; cursor: e-resize; }
    @media (min-width: 60rem) and (min-aspect-ratio: 6/5) { .narrow { display: none !important; } .wide { display: flex !important; } .comic .other { display: block; } .comic .pair .page { max-inline-size: 50%; } .comic .pair.backwards { flex-direction: row-reverse; } #fit-width:target .pair .page { inline-size: 50%; } #fit-height:target .pair .page { max-inline-size: none; } }
    .absent { border: 1px dashed var(--line); border-radius: 8px; padding: 1.25rem; color: var(--soft); }
    .contents h1 { font-weight: 650; line-height: 1.2; }
    .contents ol { list-style: none; padding-inline-start: 1.4em; margin: 0; }
    .contents > ol { padding: 0; }
    .contents li { padding-block: .15rem; }
    .contents a { text-decoration: none; }
    .contents h2 { font-size: 1.15rem; margin-block: 2rem .5rem; }
    .contents :is(h2 + ol, details > ol) { padding: 0; }
    .contents details { margin-block: 2rem; }
    .places > ol { display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
    .contents a:hover { text-decoration: underline; }
    :lang(zh) .sheet, :lang(ja) .sheet, :lang(ko) .sheet { line-height: 1.8; }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    @media (max-width: 30rem) { .flow .sheet { hyphens: auto; hyphenate-limit-chars: 10 4 4; } .flow .sheet :is(pre, code, kbd, samp) { hyphens: manual; } }
    @media (max-width: 30rem) { .bar { padding-block: .25rem; flex-wrap: nowrap; gap: .5rem; align-items: center; } .bar .up { flex-wrap: nowrap; min-inline-size: 0; } .bar .up a { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .bar .turn { flex: none; } .bar .turn span { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } .bar .turn a { font-size: 1.3rem; text-align: center; } }
    @media (max-width: 15rem) { .bar { flex-wrap: wrap; } .bar .up { inline-size: 100%; flex-wrap: wrap; gap: 0 .9rem; } }
    @media (pointer: coarse), (max-width: 30rem) { .bar a { min-inline-size: 2.75rem; padding-block: .75rem; } .fit-links a { padding: .75rem .25rem; } .contents li a { display: inline-block; min-inline-size: 2.75rem; padding-block: .5rem; } .contents summary { padding-block: .5rem; } .places > ol { gap: .25rem; } .places > ol li a { min-block-size: 2.75rem; text-align: center; } .sheet summary { padding-block: .5rem; } }
    @media print { :root { color-scheme: light; } .bar, .skip, .fit-links, .zone { display: none; } .book { max-width: none; padding: 0; } .flow .sheet pre { overflow: visible; white-space: pre-wrap; } .flow .sheet table { display: table; overflow: visible; } .sheet :is(img, svg, figure, tr) { break-inside: avoid; } .sheet :is(h1, h2, h3, h4) { break-after: avoid; } }

    """

  /// Returns rules that scale a page of fixed size to the window without a script: to its width, and
  /// in wide windows to its height too. The quotient of two lengths, which `tan(atan2())` yields, is
  /// supported by browsers since 2023; older ones scale by twentieths, and show one page of a spread.
  static func fixed(_ size: PageSize, beside mate: FixedSpreads.Mate?) -> String {
    let (width, height) = (size.width, size.height)
    var rules =
      ".fixed .book{width:\(width)px;height:\(height)px}"
      + ".fixed .sheet{width:\(width)px;height:\(height)px}\n"
    for step in stride(from: 19, through: 3, by: -1) {
      let limit = width * (step + 1) / 20
      rules += "@media (max-width:\(limit)px){"
      rules += ".fixed .book{width:\(width * step / 20)px;height:\(height * step / 20)px}"
      rules += ".fixed .sheet{transform:scale(\(decimal(step)))}}\n"
    }
    rules += "@supports (width:calc(1px*tan(atan2(1px,1px)))){@media (min-width:48rem){"
    rules += ".fixed{--s:\(scale(width, height))}\(scaled(size, ".fixed"))}"
    if let mate { rules += pair(size, mate) }
    return rules + "}\n"
  }

  /// Returns the factor by which a page, or two, of a size fits into the window.
  private static func scale(_ width: Int, _ height: Int) -> String {
    "min(1,tan(atan2(100vw - 2rem,\(width)px)),tan(atan2(100vh - 4rem,\(height)px)))"
  }

  private static func scaled(_ size: PageSize, _ scope: String) -> String {
    "\(scope) .book{width:calc(\(size.width)px*var(--s));height:calc(\(size.height)px*var(--s))}"
      + "\(scope) .sheet{transform:scale(var(--s))}"
  }

  /// Returns rules that show the other page of a spread beside a page, and for the page in the frame
  /// of the other one.
  private static func pair(_ size: PageSize, _ mate: FixedSpreads.Mate) -> String {
    let (width, height) = (size.width + mate.size.width, max(size.height, mate.size.height))
    let windows =
      mate.mode == .always
      ? "(min-width:48rem)" : "(min-width:60rem) and (min-aspect-ratio:6/5)"
    return "@media screen and \(windows){.pair{display:flex;--s:\(scale(width, height))}"
      + ".pair .book{margin:0}.pair .mate{display:block;width:calc(\(mate.size.width)px*var(--s));"
      + "height:calc(\(mate.size.height)px*var(--s))}"
      + ".one{display:none !important}.two{display:flex !important}}"
      + "body:target .pair{display:block;--s:min(tan(atan2(100vw,\(size.width)px)),"
      + "tan(atan2(100vh,\(size.height)px)))}\(scaled(size, "body:target"))"
  }

  private static func decimal(_ twentieths: Int) -> String {
    let hundredths = twentieths * 5
    return "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
  }
}
