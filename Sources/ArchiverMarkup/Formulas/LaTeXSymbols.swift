/// The meanings of LaTeX's commands without arguments.
enum LaTeXSymbols {
  /// Names of functions, which are upright.
  static let functions: Set<String> = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "coth", "exp", "log", "ln", "lg", "arg", "dim", "ker", "hom", "deg", "th", "sh", "ch", "arctg",
    "arcctg", "cosec", "cotg", "ctg", "cth", "tg", "sech", "csch", "arccot", "arcsec", "arccsc",
    "arsinh", "arcosh", "artanh", "sgn", "Tr", "tr",
  ]

  /// Names of functions whose subscripts are below them.
  static let limitFunctions: [String: String] = [
    "lim": "lim", "limsup": "lim sup", "liminf": "lim inf", "max": "max", "min": "min",
    "sup": "sup", "inf": "inf", "det": "det", "gcd": "gcd", "Pr": "Pr", "argmax": "arg max",
    "argmin": "arg min", "plim": "plim", "injlim": "inj lim", "projlim": "proj lim", "lcm": "lcm",
  ]

  /// Widths in em.
  static let spaces: [String: String] = [
    ",": "0.1667em", "thinspace": "0.1667em", ":": "0.2222em", ">": "0.2222em",
    "medspace": "0.2222em", ";": "0.2778em", "thickspace": "0.2778em", "!": "-0.1667em",
    "negthinspace": "-0.1667em", " ": "0.25em", "enspace": "0.5em", "quad": "1em", "qquad": "2em",
    "space": "0.25em", "nobreakspace": "0.25em", "negmedspace": "-0.2222em",
    "negthickspace": "-0.2778em", "enskip": "0.5em", "hfill": "1em",
  ]

  /// Accents drawn as lines: browsers stretch a character only with a font for mathematics.
  static let lines: [String: MathClass] = [
    "overline": .lineAbove, "underline": .lineBelow, "underbar": .lineBelow,
  ]

  /// Accents: the character, whether it is below, whether it stretches.
  static let accents: [String: (mark: String, isBelow: Bool, stretches: Bool)] = [
    "hat": ("^", false, false), "bar": ("¯", false, false), "vec": ("→", false, false),
    "dot": ("˙", false, false), "ddot": ("¨", false, false), "dddot": ("⃛", false, false),
    "tilde": ("~", false, false), "check": ("ˇ", false, false), "breve": ("˘", false, false),
    "acute": ("´", false, false), "grave": ("`", false, false), "mathring": ("˚", false, false),
    "widehat": ("^", false, true), "widetilde": ("~", false, true), "overline": ("¯", false, true),
    "underline": ("_", true, true), "overbrace": ("⏞", false, true),
    "underbrace": ("⏟", true, true), "overrightarrow": ("→", false, true),
    "overleftarrow": ("←", false, true), "overleftrightarrow": ("↔", false, true),
    "underrightarrow": ("→", true, true), "underleftarrow": ("←", true, true),
    "underleftrightarrow": ("↔", true, true), "Overrightarrow": ("⇒", false, true),
    "overrightharpoon": ("⇀", false, true), "overleftharpoon": ("↼", false, true),
    "utilde": ("~", true, true), "widecheck": ("ˇ", false, true), "ddddot": ("⃜", false, false),
    "overgroup": ("⏠", false, true), "undergroup": ("⏡", true, true),
    "overlinesegment": ("⎴", false, true), "underlinesegment": ("⎵", true, true),
    "overbracket": ("⎴", false, true), "underbracket": ("⎵", true, true),
    "overparen": ("⏜", false, true), "underparen": ("⏝", true, true), "underbar": ("_", true, true),
    "wideparen": ("⏜", false, true),
  ]

  /// Sizes of `\big` and similar commands.
  static let sizes: [String: String] = [
    "big": "1.2em", "bigl": "1.2em", "bigr": "1.2em", "bigm": "1.2em", "Big": "1.8em",
    "Bigl": "1.8em", "Bigr": "1.8em", "Bigm": "1.8em", "bigg": "2.4em", "biggl": "2.4em",
    "biggr": "2.4em", "biggm": "2.4em", "Bigg": "3em", "Biggl": "3em", "Biggr": "3em",
    "Biggm": "3em",
  ]

  /// Negations with a character of their own.
  static let negations: [String: String] = [
    "=": "≠", "<": "≮", ">": "≯", "∈": "∉", "∋": "∌", "≡": "≢", "∼": "≁", "≈": "≉", "⊂": "⊄",
    "⊃": "⊅", "⊆": "⊈", "⊇": "⊉", "∣": "∤", "∥": "∦", "∃": "∄", "≤": "≰", "≥": "≱", "≅": "≇",
  ]

  /// Arrows that stretch with the labels above and below them.
  static let arrows: [String: String] = [
    "xrightarrow": "→", "xleftarrow": "←", "xleftrightarrow": "↔", "xRightarrow": "⇒",
    "xLeftarrow": "⇐", "xLeftrightarrow": "⇔", "xhookrightarrow": "↪", "xhookleftarrow": "↩",
    "xmapsto": "↦", "xrightharpoonup": "⇀", "xrightharpoondown": "⇁", "xleftharpoonup": "↼",
    "xleftharpoondown": "↽", "xrightleftharpoons": "⇌", "xleftrightharpoons": "⇋",
    "xlongequal": "=", "xtwoheadrightarrow": "↠", "xtwoheadleftarrow": "↞", "xtofrom": "⇄",
    "xrightleftarrows": "⇄", "xrightequilibrium": "⇌", "xleftequilibrium": "⇋",
  ]

  /// Sizes of text as factors.
  static let textSizes: [String: String] = [
    "tiny": "0.5em", "scriptsize": "0.7em", "footnotesize": "0.8em", "small": "0.9em",
    "normalsize": "1em", "large": "1.2em", "Large": "1.44em", "LARGE": "1.728em",
    "huge": "2.074em", "Huge": "2.488em", "scriptstyle": "0.7em", "scriptscriptstyle": "0.5em",
    "sixptsize": "0.6em",
  ]

  /// Accents of text, as combining characters.
  static let textAccents: [String: String] = [
    "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}", "=": "\u{304}",
    ".": "\u{307}", "u": "\u{306}", "v": "\u{30C}", "H": "\u{30B}", "c": "\u{327}", "r": "\u{30A}",
    "d": "\u{323}", "b": "\u{331}", "k": "\u{328}", "t": "\u{361}", "textcircled": "\u{20DD}",
  ]
}
