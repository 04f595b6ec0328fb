import ArchiverCore

/// Attribute selectors, written for the attributes and values that pages have.
///
/// Classes and ids have prefixes there; `epub:type` is `data-epub-type`.
enum AttributeSelector {
  /// The attribute of pages that keeps what EPUB says an element is.
  static let typeAttribute = "data-epub-type"

  /// Returns the selector to write for one between `[` and `]`; `nil` for attributes that pages do
  /// not have.
  static func written(_ tokens: ArraySlice<CSSToken>) -> String? {
    var rest = tokens.filter { $0 != .whitespace }[...]
    guard let name = name(&rest), let attribute = attribute(name) else { return nil }
    if rest.isEmpty { return "[\(attribute)]" }
    guard let match = match(&rest), let value = value(&rest), let flag = flag(rest) else {
      return nil
    }
    guard let own = prefixed(attribute, match, value) else { return nil }
    // An external link is the one address that stays as it is.
    if attribute == "href" || attribute == "src" {
      guard attribute == "href", match == "^=", value.lowercased().hasPrefix("http") else {
        return nil
      }
    }
    return "[\(attribute)\(match)\(CSSToken.quoted(own))\(flag)]"
  }

  /// Reads `lang`, `epub|type`, `*|type` or `|lang`.
  private static func name(_ rest: inout ArraySlice<CSSToken>) -> String? {
    var space: String?
    if rest.first == .symbol(0x7C) { rest.removeFirst() }
    guard let first = rest.popFirst() else { return nil }
    switch first {
    case .identifier(let name): space = name
    case .symbol(0x2A): space = "*"
    default: return nil
    }
    // Not the beginning of `|=`.
    guard rest.first == .symbol(0x7C), case .identifier(let local)? = rest.dropFirst().first else {
      return space == "*" ? nil : space?.lowercased()
    }
    rest = rest.dropFirst(2)
    return "\(space ?? "*"):\(local)".lowercased()
  }

  private static func attribute(_ name: String) -> String? {
    switch name {
    case "xml:lang", "*:lang": "lang"
    case let name where name.hasSuffix(":type"): typeAttribute
    case let name where kept.contains(name): name
    default: nil
    }
  }

  private static func match(_ rest: inout ArraySlice<CSSToken>) -> String? {
    if rest.first == .symbol(0x3D) {
      rest.removeFirst()
      return "="
    }
    guard case .symbol(let byte)? = rest.popFirst(), rest.popFirst() == .symbol(0x3D),
      [0x7E, 0x7C, 0x5E, 0x24, 0x2A].contains(byte)
    else { return nil }
    return String(UnicodeScalar(byte)) + "="
  }

  private static func value(_ rest: inout ArraySlice<CSSToken>) -> String? {
    switch rest.popFirst() {
    case .identifier(let text)?, .string(let text)?: text
    default: nil
    }
  }

  private static func flag(_ rest: ArraySlice<CSSToken>) -> String? {
    if rest.isEmpty { return "" }
    guard rest.count == 1, case .identifier(let flag)? = rest.first,
      ["i", "s"].contains(flag.lowercased())
    else { return nil }
    return " " + flag.lowercased()
  }

  /// Returns the value as pages have it; `nil` where a part of a name could be one of the prefix.
  private static func prefixed(_ attribute: String, _ match: String, _ value: String) -> String? {
    let prefix: String
    switch attribute {
    case "class": prefix = SelectorScope.classPrefix
    case "id": prefix = SelectorScope.idPrefix
    case "lang" where match == "=" || match == "|=": return LanguageTag.corrected(value)
    default: return value
    }
    guard !value.isEmpty else { return value }
    let names = value.split(whereSeparator: \.isWhitespace).map(String.init)
    switch match {
    case "=", "~=", "|=", "^=": return names.map { prefix + $0 }.joined(separator: " ")
    default:
      guard !prefix.contains(value), let first = names.first else { return nil }
      return ([first] + names.dropFirst().map { prefix + $0 }).joined(separator: " ")
    }
  }

  /// Attributes whose values pages keep, or that they have where the book has them.
  private static let kept: Set<String> = [
    "class", "id", "lang", "dir", "title", "alt", "colspan", "rowspan", "start", "role", "hidden",
    "href", "src", "align", "valign", "type", "value", "reversed", "open", "datetime", "span",
    "scope", "border", "width", "height", "display", "mathvariant", "fill", "stroke",
    "aria-label", "aria-hidden", "controls", "poster",
  ]
}
