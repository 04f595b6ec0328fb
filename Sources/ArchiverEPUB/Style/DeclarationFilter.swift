/// Keeps the declarations that lay out text and pictures; everything else in a style is left out.
///
/// No value can name anything outside the book: `url()` survives only where `resolve` knows the
/// file, functions only from a list.
struct DeclarationFilter {
  /// Returns the address to write for a file of the book; `nil` when it is none.
  let resolve: (String) -> String?

  struct Declarations {
    /// Joined by `;`, without colours.
    var layout: [String] = []
    /// Colours and backgrounds, which suit a light page only.
    var colors: [String] = []
    /// The properties that give the borders among the layout a colour readable on a dark page.
    var darkBorders: [String] = []
  }

  func filter(_ tokens: some Collection<CSSToken>) -> Declarations {
    var kept = Declarations()
    for part in DeclarationFilter.split(Array(tokens), at: 0x3B) {
      guard let (name, value) = declaration(part) else { continue }
      let text = "\(name):\(value)"
      if DeclarationFilter.colors.contains(name) {
        kept.colors.append(text)
      } else {
        kept.layout.append(text)
        if DeclarationFilter.borders.contains(name), DeclarationFilter.namesColor(part) {
          kept.darkBorders.append("\(name)-color:var(--line)")
        }
      }
    }
    return kept
  }

  /// Whether a border's declaration has a colour beside its width and its line.
  private static func namesColor(_ tokens: [CSSToken]) -> Bool {
    guard let colon = tokens.firstIndex(of: .symbol(0x3A)) else { return false }
    return tokens[colon...].contains { token in
      switch token {
      case .hash, .function: true
      case .identifier(let word): !lines.contains(word.lowercased())
      default: false
      }
    }
  }

  /// Returns the declarations of a `@font-face` rule; `nil` when it names no file of the book.
  func fontFace(_ tokens: some Collection<CSSToken>) -> String? {
    var kept = [String]()
    var hasSource = false
    for part in DeclarationFilter.split(Array(tokens), at: 0x3B) {
      guard let colon = part.firstIndex(of: .symbol(0x3A)),
        case .identifier(let raw)? = part.first(where: { $0 != .whitespace })
      else { continue }
      let name = raw.lowercased()
      guard DeclarationFilter.descriptors.contains(name) else { continue }
      if name == "src" {
        let sources = DeclarationFilter.split(Array(part[(colon + 1)...]), at: 0x2C)
          .compactMap { value(Array($0), "src") }.filter { $0.contains("url(") }
        guard !sources.isEmpty else { continue }
        hasSource = true
        kept.append("src:" + sources.joined(separator: ","))
      } else if let value = value(Array(part[(colon + 1)...]), name) {
        kept.append("\(name):\(value)")
      }
    }
    return hasSource ? kept.joined(separator: ";") : nil
  }

  private func declaration(_ tokens: [CSSToken]) -> (String, String)? {
    guard let colon = tokens.firstIndex(of: .symbol(0x3A)),
      case .identifier(let raw)? = tokens.first(where: { $0 != .whitespace })
    else { return nil }
    let name = DeclarationFilter.plain(raw)
    guard DeclarationFilter.properties.contains(name),
      let value = value(Array(tokens[(colon + 1)...]), name)
    else { return nil }
    if name == "position", !["static", "relative", "absolute"].contains(value) { return nil }
    return (name, value)
  }

  /// The name without a maker's prefix: `-epub-writing-mode` is `writing-mode`.
  private static func plain(_ raw: String) -> String {
    var name = raw.lowercased()
    for prefix in ["-epub-", "-webkit-", "-moz-", "-ms-"] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    return name == "text-combine" ? "text-combine-upright" : name
  }

  private func value(_ tokens: [CSSToken], _ property: String) -> String? {
    var text = ""
    var open = 0
    for token in tokens {
      switch token {
      case .url(let address):
        guard DeclarationFilter.mayRefer.contains(property), let local = resolve(address) else {
          return nil
        }
        text += CSSToken.url(local).text
      case .function(let name):
        guard DeclarationFilter.functions.contains(name) else { return nil }
        open += 1
        text += token.text
      case .symbol(let byte):
        switch byte {
        case 0x28: open += 1
        case 0x29: open -= 1
        // ! # + , - . / * % and ?, which unicode-range has
        case 0x21, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x2A, 0x25, 0x3F: break
        default: return nil
        }
        guard open >= 0 else { return nil }
        text += token.text
      case .atKeyword: return nil
      case .identifier, .hash, .string, .number, .whitespace: text += token.text
      }
    }
    guard open == 0 else { return nil }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty || trimmed.utf8.count > 4_096 ? nil : trimmed
  }

