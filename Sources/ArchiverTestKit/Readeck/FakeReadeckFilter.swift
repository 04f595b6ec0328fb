import ArchiverCore

/// The filter of a list request.
struct FakeReadeckFilter: Sendable {
  private let types: [String]
  private let statuses: [String]
  private let labels: [FakeReadeckTerm]
  private let site: String?
  private let isArchived: [Bool]
  private let isMarked: [Bool]
  private let hasErrors: Bool?
  private let start: ReadeckTime?
  private let end: ReadeckTime?
  private let updatedSince: ReadeckTime?

  init(
    _ request: ServerRequest, _ behaviour: FakeReadeck.Behaviour,
    _ collection: FakeReadeck.Collection?, now: Int
  ) {
    func flag(_ name: String) -> Bool? {
      request.parameter(name).map { $0 == "true" || $0 == "1" }
    }
    types = request.parameters("type")
    statuses = request.parameters("read_status")
    labels = FakeReadeckTerm.terms(
      [request.parameter("labels"), collection?.labels].compactMap(\.self).joined(separator: " "))
    site = request.parameter("site")
    isArchived = [flag("is_archived"), collection?.isArchived].compactMap(\.self)
    isMarked = [flag("is_marked"), collection?.isMarked].compactMap(\.self)
    hasErrors = flag("has_errors")
    start = request.parameter("range_start").flatMap { FakeReadeckFilter.range($0, now: now) }
    end = request.parameter("range_end").flatMap { FakeReadeckFilter.range($0, now: now) }
    // Only 0.16 to 0.19 support it; other versions ignore it like any unknown field.
    let knowsUpdatedSince = behaviour.isAtLeast(0, 16) && !behaviour.isAtLeast(0, 20)
    updatedSince =
      knowsUpdatedSince
      ? request.parameter("updated_since").flatMap { ReadeckTime(parsing: $0) } : nil
  }

  func matches(_ entry: FakeReadeck.Entry) -> Bool {
    let bookmark = entry.bookmark
    let status = [0: "unread", 100: "read"][bookmark.readProgress] ?? "reading"
    let isSite = site.map { bookmark.site == $0 || bookmark.site.hasSuffix(".\($0)") } ?? true
    return (types.isEmpty || types.contains(bookmark.type))
      && (statuses.isEmpty || statuses.contains(status)) && isSite
      && isArchived.allSatisfy { $0 == bookmark.isArchived }
      && isMarked.allSatisfy { $0 == bookmark.isMarked }
      && (hasErrors ?? !bookmark.errors.isEmpty) == !bookmark.errors.isEmpty
      && (start.map { entry.created >= $0 } ?? true) && (end.map { entry.created < $0 } ?? true)
      && (updatedSince.map { entry.updated >= $0 } ?? true)
      && labels.allSatisfy { hasLabel(bookmark, $0) }
  }

  /// Parses `2026-11-20` or `-1d`, `-2w`, `-3m`, `-4y`; `nil` for other text.
  static func range(_ text: String, now: Int) -> ReadeckTime? {
    guard text.hasPrefix("-") else { return text.contains("-") ? ReadeckTime(parsing: text) : nil }
    let days = ["d": 1, "w": 7, "m": 30, "y": 365][text.suffix(1)]
    guard let days, let count = Int(text.dropFirst().dropLast()) else { return nil }
    return ReadeckTime(nanoseconds: now - count * days * 86_400 * 1_000_000_000)
  }

  private func hasLabel(_ bookmark: FakeReadeck.Bookmark, _ term: FakeReadeckTerm) -> Bool {
    let isThere = bookmark.labels.contains { label in
      term.isBeginning ? label.hasPrefix(term.text) : label == term.text
    }
    return isThere != term.isExcluded
  }
}

/// A word of the search syntax: `name`, `"several words"`, `begin*`, `-not`.
struct FakeReadeckTerm: Sendable {
  var text = ""
  var isExcluded = false
  var isBeginning = false

  /// Splits a query at spaces outside quotation marks; inside them `\` escapes the next character.
  static func terms(_ query: String) -> [FakeReadeckTerm] {
    var terms: [FakeReadeckTerm] = []
    var term = FakeReadeckTerm()
    var isQuoted = false
    var wasQuoted = false
    var isEscaped = false
    for character in query + " " {
      switch character {
      case _ where isEscaped:
        term.text.append(character)
        isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"":
        isQuoted.toggle()
        wasQuoted = true
      case " " where !isQuoted:
        if !term.text.isEmpty { terms.append(term) }
        term = FakeReadeckTerm()
        wasQuoted = false
      case "-" where term.text.isEmpty && !wasQuoted: term.isExcluded = true
      case "*" where !isQuoted: term.isBeginning = true
      default: term.text.append(character)
      }
    }
    return terms
  }
}
