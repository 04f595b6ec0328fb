/// Makes a book's style sheet safe and restricts it to the book's part of the page.
///
/// The result has rules for `.book`, `.sheet` and their content, `@media`, `@supports`,
/// `@container` and `@layer` around such rules, `@counter-style`, and `@font-face` with fonts of
/// the book. Everything else is removed. Each rule is on a line of its own, and no character is
/// `<`.
struct StyleSheetFilter {
  let declarations: DeclarationFilter
  /// Returns the filtered style sheet that an `@import` names.
  let importing: (String) -> String?
  /// Whether colours apply always; otherwise on light pages only.
  let keepsColors: Bool

  private static let deepest = 8

  func filter(_ css: some Collection<UInt8>) -> String {
    rules(CSSTokenizer.tokens(css)[...], depth: 0)
  }

  /// Returns the filtered declarations of a `style` attribute; `nil` if none is kept.
  ///
  /// An attribute cannot depend on the theme. Of colours and backgrounds only images are kept, with
  /// their size and place: they are content, as of an empty element of this size.
  func inline(_ style: String) -> String? {
    let kept = declarations.filter(CSSTokenizer.tokens(style.utf8))
    let colors =
      keepsColors
      ? kept.colors
      : StyleSheetFilter.images(kept.colors) + StyleSheetFilter.clearText(kept.colors)
    let all = kept.layout + colors
    return all.isEmpty ? nil : all.joined(separator: ";")
  }

  private static let placing = [
    "background-position:", "background-repeat:", "background-size:", "background-origin:",
  ]

  private static func images(_ colors: [String]) -> [String] {
    var found: [String] = []
    for declaration in colors {
      let name = declaration.prefix { $0 != ":" }
      guard ["background", "background-image"].contains(name),
        let start = declaration.firstRange(of: "url("),
        let end = declaration[start.lowerBound...].firstIndex(of: ")")
      else { continue }
      found.append("background-image:\(declaration[start.lowerBound...end])")
    }
    guard !found.isEmpty else { return [] }
    return found + colors.filter { color in placing.contains(where: color.hasPrefix) }
  }

  /// Returns the colour of transparent text, as of a scanned page below whose image it is, if the text
  /// has one. Pages define the property where such images are shown.
  private static func clearText(_ colors: [String]) -> [String] {
    guard let color = colors.last(where: { $0.hasPrefix("color:") }) else { return [] }
    let parts = color.dropFirst("color:".count).split(separator: "!")
    guard let value = parts.first, DeclarationFilter.isTransparent(value) else { return [] }
    return ["color:var(--clear)" + (parts.count > 1 ? "!important" : "")]
  }

  private func rules(
    _ tokens: ArraySlice<CSSToken>, within parent: String? = nil, depth: Int
  ) -> String {
    guard depth < StyleSheetFilter.deepest else { return "" }
    var output = ""
    var index = tokens.startIndex
    while index < tokens.endIndex {
      let rule = CSSRule.next(tokens, &index)
      switch rule.prelude.first {
      case .atKeyword(let name)?: output += atRule(name, rule, within: parent, depth: depth)
      case nil: continue
      default: output += styleRule(rule, within: parent, depth: depth)
      }
    }
    return output
  }

  private func styleRule(_ rule: CSSRule, within parent: String?, depth: Int) -> String {
    guard let block = rule.block,
      let selector = SelectorScope.scoped(rule.prelude, within: parent),
      selector.utf8.count <= StyleSheetFilter.longestSelector
    else { return "" }
    return contents(block, of: selector, depth: depth)
  }

  /// The maximum length of a selector, which nesting multiplies.
  private static let longestSelector = 16_384

  /// Writes the declarations of a rule and the rules inside it.
  private func contents(
    _ block: ArraySlice<CSSToken>, of selector: String, depth: Int
  ) -> String {
    guard depth < StyleSheetFilter.deepest else { return "" }
    var own: [CSSToken] = []
    var nested = ""
    var index = block.startIndex
    while index < block.endIndex {
      let rule = CSSRule.nested(block, &index)
      if rule.block == nil {
        own += rule.prelude + [.symbol(0x3B)]
      } else if case .atKeyword(let name)? = rule.prelude.first {
        nested += atRule(name, rule, within: selector, depth: depth + 1)
      } else {
        nested += styleRule(rule, within: selector, depth: depth + 1)
      }
    }
    return written(declarations.filter(own), selector) + nested
  }

  private func written(_ kept: DeclarationFilter.Declarations, _ selector: String) -> String {
    var output = ""
    let clear = keepsColors ? [] : StyleSheetFilter.clearText(kept.colors)
    let plain = kept.layout + (keepsColors ? kept.colors : clear)
    if !plain.isEmpty { output += "\(selector){\(plain.joined(separator: ";"))}\n" }
    let shown = clear.isEmpty ? kept.colors : kept.colors.filter { !$0.hasPrefix("color:") }
    if !keepsColors, !shown.isEmpty {
      let colors = shown.joined(separator: ";")
      output += "@media (prefers-color-scheme:light){\(selector){\(colors)}}\n"
    }
    if !keepsColors, !kept.darkBorders.isEmpty {
      let borders = kept.darkBorders.joined(separator: ";")
      output += "@media screen and (prefers-color-scheme:dark){\(selector){\(borders)}}\n"
    }
    return output
  }

  private func atRule(
    _ name: String, _ rule: CSSRule, within parent: String?, depth: Int
  ) -> String {
    switch name {
    case "media", "supports", "container":
      guard let block = rule.block, let condition = ConditionFilter.text(rule.prelude.dropFirst())
      else { return "" }
      return wrapped("@\(name) \(condition)", block, within: parent, depth: depth)
    case "layer":
      guard let names = ConditionFilter.layers(rule.prelude.dropFirst()) else { return "" }
      let start = names.isEmpty ? "@layer" : "@layer \(names.joined(separator: ","))"
      guard let block = rule.block else { return names.isEmpty ? "" : start + ";\n" }
      return names.count > 1 ? "" : wrapped(start, block, within: parent, depth: depth)
    case "font-face":
      return rule.block.flatMap(declarations.fontFace).map { "@font-face{\($0)}\n" } ?? ""
    case "counter-style":
      let words = rule.prelude.dropFirst().filter { $0 != .whitespace }
      guard words.count == 1, case .identifier(let style)? = words.first,
        let inner = rule.block.flatMap(declarations.counterStyle)
      else { return "" }
      return "@counter-style \(CSSToken.escaped(style)){\(inner)}\n"
    case "import": return rule.block == nil ? imported(rule.prelude.dropFirst()) : ""
    default: return ""
    }
  }

  private func wrapped(
    _ start: String, _ block: ArraySlice<CSSToken>, within parent: String?, depth: Int
  ) -> String {
    let inner =
      parent.map { contents(block, of: $0, depth: depth + 1) } ?? rules(block, depth: depth + 1)
    return inner.isEmpty ? "" : "\(start){\n\(inner)}\n"
  }

  /// Returns an imported style sheet inside the layer and the conditions of the import.
  private func imported(_ prelude: ArraySlice<CSSToken>) -> String {
    var rest = prelude.drop { $0 == .whitespace }
    let address: String
    switch rest.popFirst() {
    case .url(let text)?, .string(let text)?: address = text
    default: return ""
    }
    guard let parts = ConditionFilter.imported(rest), let css = importing(address), !css.isEmpty
    else { return "" }
    return parts.reversed().reduce(css) { css, start in "\(start){\n\(css)}\n" }
  }
}
