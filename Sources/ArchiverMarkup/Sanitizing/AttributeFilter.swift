import ArchiverCore

/// The allow-list of attributes and their values.
struct AttributeFilter {
  var allowedClasses: Set<String>
  /// Classes that the sanitiser itself writes and therefore must accept again.
  private static let ownClasses: Set<String> = [
    "embed", "latex", "tint-red", "tint-yellow", "tint-green", "tint-blue", "ink-red", "ink-yellow",
    "ink-green", "ink-blue",
  ]

  /// Returns the attributes that an element keeps, in a fixed order.
  func filter(
    _ attributes: HTMLAttributes, of name: String, _ resolver: inout ReferenceResolver
  ) -> ElementAttributes {
    guard !attributes.items.isEmpty else { return ElementAttributes() }
    var kept = ElementAttributes()
    if let id = attributes["id"] ?? (name == "a" ? attributes["name"] : nil) {
      kept.id = SafeIdentifier.id(id)
    }
    let style = style(attributes, name).map {
      StyleFilter.facts($0, allowsWidth: AttributeFilter.columns.contains(name), &resolver)
    }
    if let classes = classes(attributes["class"], style, name) { kept.set("class", classes) }
    for (attribute, value) in attributes.items {
      if let value = accepted(attribute, value, on: name, &resolver) { kept.set(attribute, value) }
    }
    if let value = style?.style { kept.set("style", value) }
    kept.whiteSpace = style?.whiteSpace
    return kept
  }

  private static let columns: Set<String> = ["col", "colgroup", "td", "th", "table"]

  /// Returns the style, preceded by the equivalents of presentational attributes.
  private func style(_ attributes: HTMLAttributes, _ name: String) -> String? {
    var old = ""
    if let align = attributes["align"], AttributeFilter.alignable.contains(name) {
      old = "text-align:\(align);"
    }
    if let align = attributes["valign"], ["td", "th", "tr"].contains(name) {
      old += "vertical-align:\(align);"
    }
    if let type = attributes["type"], name == "ul" || name == "li" {
      old += "list-style-type:\(type);"
    }
    if let color = attributes["color"], name == "span" { old += "color:\(color);" }
    if let color = attributes["bgcolor"], AttributeFilter.cells.contains(name) {
      old += "background-color:\(color);"
    }
    return old.isEmpty ? attributes["style"] : old + (attributes["style"] ?? "")
  }

  private static let cells: Set<String> = ["td", "th", "tr"]
  /// Elements whose background is page design rather than the author's emphasis.
  private static let untinted: Set<String> = [
    "div", "table", "thead", "tbody", "tfoot", "caption", "colgroup", "col", "ul", "ol", "dl",
    "figure", "figcaption", "details", "summary", "pre",
  ]

  private static let alignable: Set<String> = [
    "p", "div", "td", "th", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "caption",
  ]

  /// Returns the permitted classes and those for an author's colours.
  private func classes(_ value: String?, _ style: StyleFacts?, _ name: String) -> String? {
    var kept = known(value)
    if let color = style?.background, !AttributeFilter.untinted.contains(name) {
      kept.removeAll { $0.hasPrefix("tint-") }
      kept.append("tint-\(color.rawValue)")
    }
    // On a background of ours, text has its default colour; links have the colour of links.
    if let color = style?.text, name != "a", !kept.contains(where: { $0.hasPrefix("tint-") }) {
      kept.removeAll { $0.hasPrefix("ink-") }
      kept.append("ink-\(color.rawValue)")
    }
    return kept.isEmpty ? nil : kept.joined(separator: " ")
  }

  private func known(_ value: String?) -> [Substring] {
    guard let value else { return [] }
    var kept = [Substring]()
    for token in value.split(whereSeparator: \.isWhitespace) where !kept.contains(token) {
      let word = String(token)
      if allowedClasses.contains(word) || AttributeFilter.ownClasses.contains(word) {
        kept.append(token)
      }
    }
    return kept
  }

  private func accepted(
    _ attribute: String, _ value: String, on element: String, _ resolver: inout ReferenceResolver
  ) -> String? {
    // The most frequent attributes are kept in other ways, or not at all.
    if attribute == "class" || attribute == "id" || attribute == "href" || attribute == "style" {
      return nil
    }
    switch (attribute, element) {
    case ("dir", _): return word(value, of: ["ltr", "rtl", "auto"])
    case ("lang", _): return AttributeFilter.languageTag(value)
    case ("title", _), ("abbr", "th"): return value.isEmpty ? nil : value
    case ("translate", _): return word(value, of: ["yes", "no"])
    case ("start", "ol"), ("value", "li"): return AttributeFilter.integer(value, -100_000...100_000)
    case ("reversed", "ol"), ("open", "details"): return ""
    case ("type", "ol"): return ["1", "a", "A", "i", "I"].contains(value) ? value : nil
    case ("colspan", "td"), ("colspan", "th"), ("span", "col"), ("span", "colgroup"):
      return AttributeFilter.span(value, 1...1_000)
    case ("rowspan", "td"), ("rowspan", "th"): return AttributeFilter.span(value, 0...65_534)
    case ("scope", "th"): return word(value, of: ["row", "col", "rowgroup", "colgroup"])
    case ("headers", "td"), ("headers", "th"):
      let ids = value.split(whereSeparator: \.isWhitespace).compactMap {
        SafeIdentifier.id(String($0))
      }
      return ids.isEmpty ? nil : ids.joined(separator: " ")
    case ("datetime", "time"), ("datetime", "del"), ("datetime", "ins"):
      return AttributeFilter.isDateLike(value) ? value : nil
    case ("cite", "blockquote"), ("cite", "q"), ("cite", "del"), ("cite", "ins"):
      return resolver.web(value)
    default: return nil
    }
  }

  private func word(_ value: String, of words: Set<String>) -> String? {
    let word = value.lowercased()
    return words.contains(word) ? word : nil
  }

  /// Returns a language tag if it is well-formed (BCP 47).
  static func languageTag(_ value: String) -> String? {
    let isTag =
      (2...35).contains(value.utf8.count)
      && value.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D
      }
    return isTag ? value : nil
  }

  static func integer(_ value: String, _ range: ClosedRange<Int>) -> String? {
    guard let number = Int(value.filter { !$0.isWhitespace }), range.contains(number) else {
      return nil
    }
    return String(number)
  }

  /// Returns a number of rows or columns as browsers read it (HTML Standard section 4.9.11): up to the
  /// first other character, and at most the upper bound; `nil` below the lower one.
  private static func span(_ value: String, _ range: ClosedRange<Int>) -> String? {
    let digits = value.drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    let number = Int(digits) ?? range.upperBound
    return number < range.lowerBound ? nil : String(min(number, range.upperBound))
  }

  private static func isDateLike(_ value: String) -> Bool {
    (1...40).contains(value.utf8.count)
      && value.utf8.allSatisfy {
        (0x30...0x3A).contains($0) || [0x2B, 0x2D, 0x2E, 0x20].contains($0)
          || (0x41...0x5A).contains($0)
      }
  }
}
