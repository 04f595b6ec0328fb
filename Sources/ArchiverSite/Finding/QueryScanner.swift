/// Divides a query into words, phrases and filters.
struct QueryScanner {
  /// A required or excluded part of a query.
  struct Piece: Hashable {
    let part: Part
    /// Whether a hyphen directly precedes it.
    let isExcluded: Bool
    /// Whether the part ends the query, without white space after it.
    var isLast = false
  }

  enum Part: Hashable {
    case filter(String, String)
    case phrase(String)
    case word(String)
    /// The name of an unknown filter.
    case unknown(String)
  }

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  /// Whether everything was read, including white space.
  var isAtEnd: Bool { rest.isEmpty }

  /// Returns the next piece; `nil` at the end.
  mutating func next() -> Piece? {
    rest = rest.drop { $0.properties.isWhitespace }
    guard let first = rest.first else { return nil }
    let after = rest.dropFirst()
    guard first == "-", let next = after.first, !next.properties.isWhitespace else {
      return Piece(part: part(from: first), isExcluded: false)
    }
    rest = after
    return Piece(part: part(from: next), isExcluded: true)
  }

  private mutating func part(from first: Unicode.Scalar) -> Part {
    if let filter = filter() { return filter }
    if QueryScanner.isQuotation(first) { return .phrase(quoted()) }
    return .word(word())
  }

  /// Reads a filter: a name, a colon and a value; `nil` for text that does not have that form. A
  /// URL, which has it too, counts as a word.
  private mutating func filter() -> Part? {
    let name = rest.prefix { $0.isASCII && $0.properties.isAlphabetic }
    let afterName = rest.dropFirst(name.count)
    let value = afterName.dropFirst()
    guard !name.isEmpty, afterName.first == ":", let first = value.first,
      !first.properties.isWhitespace
    else { return nil }
    let whole = rest
    rest = value
    let text = QueryScanner.isQuotation(first) ? quoted() : word()
    let lowered = String(name).lowercased()
    let isKnown = SearchQuery.filterNames.contains(lowered)
    if let values = SearchQuery.values[lowered], !text.isEmpty,
      !values.contains(text.lowercased())
    {
      return .unknown("\(String(name)):\(text)")
    }
    if isKnown, !text.isEmpty { return .filter(lowered, text) }
    // A URL also begins with a name and a colon.
    let isAddress = value.starts(with: "//".unicodeScalars)
    if !isKnown, !isAddress { return .unknown(String(name)) }
    return .word(String(whole[whole.startIndex..<rest.startIndex]))
  }

  /// Whether a character is a quotation mark. Keyboards and editors replace plain ones by those of the language.
  private static func isQuotation(_ scalar: Unicode.Scalar) -> Bool {
    "\"“”„«»「」『』".unicodeScalars.contains(scalar)
  }

  private mutating func quoted() -> String {
    let inside = rest.dropFirst().prefix { !QueryScanner.isQuotation($0) }
    rest = rest.dropFirst(inside.count + 1).dropFirst()
    return String(inside)
  }

  private mutating func word() -> String {
    let word = rest.prefix { !$0.properties.isWhitespace }
    rest = rest.dropFirst(word.count)
    return String(word)
  }
}
