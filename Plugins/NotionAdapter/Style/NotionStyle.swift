import ArchiverMarkup

/// The style of Notion's pages: the classes in the adapter's HTML, and their rules.
package enum NotionStyle {
  private static let colors = [
    "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red",
  ]

  private static let parts = [
    "n-audio", "n-bar", "n-board", "n-bookmark", "n-box", "n-breadcrumb", "n-calendar", "n-callout",
    "n-callout-text", "n-card", "n-chart", "n-code", "n-column", "n-columns", "n-comment",
    "n-comments",
    "n-contents", "n-contents-1", "n-contents-2", "n-contents-3", "n-contents-4", "n-count",
    "n-dashboard", "n-database", "n-day", "n-discussion", "n-done", "n-drawn", "n-equation",
    "n-era", "n-fact", "n-figure", "n-file",
    "n-file-link", "n-form", "n-gallery", "n-ghost", "n-group", "n-group-title", "n-icon",
    "n-image",
    "n-indent", "n-item", "n-item-content", "n-item-cover", "n-item-title", "n-language", "n-latex",
    "n-linked",
    "n-meeting", "n-meeting-part", "n-meeting-title", "n-mention", "n-note", "n-number", "n-page",
    "n-page-icon", "n-page-link", "n-pdf", "n-properties", "n-rows", "n-scroll", "n-synced",
    "n-sub-1", "n-sub-2", "n-sub-3", "n-sub-4", "n-sub-5", "n-tab", "n-tab-label", "n-table",
    "n-tabs", "n-tag", "n-template", "n-thumbnail", "n-timeline", "n-to-do",
    "n-toggle", "n-unit", "n-unsupported", "n-user", "n-video", "n-view", "n-whole",
  ]

  /// Every class in the adapter's HTML; the sanitiser permits exactly these.
  package static let classes: Set<String> = Set(
    parts + colors.flatMap { ["n-c-\($0)", "n-bg-\($0)"] } + (1...12).map { "n-w-\($0)" }
      + CodeToken.Kind.allCases.map { "n-s-\($0.rawValue)" })

  /// Rules for pages, light and dark, on screen and in print.
  package static let css: String = {
    let light = zip(colors, lightColors).map(rule).joined()
    let dark = zip(colors, darkColors).map(rule).joined()
    let widths = (1...12).map { ".n-w-\($0){flex:\($0) 1 0}" }.joined()
    return layout + widths + light + codeRules(lightColors)
      + "@media (prefers-color-scheme:dark){\(dark)\(codeRules(darkColors))}\n"
  }()

  /// The colour of each kind of token, by its index in the colours.
  private static func codeRules(_ colors: [(text: String, back: String)]) -> String {
    CodeToken.Kind.allCases.map { kind in
      let place =
        switch kind {
        case .comment: 0
        case .keyword: 6
        case .string: 4
        case .number: 2
        case .type: 5
        case .name: 8
        case .meta: 1
        }
      return ".n-s-\(kind.rawValue){color:\(colors[place].text)}"
    }.joined() + "\n"
  }

  private static func rule(_ name: String, _ color: (text: String, back: String)) -> String {
    ".n-c-\(name){color:\(color.text)}.n-bg-\(name){background:\(color.back)}\n"
  }

  private static let lightColors = [
    ("#6b6a66", "#ebebea"), ("#8a5a3c", "#f1e7e1"), ("#a84d0c", "#fbe6d5"), ("#8f6a00", "#faf0cf"),
    ("#2f6f4f", "#e0f0e5"), ("#2060a8", "#dfeefb"), ("#7546a8", "#eee4f6"), ("#a83a78", "#f8e2ee"),
    ("#b83228", "#fde4e1"),
  ]

  private static let darkColors = [
    ("#a5a4a0", "#2f2f2f"), ("#c79b7f", "#41322a"), ("#e09a5c", "#4b3320"), ("#dcb950", "#463a1c"),
    ("#78bd93", "#223a2c"), ("#74ade6", "#1d3349"), ("#b792dc", "#382a47"), ("#dc89b6", "#472739"),
    ("#ea8077", "#4d2724"),
  ]

  private static let layout = """
    .n-indent{margin-inline-start:1.5em}
    .n-icon{display:inline-block;margin-inline-end:.35em}
    .n-icon img{height:1.2em;width:auto;vertical-align:-.2em;display:inline;margin:0;border-radius:3px;\
    background:none}
    .n-drawn{width:1.3em;height:1.3em;font-size:.9em;line-height:1.3;text-align:center;vertical-align:-.1em;\
    border-radius:.3em;background:color-mix(in srgb,currentColor 14%,transparent);\
    box-shadow:inset 0 0 0 .08em currentColor}
    .n-icon:has(.missing-image [aria-label="Missing image"]){display:none}
    .n-icon .missing-image{padding:0;border:0;background:none;font-size:0}
    .n-icon .missing-image [role="img"]{font-size:.88rem}
    .n-icon .missing-image :is(a,small){display:none}
    .n-page-icon{font-size:3rem;line-height:1;margin-block-end:.25em}
    .n-page-icon .n-icon img{height:1.5em}
    .n-callout{display:flex;gap:.4em;padding:.8em 1em;margin:1em 0;border-radius:6px;\
    border:1px solid color-mix(in srgb,currentColor 15%,transparent)}
    .n-callout-text{flex:1;min-width:0}
    .n-callout-text>:first-child{margin-top:0}.n-callout-text>:last-child{margin-bottom:0}
    .n-columns{display:flex;gap:1.5em;flex-wrap:wrap}
    .n-column{flex:1 1 0;min-width:12em}
    .n-scroll{overflow-x:auto}
    @media screen and (min-width:60em){\
    :is(.body,.body>.n-linked)>:is(.n-scroll:has(>:is(.n-database,.n-timeline)),.n-board):dir(ltr){\
    width:max-content;min-width:100%;max-width:min(92vw,72rem);position:relative;left:50%;\
    transform:translateX(-50%)}}
    .n-table,.n-database,.n-calendar,.n-timeline{border-collapse:collapse;font-size:.93em}
    .n-table td,.n-table th,.n-database td,.n-database th,.n-calendar td,.n-calendar th,\
    .n-timeline td,.n-timeline th{\
    border:1px solid color-mix(in srgb,currentColor 18%,transparent);padding:.35em .6em;\
    text-align:start;vertical-align:top;overflow-wrap:break-word}
    .n-table th,.n-database thead th{background:color-mix(in srgb,currentColor 6%,transparent);\
    font-weight:600}
    .n-database td,.n-database th{max-width:24em}
    .n-database time,.n-fact time,.n-whole{white-space:nowrap}
    .n-database tbody th{min-width:9em}
    .n-database td:has(.n-tag+.n-tag){min-width:12em}
    .n-database .n-file-link{overflow-wrap:normal}.n-database .n-thumbnail img{max-width:none}
    .n-scroll table.n-calendar{display:table;table-layout:fixed;width:100%;min-width:42em}
    .n-calendar td{height:5.5em}
    .n-timeline tbody th{min-width:9em}
    .n-timeline .n-unit,.n-timeline .n-era{font-size:.78em;padding:.2em .3em;font-weight:400;\
    text-align:center;white-space:nowrap}
    .n-timeline .n-unit{min-width:1.4em}
    .n-timeline td[colspan],.n-timeline .n-bar,.n-timeline td:empty{padding:.3em 0}
    .n-bar::before{content:"";display:block;height:1.1em;min-width:.5em;border-radius:4px;\
    background:currentColor;print-color-adjust:exact;-webkit-print-color-adjust:exact}
    .n-sub-1{padding-inline-start:1.8em!important}.n-sub-2{padding-inline-start:3em!important}
    .n-sub-3{padding-inline-start:4.2em!important}.n-sub-4{padding-inline-start:5.4em!important}
    .n-sub-5{padding-inline-start:6.6em!important}
    .n-chart img{width:100%;max-width:30em;height:auto;background:none}
    .n-figure{font-size:2.4em;font-weight:600;margin:0;line-height:1.2}
    .n-number p{margin-block:.2em}
    .n-form li{margin:.5em 0}
    .n-item .n-item-content{font-size:.9em;opacity:.8;margin:.3em 0}
    .n-dashboard{margin:1em 0}
    .n-day{font-size:.8em;opacity:.65}
    ol ol:not([type]),ol ol ol ol ol:not([type]){list-style-type:lower-alpha}
    ol ol ol:not([type]),ol ol ol ol ol ol:not([type]){list-style-type:lower-roman}
    ol ol ol ol:not([type]){list-style-type:decimal}
    .n-to-do{list-style:none;padding-inline-start:.2em}
    .n-box{display:inline-block;margin-inline-end:.45em}
    .n-done{opacity:.65;text-decoration:line-through}
    .n-toggle>summary{cursor:pointer}
    .n-toggle>summary h2,.n-toggle>summary h3,.n-toggle>summary h4,.n-toggle>summary h5{\
    display:inline}
    .n-code pre{overflow-x:auto;padding:1em;border-radius:6px}
    .n-language{font-size:.78em;opacity:.7}
    .n-equation{overflow-x:auto;margin:1em 0;text-align:center}
    .n-equation>math{width:fit-content;margin-inline:auto}
    .n-card,.n-file-link{overflow-wrap:anywhere}
    :is(p,h2,h3,h4,h5,blockquote)[class*="n-bg-"]{padding-block:.2em;border-radius:4px}
    :is(p,h2,h3,h4,h5)[class*="n-bg-"]{padding-inline:.4em}
    :is(.n-bookmark,.n-video,.n-audio) .n-card{display:block;padding:.7em 1em;border-radius:6px;\
    border:1px solid color-mix(in srgb,currentColor 18%,transparent)}
    .n-image img,.n-video video{max-width:100%;height:auto}
    .n-audio audio{width:100%}
    .n-thumbnail img{height:3.2em;width:auto;display:inline;margin:0;border-radius:4px}
    .n-mention{border-radius:3px}
    .n-user{opacity:.75}
    .n-ghost,.n-note{opacity:.7;font-size:.92em}
    .n-ghost{font-style:italic}
    .n-breadcrumb{font-size:.9em;opacity:.8}
    .n-contents p{margin:.15em 0}
    .n-contents-2{padding-inline-start:1.2em}.n-contents-3{padding-inline-start:2.4em}
    .n-contents-4{padding-inline-start:3.6em}
    .n-synced,.n-template,.n-unsupported,.n-meeting,.n-tab{padding:.1em 1em;margin:1em 0;\
    border-inline-start:3px solid color-mix(in srgb,currentColor 18%,transparent)}
    .n-unsupported{padding:.6em 1em;font-size:.92em}
    .n-tab-label,.n-meeting-title{font-weight:600}
    .n-tag{display:inline-block;padding:0 .5em;border-radius:4px;font-size:.9em;\
    line-height:1.5;margin:.1em 0}
    .n-properties{display:grid;grid-template-columns:minmax(7em,auto) 1fr;gap:.3em 1.2em;\
    font-size:.93em;margin:1em 0 1.6em}
    body:has(.n-properties) .facts{display:none}
    .n-properties dt{opacity:.7}.n-properties dd{margin:0;min-width:0;overflow-wrap:anywhere}
    .n-board{display:flex;gap:1em;overflow-x:auto;align-items:flex-start}
    .n-group{flex:0 0 15em}
    .n-group-title{font-size:1em}
    .n-group .n-group-title{margin-block:.2em .6em}
    .n-count{opacity:.7;font-weight:400}
    .n-gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(13em,1fr));gap:1em}
    .n-item{border:1px solid color-mix(in srgb,currentColor 16%,transparent);border-radius:6px;\
    padding:.6em .8em;margin:0 0 .6em;font-size:.93em;overflow:hidden;overflow-wrap:anywhere}
    .n-calendar .n-item{padding:.1em .4em;margin:.15em 0;font-size:.85em}
    .n-item .n-item-title{font-weight:600;margin:.1em 0 .3em}
    .n-item-cover{margin:-.6em -.8em .5em}
    .n-item-cover img{width:100%;height:9em;object-fit:cover;margin:0;display:block}
    .n-fact{margin:.15em 0}
    .n-linked{margin:0 0 1.6em}
    .n-database .origin,.n-item .origin,.n-rows .origin,.n-calendar .origin,.n-timeline .origin,\
    .n-breadcrumb .origin,.n-page-link .origin{display:none}
    .body .n-rows{list-style:none;padding:0}
    .n-rows li{padding:.3em 0;border-bottom:1px solid color-mix(in srgb,currentColor 10%,transparent)}
    .n-rows .n-fact{display:inline-block;margin-inline-start:1em;opacity:.85;font-size:.9em}
    .n-comments{margin-top:3em;border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}
    .n-discussion{margin:1.2em 0;padding-inline-start:1em;\
    border-inline-start:3px solid color-mix(in srgb,currentColor 18%,transparent)}
    .n-comment p{margin:.25em 0}
    @media print{.n-scroll,.n-board{overflow:visible}.n-timeline{font-size:.6em}\
    .n-timeline .n-unit{min-width:0;padding:.1em}.n-timeline tbody th{min-width:5em}\
    .n-board{flex-wrap:wrap}.n-toggle::details-content{content-visibility:visible;height:auto}}

    """
}
