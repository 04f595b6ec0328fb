/// What LaTeX's commands without arguments stand for.
enum LaTeXSymbols {
  /// Letters, set italic when single.
  static let letters: [String: String] = [
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "omicron": "ο", "pi": "π", "varpi": "ϖ",
    "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ",
    "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "ell": "ℓ", "imath": "ı",
    "jmath": "ȷ", "hbar": "ℏ", "hslash": "ℏ", "wp": "℘", "partial": "∂", "digamma": "ϝ",
  ]

  /// Letters and signs set upright.
  static let uprights: [String: String] = [
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "infty": "∞", "emptyset": "∅",
    "varnothing": "∅", "nabla": "∇", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "beth": "ℶ", "angle": "∠",
    "top": "⊤", "bot": "⊥", "forall": "∀", "exists": "∃", "nexists": "∄", "degree": "°",
    "dagger": "†", "ddagger": "‡", "checkmark": "✓", "square": "□", "Box": "□", "triangle": "△",
    "blacksquare": "■", "clubsuit": "♣", "diamondsuit": "♢", "heartsuit": "♡", "spadesuit": "♠",
    "ldots": "…", "dots": "…", "dotsc": "…", "cdots": "⋯", "dotsb": "⋯", "vdots": "⋮", "ddots": "⋱",
    "prime": "′", "$": "$", "%": "%", "#": "#", "_": "_", "&": "&", "copyright": "©", "pounds": "£",
    "R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "reals": "ℝ", "Reals": "ℝ", "natnums": "ℕ", "S": "§",
    "P": "¶", "euro": "€", "yen": "¥", "complement": "∁", "measuredangle": "∡",
  ]

  /// Operators and relations.
  static let operators: [String: String] = [
    "pm": "±", "mp": "∓", "times": "×", "div": "÷", "cdot": "⋅", "ast": "∗", "star": "⋆",
    "circ": "∘", "bullet": "∙", "oplus": "⊕", "ominus": "⊖", "otimes": "⊗", "oslash": "⊘",
    "odot": "⊙", "cap": "∩", "cup": "∪", "sqcap": "⊓", "sqcup": "⊔", "wedge": "∧", "land": "∧",
    "vee": "∨", "lor": "∨", "setminus": "∖", "neg": "¬", "lnot": "¬", "le": "≤", "leq": "≤",
    "ge": "≥", "geq": "≥", "leqslant": "⩽", "geqslant": "⩾", "ll": "≪", "gg": "≫", "ne": "≠",
    "neq": "≠", "equiv": "≡", "sim": "∼", "simeq": "≃", "approx": "≈", "cong": "≅",
    "propto": "∝", "doteq": "≐", "prec": "≺", "succ": "≻", "preceq": "⪯", "succeq": "⪰",
    "subset": "⊂", "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇", "subsetneq": "⊊",
    "supsetneq": "⊋", "sqsubseteq": "⊑", "sqsupseteq": "⊒", "in": "∈", "ni": "∋", "notin": "∉",
    "mid": "∣", "nmid": "∤", "parallel": "∥", "nparallel": "∦", "perp": "⟂", "vdash": "⊢",
    "dashv": "⊣", "models": "⊨", "vDash": "⊨", "therefore": "∴", "because": "∵", "colon": ":",
    "coloneqq": "≔", "triangleq": "≜", "asymp": "≍", "bowtie": "⋈", "ltimes": "⋉", "rtimes": "⋊",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "leftrightarrow": "↔",
    "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "implies": "⟹", "impliedby": "⟸",
    "iff": "⟺", "longrightarrow": "⟶", "longleftarrow": "⟵", "Longrightarrow": "⟹",
    "Longleftarrow": "⟸", "longleftrightarrow": "⟷", "Longleftrightarrow": "⟺", "mapsto": "↦",
    "longmapsto": "⟼", "uparrow": "↑", "downarrow": "↓", "updownarrow": "↕", "Uparrow": "⇑",
    "Downarrow": "⇓", "nearrow": "↗", "searrow": "↘", "swarrow": "↙", "nwarrow": "↖",
    "hookrightarrow": "↪", "hookleftarrow": "↩", "rightharpoonup": "⇀", "rightleftharpoons": "⇌",
    "leftharpoonup": "↼", "rightsquigarrow": "⇝", "leadsto": "⇝", "twoheadrightarrow": "↠",
    "uplus": "⊎", "amalg": "⨿", "diamond": "⋄", "triangleleft": "◁", "triangleright": "▷",
    "lesssim": "≲", "gtrsim": "≳", "nleq": "≰", "ngeq": "≱", "nsubseteq": "⊈", "nsupseteq": "⊉",
    "vartriangle": "△", "smile": "⌣", "frown": "⌢", "wr": "≀", "bmod": "mod",
  ]

