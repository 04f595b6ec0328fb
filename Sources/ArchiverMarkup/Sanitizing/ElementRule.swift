/// How an element is processed. An element without a rule loses its tags and keeps its content.
enum ElementRule {
  case block(String, BlockKind)
  case heading(Int)
  /// An inline element; `nests` is true if it has an additional effect inside itself.
  case inline(String, nests: Bool)
  case span
  case link
  case ruby(String)
  case lineBreak
  case wordBreak
  case rule
  case column
  case image
  case picture
  case source
  case media
  case track
  case embed
  case object
  case noscript
  case map
  case area
  /// Loses its tags; its text is separated from adjacent text.
  case apart
  case option
  case optionGroup
  case template
  /// Its content is markup that parsers read as text.
  case fallback
  case math
  case drawing
  case highlight
  case highlightPiece
  case superscript
  case control
  case base
  /// The element is removed with its content.
  case drop
  /// Like `drop`, and counted as a script.
  case script

  var isInline: Bool {
    switch self {
    case .inline, .span, .link: true
    default: false
    }
  }

  static let table: [String: ElementRule] = {
    var rules: [String: ElementRule] = [
      "p": .block("p", .paragraph), "blockquote": .block("blockquote", .container),
      "figure": .block("figure", .container), "figcaption": .block("figcaption", .container),
      "details": .block("details", .details), "summary": .block("summary", .summary),
      "pre": .block("pre", .preformatted), "xmp": .block("pre", .preformatted),
      "listing": .block("pre", .preformatted), "plaintext": .block("pre", .preformatted),
      "textarea": .block("pre", .preformatted), "noembed": .fallback, "noframes": .fallback,
      "ul": .block("ul", .list),
      "menu": .block("ul", .list), "dir": .block("ul", .list), "ol": .block("ol", .list),
      "li": .block("li", .item), "dl": .block("dl", .definitionList), "dt": .block("dt", .term),
      "dd": .block("dd", .definition), "table": .block("table", .table),
      "caption": .block("caption", .caption), "colgroup": .block("colgroup", .columnGroup),
      "thead": .block("thead", .rowGroup), "tbody": .block("tbody", .rowGroup),
      "tfoot": .block("tfoot", .rowGroup), "tr": .block("tr", .row), "td": .block("td", .cell),
      "th": .block("th", .cell), "a": .link, "ruby": .ruby("ruby"), "rt": .ruby("rt"),
      "rp": .ruby("rp"), "br": .lineBreak, "wbr": .wordBreak, "hr": .rule, "col": .column,
      "img": .image, "image": .image, "picture": .picture, "source": .source, "track": .track,
      "video": .media,
      "audio": .media, "iframe": .embed, "embed": .embed, "frame": .embed, "object": .object,
      "applet": .object, "noscript": .noscript, "math": .math, "svg": .drawing,
      "mark": .highlightPiece, "sup": .superscript,
      "input": .control, "base": .base, "script": .script, "span": .span, "font": .span,
      "map": .map, "area": .area, "button": .apart, "select": .apart, "canvas": .apart,
      "optgroup": .optionGroup,
      "option": .option, "template": .template,
      // AMP's elements.
      "amp-img": .image, "amp-anim": .image, "amp-video": .media, "amp-audio": .media,
      "amp-iframe": .embed,
    ]
    let divisions = [
      "div", "section", "article", "aside", "header", "footer", "main", "nav", "address", "center",
      "hgroup", "form", "fieldset", "legend", "dialog", "search",
    ]
    for name in divisions { rules[name] = .block("div", .division) }
    for level in 1...6 { rules["h\(level)"] = .heading(level) }
    for name in ["strong", "em", "b", "i", "u", "s", "code", "kbd", "samp", "var", "dfn", "cite"] {
      rules[name] = .inline(name, nests: false)
    }
    for name in ["sub", "small", "abbr", "time", "del", "ins", "q", "bdi", "bdo"] {
      rules[name] = .inline(name, nests: true)
    }
    for (old, new) in ["strike": "s", "tt": "code", "acronym": "abbr"] {
      rules[old] = .inline(new, nests: false)
    }
    // Content that is not displayed or not written by the author.
    let dropped = [
      "style", "title", "datalist", "annotation", "annotation-xml", "meta", "link",
      "selectedcontent",
    ]
    for name in dropped { rules[name] = .drop }
    return rules
  }()
}