  /// Splits at a symbol outside parentheses, brackets and braces.
  static func split(_ tokens: [CSSToken], at symbol: UInt8) -> [[CSSToken]] {
    var parts: [[CSSToken]] = [[]]
    var depth = 0
    for token in tokens {
      switch token {
      case .function, .symbol(0x28), .symbol(0x5B), .symbol(0x7B): depth += 1
      case .symbol(0x29), .symbol(0x5D), .symbol(0x7D): depth = max(0, depth - 1)
      case .symbol(symbol) where depth == 0:
        parts.append([])
        continue
      default: break
      }
      parts[parts.count - 1].append(token)
    }
    return parts.filter { part in part.contains { $0 != .whitespace } }
  }
}

extension DeclarationFilter {
  private static let descriptors: Set<String> = [
    "font-family", "src", "font-style", "font-weight", "font-stretch", "unicode-range",
    "font-display", "font-variant",
  ]

  private static let mayRefer: Set<String> = [
    "src", "background", "background-image", "list-style", "list-style-image", "content",
    "border-image", "border-image-source",
  ]

  private static let functions: Set<String> = [
    "rgb", "rgba", "hsl", "hsla", "calc", "min", "max", "clamp", "format", "local", "counter",
    "counters", "rect", "matrix", "translate", "translatex", "translatey", "rotate", "scale",
    "scalex", "scaley", "skew", "skewx", "skewy", "linear-gradient", "radial-gradient",
    "repeating-linear-gradient", "repeating-radial-gradient", "minmax", "repeat",
  ]

  private static let borders: Set<String> = [
    "border", "border-top", "border-right", "border-bottom", "border-left", "column-rule",
  ]

  /// The words of a border's declaration that are no colour.
  private static let lines: Set<String> = [
    "none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset",
    "thin", "medium", "thick", "currentcolor", "transparent", "inherit", "initial", "unset",
    "revert", "important",
  ]

  private static let colors: Set<String> = [
    "color", "background", "background-color", "background-image", "background-position",
    "background-repeat", "background-size", "border-color", "border-top-color",
    "border-right-color", "border-bottom-color", "border-left-color", "text-shadow", "box-shadow",
  ]

  private static let properties: Set<String> = colors.union([
    "align-content", "align-items", "align-self", "border", "border-bottom",
    "border-bottom-left-radius", "border-bottom-right-radius", "border-bottom-style",
    "border-bottom-width", "border-collapse", "border-image", "border-left", "border-left-style",
    "border-left-width", "border-radius", "border-right", "border-right-style",
    "border-right-width", "border-spacing", "border-style", "border-top",
    "border-top-left-radius", "border-top-right-radius", "border-top-style", "border-top-width",
    "border-width", "bottom", "box-sizing", "break-after", "break-before", "break-inside",
    "caption-side", "clear", "clip", "clip-rule", "column-count", "column-gap", "column-rule",
    "column-span",
    "column-width", "columns", "content", "counter-increment", "counter-reset", "direction",
    "display", "dominant-baseline", "empty-cells", "fill", "fill-opacity", "fill-rule", "flex",
    "flex-basis", "flex-direction", "flex-flow", "flex-grow",
    "flex-shrink", "flex-wrap", "float", "font", "font-family", "font-feature-settings",
    "font-kerning", "font-size", "font-size-adjust", "font-stretch", "font-style", "font-variant",
    "font-variant-caps", "font-variant-east-asian", "font-variant-ligatures",
    "font-variant-numeric", "font-weight", "gap", "grid-column", "grid-row",
    "grid-template-columns", "grid-template-rows", "height", "hyphens", "justify-content", "left",
    "letter-spacing", "line-break", "line-height", "list-style", "list-style-image",
    "list-style-position", "list-style-type", "margin", "margin-bottom", "margin-left",
    "margin-right", "margin-top", "margin-block", "margin-inline", "margin-block-start",
    "margin-block-end", "margin-inline-start", "margin-inline-end", "max-height", "max-width",
    "min-height", "min-width", "object-fit", "object-position", "opacity", "order", "orphans",
    "overflow", "overflow-wrap", "padding", "padding-bottom", "padding-left", "padding-right",
    "padding-top", "padding-block", "padding-inline", "padding-inline-start",
    "padding-inline-end", "page-break-after", "page-break-before", "page-break-inside",
    "position", "quotes", "right", "ruby-align", "ruby-position", "stop-color", "stop-opacity",
    "stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-opacity", "stroke-width", "tab-size", "table-layout",
    "text-align", "text-align-last", "text-anchor", "text-combine-upright", "text-decoration",
    "text-decoration-line", "text-decoration-style", "text-emphasis", "text-emphasis-position",
    "text-emphasis-style", "text-indent", "text-justify", "text-orientation", "text-transform",
    "text-underline-position", "top", "transform", "transform-origin", "unicode-bidi",
    "vertical-align", "visibility", "white-space", "widows", "width", "word-break",
    "word-spacing", "word-wrap", "writing-mode", "z-index",
  ])
}
