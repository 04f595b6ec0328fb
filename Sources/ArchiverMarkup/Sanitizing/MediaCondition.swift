import ArchiverCore

/// Tells whether the screen that pictures are chosen for meets a `media` attribute (Media Queries 4).
///
/// The screen is wide, light, of two dots a pixel, with a mouse, and moves what it likes.
enum MediaCondition {
  private static let (width, height, density) = (1_280.0, 800.0, 2.0)
  private static let words: [String: Set<String>] = [
    "orientation": ["landscape"], "prefers-color-scheme": ["light"],
    "prefers-reduced-motion": ["no-preference"], "prefers-reduced-data": ["no-preference"],
    "prefers-contrast": ["no-preference"], "hover": ["hover"], "any-hover": ["hover"],
    "pointer": ["fine"], "any-pointer": ["fine"], "scripting": ["none"], "update": ["fast"],
    "display-mode": ["browser"], "dynamic-range": ["standard"], "color-gamut": ["srgb"],
    "forced-colors": ["none"], "inverted-colors": ["none"],
  ]

  /// The maximum length in bytes: each bracket is a level of recursion.
  private static let limit = 1_024

  /// Whether a list of conditions has one that the screen meets; an empty one is met, one beyond the
  /// limit is not.
  static func isMet(_ media: String) -> Bool {
    guard media.utf8.count <= limit else { return false }
    let text = media.lowercased()
    if text.allSatisfy(\.isWhitespace) { return true }
    return split(text, by: ",").contains { isMet(query: trimmed($0)) }
  }

  private static func isMet(query: Substring) -> Bool {
    if query.isEmpty { return false }
    var rest = query
    let isNegated = take("not", &rest)
    if !isNegated { _ = take("only", &rest) }
    var isMet = true
    if let type = rest.split(whereSeparator: \.isWhitespace).first, !type.hasPrefix("(") {
      isMet = ["all", "screen"].contains(type)
      rest = trimmed(rest.dropFirst(type.count))
      if !rest.isEmpty, !take("and", &rest) { return false }
    } else if isNegated {
      // `not (…)` is a condition of its own, which may have others after it.
      rest = query
      return condition(rest)
    }
    if isMet, !rest.isEmpty { isMet = condition(rest) }
    return isMet != isNegated
  }

  /// Reads what conditions `and`, `or` and `not` join.
  private static func condition(_ text: Substring) -> Bool {
    var rest = trimmed(text)
    var result: Bool?
    var joins = ""
    while !rest.isEmpty {
      let isNegated = take("not", &rest)
      guard let end = closing(rest) else { return false }
      let inside = trimmed(rest[rest.index(after: rest.startIndex)..<end])
      let isGroup = inside.hasPrefix("(") || inside.hasPrefix("not")
      let value = (isGroup ? condition(inside) : feature(inside)) != isNegated
      result = joins == "or" ? (result ?? false) || value : (result ?? true) && value
      rest = trimmed(rest[rest.index(after: end)...])
      if rest.isEmpty { break }
      guard let word = ["and", "or"].first(where: { take($0, &rest) }) else { return false }
      joins = word
    }
    return result ?? false
  }

  private static func feature(_ text: Substring) -> Bool {
    if let colon = text.firstIndex(of: ":") {
      let name = trimmed(text[..<colon])
      let value = trimmed(text[text.index(after: colon)...])
      if name.hasPrefix("min-") { return compare(name.dropFirst(4), ">=", value) }
      if name.hasPrefix("max-") { return compare(name.dropFirst(4), "<=", value) }
      if let known = words[String(name)] { return known.contains(String(value)) }
      if let bare = unprefixed(name) { return feature("\(bare):\(value)") }
      return compare(name, "=", value)
    }
    let parts = operators(text)
    if parts.count == 3 {
      return measure(parts[0]) == nil
        ? compare(parts[2], turned(parts[1]), parts[0])
        : compare(parts[0], String(parts[1]), parts[2])
    }
    if parts.count == 5 {
      return compare(parts[2], turned(parts[1]), parts[0])
        && compare(parts[2], String(parts[3]), parts[4])
    }
    // Alone, a feature is met when it is anything but nothing.
    return words[String(text)].map { !$0.contains("none") && !$0.contains("no-preference") }
      ?? (measure(text).map { $0 != 0 } ?? (text == "color"))
  }

  /// Returns the name of `-webkit-min-device-pixel-ratio` and its like without the maker's prefix.
  private static func unprefixed(_ name: Substring) -> Substring? {
    guard name.hasPrefix("-"), let dash = name.dropFirst().firstIndex(of: "-") else { return nil }
    return name[name.index(after: dash)...]
  }

  private static func turned(_ sign: Substring) -> String {
    [">=": "<=", "<=": ">=", ">": "<", "<": ">"][String(sign)] ?? "="
  }

  /// Cuts `400px<=width<=700px` at its signs.
  private static func operators(_ text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var rest = text
    while let start = rest.firstIndex(where: { "<>=".contains($0) }) {
      let after = rest.index(after: start)
      let end = after < rest.endIndex && rest[after] == "=" ? rest.index(after: after) : after
      parts += [trimmed(rest[..<start]), rest[start..<end]]
      rest = rest[end...]
    }
    return parts + [trimmed(rest)]
  }

  private static func measure(_ name: Substring) -> Double? {
    switch name {
    case "width", "device-width": width
    case "height", "device-height": height
    case "aspect-ratio", "device-aspect-ratio": width / height
    case "resolution", "device-pixel-ratio": density
    case "color": 8
    case "monochrome", "grid": 0
    default: nil
    }
  }

  /// Whether a feature of the screen stands to a value as the sign says; one that is not known is not met.
  private static func compare(_ name: Substring, _ sign: String, _ value: Substring) -> Bool {
    guard let actual = measure(name), let wanted = number(value) else { return false }
    switch sign {
    case ">=": return actual >= wanted
    case "<=": return actual <= wanted
    case ">": return actual > wanted
    case "<": return actual < wanted
    default: return actual == wanted
    }
  }

  /// Reads a length in pixels, a ratio or dots a pixel.
  private static func number(_ text: Substring) -> Double? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }
    guard let value = Double(digits) else { return nil }
    let unit = trimmed(text[digits.endIndex...])
    if unit.hasPrefix("/") {
      return number(trimmed(unit.dropFirst())).map { value / max($0, 0.001) }
    }
    let units = [
      "": 1, "px": 1, "em": 16, "rem": 16, "ch": 8, "ex": 8, "vw": width / 100, "vh": height / 100,
      "cm": 96 / 2.54, "mm": 9.6 / 2.54, "in": 96, "pt": 96.0 / 72, "pc": 16, "x": 1, "dppx": 1,
      "dpi": 1.0 / 96, "dpcm": 2.54 / 96,
    ]
    return units[String(unit)].map { value * $0 }
  }

  /// Takes a word at the beginning, and the space or bracket that ends it stays.
  private static func take(_ word: String, _ rest: inout Substring) -> Bool {
    guard rest.hasPrefix(word) else { return false }
    let after = rest.dropFirst(word.count)
    guard let next = after.first, next.isWhitespace || next == "(" else { return false }
    rest = trimmed(after)
    return true
  }

  /// Returns the place of the bracket that ends the one at the beginning.
  private static func closing(_ text: Substring) -> Substring.Index? {
    guard text.first == "(" else { return nil }
    var depth = 0
    return text.indices.first { index in
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      return depth == 0
    }
  }

  private static func split(_ text: String, by separator: Character) -> [Substring] {
    var depth = 0
    return text.split(omittingEmptySubsequences: false) { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == separator && depth == 0
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}
