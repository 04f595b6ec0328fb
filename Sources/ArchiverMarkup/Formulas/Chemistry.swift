/// The notation of `mhchem` in `\ce`: "2H2 + O2 -> 2H2O", "SO4^2-", "^{227}_{90}Th+".
struct Chemistry {
  private let source: [Character]
  private var position = 0
  private var output = ""
  /// Whether a digit or a sign belongs to the preceding symbol.
  private var followsBase = false

  /// Returns the notation as LaTeX.
  static func latex(_ text: String) -> String {
    var chemistry = Chemistry(source: Array(text))
    while chemistry.position < chemistry.source.count { chemistry.step() }
    return chemistry.output
  }

  private init(source: [Character]) { self.source = source }

  private static let arrows: [(sign: String, plain: String, labelled: String)] = [
    ("<=>>", "\\rightleftharpoons", "\\xrightequilibrium"),
    ("<<=>", "\\rightleftharpoons", "\\xleftequilibrium"),
    ("<-->", "\\rightleftarrows", "\\xrightleftarrows"),
    ("<=>", "\\rightleftharpoons", "\\xrightleftharpoons"),
    ("<->", "\\longleftrightarrow", "\\xleftrightarrow"),
    ("->", "\\longrightarrow", "\\xrightarrow"), ("<-", "\\longleftarrow", "\\xleftarrow"),
  ]

  private func character(_ offset: Int = 0) -> Character? {
    position + offset < source.count ? source[position + offset] : nil
  }

  private func starts(with text: String) -> Bool {
    source[position...].starts(with: text)
  }

  /// Whether a word ends at an offset.
  private func endsWord(_ offset: Int) -> Bool {
    guard let next = character(offset) else { return true }
    return next.isWhitespace || ")]},.;".contains(next)
  }

  private mutating func step() {
    let next = source[position]
    if let arrow = Self.arrows.first(where: { starts(with: $0.sign) }) {
      position += arrow.sign.count
      return self.arrow(arrow.plain, arrow.labelled)
    }
    switch next {
    case _ where next.isWhitespace: space()
    case "v" where !followsBase && endsWord(1): sign("\\downarrow ")
    case "^" where !followsBase && (character(1) ?? " ").isWhitespace: sign("\\uparrow ")
    case "{":
      output += "{" + Self.latex(group("{", "}")) + "}"
      followsBase = true
    case "$": formula()
    case "\\": command()
    case "^", "_": script(next)
    case _ where next.isLetter: letters()
    case _ where next.isNumber: digits()
    case ")", "]":
      sign(String(next))
      followsBase = true
    case "+", "-", "−", "–": charge(next == "+" ? "+" : "-")
    case "=" where followsBase: sign("{=}")
    case "#": sign("{\\equiv}")
    case "*", "·", "•": sign("\\cdot ")
    case "." where followsBase && !endsWord(1): sign("\\cdot ")
    case "<": sign("\\lt ")
    case ">": sign("\\gt ")
    case "%", "&", "~": sign("\\" + String(next))
    default: sign(String(next))
    }
  }

  private mutating func sign(_ text: String) {
    output += text
    position += 1
    followsBase = false
  }

  private mutating func space() {
    while character()?.isWhitespace == true { position += 1 }
    output += " "
    followsBase = false
  }

  private mutating func arrow(_ plain: String, _ labelled: String) {
    var labels: [String] = []
    while labels.count < 2, character() == "[" { labels.append(Self.latex(group("[", "]"))) }
    output += " "
    switch labels.count {
    case 0: output += plain
    case 1: output += labelled + "{\(labels[0])}"
    default: output += labelled + "[{\(labels[1])}]{\(labels[0])}"
    }
    output += " "
    followsBase = false
  }

  /// Reads a group between brackets.
  private mutating func group(_ open: Character, _ close: Character) -> String {
    position += 1
    var level = 0
    var text = ""
    while let next = character() {
      position += 1
      if next == close {
        if level == 0 { return text }
        level -= 1
      }
      if next == open { level += 1 }
      text.append(next)
    }
    return text
  }

  private mutating func formula() {
    position += 1
    var text = ""
    while let next = character(), next != "$" {
      text.append(next)
      position += 1
    }
    position += 1
    output += "{\(text)}"
    followsBase = true
  }

  private mutating func command() {
    position += 1
    var name = ""
    while let next = character(), next.isASCII, next.isLetter {
      name.append(next)
      position += 1
    }
    if name.isEmpty, let next = character() {
      name.append(next)
      position += 1
    }
    while character()?.isWhitespace == true { position += 1 }
    if name == "bond" {
      let kind = character() == "{" ? group("{", "}") : ""
      output += ["=": "{=}", "2": "{=}", "#": "{\\equiv}", "3": "{\\equiv}"][kind] ?? "{-}"
      followsBase = false
      return
    }
    output += "\\" + name + " "
    while character() == "{" { output += "{" + group("{", "}") + "}" }
    followsBase = true
  }

  private mutating func script(_ mark: Character) {
    position += 1
    var inside = ""
    if character() == "{" {
      inside = group("{", "}")
    } else {
      while let next = character(), next.isNumber || next == "+" || next == "-" || next == "." {
        inside.append(next)
        position += 1
      }
      if inside.isEmpty, let next = character() {
        inside.append(next)
        position += 1
      }
    }
    if !followsBase, output.last != "}" { output += "{}" }
    output += "\(mark){\(Self.upright(inside))}"
    followsBase = true
  }

  /// Letters in a script are upright.
  private static func upright(_ text: String) -> String {
    text.contains("\\") || !text.contains(where: \.isLetter) ? text : "\\mathrm{\(text)}"
  }

  private mutating func letters() {
    var text = ""
    while let next = character(), next.isLetter {
      text.append(next)
      position += 1
    }
    output += "\\mathrm{\(text)}"
    followsBase = true
  }

  private mutating func digits() {
    var text = ""
    while let next = character(),
      next.isNumber || ("./".contains(next) && character(1)?.isNumber == true)
    {
      text.append(next)
      position += 1
    }
    if followsBase {
      output += "_{\(text)}"
      return
    }
    let parts = text.split(separator: "/")
    output += parts.count == 2 ? "\\tfrac{\(parts[0])}{\(parts[1])}" : text
    if character()?.isLetter == true || character() == "(" { output += "\\," }
  }

  /// A sign after an ion is its charge, one between two letters a bond, any other an operator.
  private mutating func charge(_ sign: Character) {
    guard followsBase else { return self.sign(sign == "+" ? "+" : "-") }
    if endsWord(1) {
      output += "^{\(sign)}"
      position += 1
    } else {
      self.sign("{\(sign)}")
    }
  }
}
