import ArchiverCore

/// The configured filter, as query fields of `GET /api/bookmarks`.
struct BookmarkFilter: Sendable {
  enum State: String, Sendable, CaseIterable {
    case all, unread, archived, favourite
  }

  /// Fields of the query without the collection, whose id must be looked up first.
  let fields: [(name: String, value: String)]
  /// The id or name of a collection.
  let collection: String?
  let onlyHighlighted: Bool

  init(_ configuration: ReadeckConfiguration) throws(AdapterError) {
    var fields: [(name: String, value: String)] = []
    let state = try BookmarkFilter.choice(configuration.state ?? "all", of: State.self, "state")
    switch state {
    case .all: break
    case .unread: fields.append(("is_archived", "false"))
    case .archived: fields.append(("is_archived", "true"))
    case .favourite: fields.append(("is_marked", "true"))
    }
    for type in BookmarkFilter.filled(configuration.type) {
      let kind = try BookmarkFilter.choice(type, of: BookmarkType.self, "type")
      fields.append(("type", kind.rawValue))
    }
    for status in BookmarkFilter.filled(configuration.readStatus) {
      let status = try BookmarkFilter.choice(status, of: ReadStatus.self, "readStatus")
      fields.append(("read_status", status.rawValue))
    }
    let labels = BookmarkFilter.filled(configuration.labels)
    if !labels.isEmpty {
      fields.append(("labels", labels.map(BookmarkFilter.quoted).joined(separator: " ")))
    }
    for (name, value) in [
      ("site", configuration.site),
      ("range_start", configuration.rangeStart.map(BookmarkFilter.place)),
      ("range_end", configuration.rangeEnd.map(BookmarkFilter.place)),
    ] {
      if let value = BookmarkFilter.filled([value ?? ""]).first { fields.append((name, value)) }
    }
    self.fields = fields
    collection = BookmarkFilter.filled([configuration.collection ?? ""]).first
    onlyHighlighted = configuration.onlyHighlighted ?? false
  }

  /// Returns an age (`36h`, `30d`, `8w`, `18mo`, `2y`) in days, as the server reads it (`-30d`),
  /// and other text unchanged. A month has 30 days and a year 365; a partial day counts as a day.
  private static func place(_ text: String) -> String {
    let trimmed = text.filter { !$0.isWhitespace }
    let digits = trimmed.prefix { $0.isASCII && $0.isNumber }
    let units = ["d": 1, "w": 7, "mo": 30, "y": 365]
    let name = trimmed.dropFirst(digits.count).lowercased()
    guard let number = Int(digits), number <= 876_000 else { return text }
    if name == "h" { return "-\((number + 23) / 24)d" }
    guard number <= 36_500, let unit = units[name] else { return text }
    return "-\(number * unit)d"
  }

  /// Whether every bookmark passes.
  var isEmpty: Bool { !needsServer && !onlyHighlighted }

  /// Whether the server must filter. Bookmarks with highlights are determined by another request.
  var needsServer: Bool { !fields.isEmpty || collection != nil }

  /// A text that is equal for equal filters only.
  var fingerprint: String {
    var parts = fields.map { "\($0.name)=\(WebURL.percentEncoded($0.value))" }.sorted()
    if let collection { parts.append("collection=\(WebURL.percentEncoded(collection))") }
    if onlyHighlighted { parts.append("highlighted") }
    return parts.joined(separator: "&")
  }

  private enum BookmarkType: String, CaseIterable { case article, photo, video }
  private enum ReadStatus: String, CaseIterable { case unread, reading, read }

  private static func filled(_ values: [String]?) -> [String] {
    (values ?? []).map { value in
      String(value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.filter { !$0.isEmpty }
  }

  /// Returns a label in the server's search syntax, in which a name with a space or a colon needs
  /// quotes.
  private static func quoted(_ label: String) -> String {
    let sign = label.hasPrefix("-") ? "-" : ""
    let name = label.dropFirst(sign.count)
    if name.hasPrefix("\"") || (name.hasSuffix("*") && !name.contains(where: \.isWhitespace)) {
      return label
    }
    return sign + "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func choice<T: RawRepresentable<String> & CaseIterable>(
    _ value: String, of type: T.Type, _ key: String
  ) throws(AdapterError) -> T {
    if let choice = T(rawValue: value.lowercased()) { return choice }
    let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
    throw AdapterError(
      .configuration, "\(key) of Readeck cannot be \"\(value)\": choose from \(choices)")
  }
}