  /// Operators that take limits.
  static let large: [String: String] = [
    "sum": "∑", "prod": "∏", "coprod": "∐", "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁",
    "bigotimes": "⨂", "bigodot": "⨀", "bigvee": "⋁", "bigwedge": "⋀", "biguplus": "⨄",
    "bigsqcup": "⨆",
  ]

  /// Integrals, whose limits stand beside them.
  static let integrals: [String: String] = [
    "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "oiint": "∯",
  ]

  /// Names of functions, set upright.
  static let functions: Set<String> = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "coth", "exp", "log", "ln", "lg", "arg", "dim", "ker", "hom", "deg", "th", "sh", "ch",
  ]

  /// Names of functions whose subscripts stand below them.
  static let limitFunctions: [String: String] = [
    "lim": "lim", "limsup": "lim sup", "liminf": "lim inf", "max": "max", "min": "min",
    "sup": "sup", "inf": "inf", "det": "det", "gcd": "gcd", "Pr": "Pr", "argmax": "arg max",
    "argmin": "arg min", "plim": "plim",
  ]

  /// Brackets that may follow `\left`, `\right` and `\big`.
  static let delimiters: [String: String] = [
    "{": "{", "}": "}", "lbrace": "{", "rbrace": "}", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊",
    "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "vert": "|", "lvert": "|", "rvert": "|", "|": "‖",
    "Vert": "‖", "lVert": "‖", "rVert": "‖", "lbrack": "[", "rbrack": "]", "backslash": "\\",
    "uparrow": "↑", "downarrow": "↓", "updownarrow": "↕", "lgroup": "⟮", "rgroup": "⟯",
    "lparen": "(", "rparen": ")",
  ]

  /// Widths in em.
  static let spaces: [String: String] = [
    ",": "0.1667em", "thinspace": "0.1667em", ":": "0.2222em", ">": "0.2222em",
    "medspace": "0.2222em", ";": "0.2778em", "thickspace": "0.2778em", "!": "-0.1667em",
    "negthinspace": "-0.1667em", " ": "0.25em", "enspace": "0.5em", "quad": "1em", "qquad": "2em",
    "space": "0.25em", "nobreakspace": "0.25em",
  ]

  /// Accents: the mark, whether it stands below, whether it stretches.
  static let accents: [String: (mark: String, isBelow: Bool, stretches: Bool)] = [
    "hat": ("^", false, false), "bar": ("¯", false, false), "vec": ("→", false, false),
    "dot": ("˙", false, false), "ddot": ("¨", false, false), "dddot": ("⃛", false, false),
    "tilde": ("~", false, false), "check": ("ˇ", false, false), "breve": ("˘", false, false),
    "acute": ("´", false, false), "grave": ("`", false, false), "mathring": ("˚", false, false),
    "widehat": ("^", false, true), "widetilde": ("~", false, true), "overline": ("¯", false, true),
    "underline": ("_", true, true), "overbrace": ("⏞", false, true),
    "underbrace": ("⏟", true, true), "overrightarrow": ("→", false, true),
    "overleftarrow": ("←", false, true), "overleftrightarrow": ("↔", false, true),
    "underrightarrow": ("→", true, true),
  ]

  /// Sizes of `\big` and its kin.
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
}
