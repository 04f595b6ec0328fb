import ArchiverCore

/// Filters the style sheet of an SVG image, rule by rule.
enum SVGStyle {
  /// At-rules that load nothing themselves; the rules in their blocks are checked too.
  private static let groups = [
    "@media", "@supports", "@layer", "@container", "@keyframes", "@-webkit-keyframes", "@scope",
  ]

  /// Returns the sheet without comments and without rules that refer to anything outside the image.
  static func filtered(_ sheet: String) -> String {
    rules(of: withoutComments(sheet)).filter(isKept).joined()
  }

  private static func isKept(_ rule: Substring) -> Bool {
    let text = rule.drop(while: \.isWhitespace)
    guard text.hasPrefix("@") else {
      return SVGSanitizer.isStatic(String(text)) && !text.contains("@")
    }
    let name = text.prefix { !$0.isWhitespace && $0 != "{" && $0 != ";" }.lowercased()
    if name == "@font-face" { return isInlineFont(text) }
    guard groups.contains(name), let brace = text.firstIndex(of: "{") else { return false }
    // A group is kept or dropped as a whole.
    return SVGSanitizer.isStatic(String(text[..<brace]))
      && rules(of: String(text[brace...].dropFirst().dropLast())).allSatisfy(isKept)
  }

  /// Whether a font is embedded in the sheet.
  private static func isInlineFont(_ rule: Substring) -> Bool {
    let text = rule.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
    return !text.contains("\\")
      && text.split(separator: "url(", omittingEmptySubsequences: false).dropFirst().allSatisfy {
        $0.hasPrefix("data:font/") || $0.hasPrefix("data:application/")
      }
  }

  /// Splits a sheet after each rule: at a `;` outside of braces, and at the closing brace of the
  /// outermost block. An unclosed rule at the end is dropped.
  private static func rules(of sheet: String) -> [Substring] {
    var rules: [Substring] = []
    var start = sheet.startIndex
    var depth = 0
    var quote: Character?
    for index in sheet.indices {
      let character = sheet[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "\"", "'": quote = character
      case "{": depth += 1
      case "}": depth = max(0, depth - 1)
      case ";" where depth == 0: break
      default: continue
      }
      guard depth == 0, character == "}" || character == ";" else { continue }
      rules.append(sheet[start...index])
      start = sheet.index(after: index)
    }
    return rules
  }

  private static func withoutComments(_ sheet: String) -> String {
    var rest = sheet[...]
    var text = ""
    while let begin = rest.firstRange(of: "/*") {
      text += rest[..<begin.lowerBound]
      guard let end = rest[begin.upperBound...].firstRange(of: "*/") else { return text }
      rest = rest[end.upperBound...]
    }
    return text + rest
  }
}
