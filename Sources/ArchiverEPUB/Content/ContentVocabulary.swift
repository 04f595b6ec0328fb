/// The permitted elements and attributes of a book's pages.
enum ContentVocabulary {
  /// Permitted elements with the names under which they are written. Of others only the content is
  /// kept.
  static let elements: [String: String] = {
    var names: [String: String] = [:]
    for name in [
      "p", "blockquote", "figure", "figcaption", "details", "summary", "pre", "ul", "ol", "li",
      "dl", "dt", "dd", "table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td",
      "th", "ruby", "rb", "rt", "rtc", "rp", "div", "section", "article", "aside", "header",
      "footer", "nav", "address", "hgroup", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em",
      "b", "i", "u", "s", "code", "kbd", "samp", "var", "dfn", "cite", "sub", "sup", "small",
      "abbr", "time", "del", "ins", "q", "bdi", "bdo", "span", "mark", "center",
    ] { names[name] = name }
    for (old, new) in [
      "main": "div", "form": "div", "fieldset": "div", "dialog": "div", "strike": "s",
      "tt": "code", "acronym": "abbr", "big": "span", "font": "span", "menu": "ul", "dir": "ul",
      "xmp": "pre", "listing": "pre", "plaintext": "pre", "legend": "p", "label": "span",
      "output": "span",
    ] { names[old] = new }
    return names
  }()

  /// Permitted elements that have no line of their own unless a style gives them one.
  static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
  ]

  static let voids: Set<String> = ["br", "hr", "wbr", "col"]

  /// Elements removed with their content.
  static let dropped: Set<String> = [
    "script", "head", "title", "meta", "link", "base", "template", "param",
    "datalist", "trigger", "keygen", "area",
  ]

  static let globalAttributes: Set<String> = ["title", "hidden", "aria-label", "aria-hidden"]

  static let attributes: [String: Set<String>] = [
    "td": ["colspan", "rowspan", "align", "valign", "width", "height"],
    "th": ["abbr", "colspan", "rowspan", "scope", "align", "valign", "width", "height"],
    "tr": ["align", "valign"],
    "table": ["border", "cellpadding", "cellspacing", "width", "align", "summary"],
    "col": ["span", "width", "align"], "colgroup": ["span", "width"],
    "ol": ["start", "type", "reversed"], "ul": ["type"], "li": ["value", "type"],
    "time": ["datetime"], "del": ["datetime"], "ins": ["datetime"], "details": ["open"],
    "p": ["align"], "div": ["align"], "h1": ["align"], "h2": ["align"], "h3": ["align"],
    "hr": ["width", "align"],
  ]

  /// ARIA roles for EPUB types (EPUB Structural Semantics Vocabulary; DPUB-ARIA 1.1).
  static let roles: [String: String] = [
    "noteref": "doc-noteref", "footnote": "doc-footnote", "endnote": "doc-footnote",
    "endnotes": "doc-endnotes", "backlink": "doc-backlink", "pagebreak": "doc-pagebreak",
    "chapter": "doc-chapter", "part": "doc-part", "epigraph": "doc-epigraph",
    "dedication": "doc-dedication", "preface": "doc-preface", "foreword": "doc-foreword",
    "afterword": "doc-afterword", "appendix": "doc-appendix", "bibliography": "doc-bibliography",
    "glossary": "doc-glossary", "index": "doc-index", "introduction": "doc-introduction",
    "prologue": "doc-prologue", "epilogue": "doc-epilogue", "conclusion": "doc-conclusion",
    "abstract": "doc-abstract", "colophon": "doc-colophon", "errata": "doc-errata",
  ]

  static let math: Set<String> = [
    "math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "ms", "mfrac", "msqrt", "mroot", "mstyle",
    "merror", "mpadded", "mphantom", "menclose", "msub", "msup", "msubsup", "munder",
    "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mlabeledtr",
    "mtd", "maction", "semantics",
  ]

  static let mathAttributes: Set<String> = [
    "display", "mathvariant", "mathsize", "displaystyle", "scriptlevel", "stretchy", "fence",
    "separator", "lspace", "rspace", "minsize", "maxsize", "accent", "accentunder", "form",
    "largeop", "movablelimits", "symmetric", "linethickness", "width", "height", "depth",
    "notation", "columnalign", "rowalign", "columnspan", "rowspan",
    "columnspacing", "rowspacing", "columnlines", "rowlines", "frame", "dir", "alttext",
  ]

  /// Whether the value of a plain attribute has no special characters.
  static func isPlain(_ value: String) -> Bool {
    value.utf8.count <= 256
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x3C && $0 != 0x5C }
  }
}
