import ArchiverCore

/// The values of an archived bookmark that the API sets.
struct WantedBookmark {
  let title: String
  /// The time of saving in RFC 3339, to the nanosecond if the record has it.
  let created: String
  let labels: [String]
  let authors: [String]
  let siteName: String
  /// The time of publishing in RFC 3339; `nil` if there is none.
  let published: String?
  let language: String
  let textDirection: String
  let description: String
  /// The type: `article`, `photo` or `video`; empty if unknown.
  let type: String
  /// The HTML of a video's player; empty if there is none.
  let embed: String
  let isMarked: Bool
  let isArchived: Bool
  let readProgress: Int
  /// The selector of the element at which reading stopped; empty if there is none.
  let readAnchor: String

  init(_ item: KeptItem, _ record: JSONValue?) {
    let metadata = item.metadata
    func text(_ key: String, _ other: String?) -> String { record?[key]?.string ?? other ?? "" }
    func texts(_ key: String, _ other: [String]) -> [String] {
      record?[key]?.array?.compactMap(\.string) ?? other
    }
    title = text("title", metadata.title)
    created = text("created", metadata.added.map { UTCTime.text($0) })
    labels = texts("labels", metadata.labels)
    authors = texts("authors", metadata.authors)
    siteName = text("site_name", metadata.siteName)
    let time = text("published", metadata.published.map { UTCTime.text($0) })
    published = time.isEmpty ? nil : time
    language = text("lang", metadata.language)
    textDirection = text("text_direction", metadata.direction?.rawValue)
    description = text("description", metadata.summary)
    type = text("type", nil)
    embed = text("embed", nil)
    isMarked = metadata.isFavourite
    isArchived = metadata.isArchived
    readProgress = record?["read_progress"]?.integer ?? metadata.readProgress ?? 0
    readAnchor = text("read_anchor", nil)
  }

  /// Returns the members of a PATCH that completes a bookmark: its state and, on servers that
  /// accept them, the values that the form did not set.
  func changes(_ present: Bookmark, isWide: Bool) -> JSONValue {
    var changes: [String: JSONValue] = [
      "labels": .array(labels.map { .string($0) }), "is_marked": .bool(isMarked),
      "is_archived": .bool(isArchived), "read_progress": .integer(readProgress),
    ]
    if !readAnchor.isEmpty { changes["read_anchor"] = .string(readAnchor) }
    if present.title != title { changes["title"] = .string(title) }
    guard isWide else { return .object(changes) }
    if (present.siteName ?? "") != siteName { changes["site_name"] = .string(siteName) }
    if present.authors != authors { changes["authors"] = .array(authors.map { .string($0) }) }
    if (present.language ?? "") != language { changes["lang"] = .string(language) }
    if (present.textDirection ?? "") != textDirection {
      changes["text_direction"] = .string(textDirection)
    }
    if (present.description ?? "") != description { changes["description"] = .string(description) }
    if !isPublished(present), let published { changes["published"] = .string(published) }
    return .object(changes)
  }

  /// Returns a word for each value that a bookmark lacks.
  func losses(_ present: Bookmark) -> [String] {
    let checks: [(String, Bool)] = [
      ("title", present.title == title), ("label", Set(present.labels) == Set(labels)),
      ("author", present.authors == authors), ("site name", (present.siteName ?? "") == siteName),
      ("date of publishing", isPublished(present)),
      ("language", (present.language ?? "") == language),
      ("direction of text", (present.textDirection ?? "") == textDirection),
      ("description", (present.description ?? "") == description),
      ("type", type.isEmpty || present.type == type),
      ("player", embed.isEmpty || present.embed?.isEmpty == false),
      ("favourite", present.isMarked == isMarked), ("archived", present.isArchived == isArchived),
      ("reading position", (present.readProgress ?? 0) == readProgress),
    ]
    return checks.filter { !$0.1 }.map(\.0)
  }

  private func isPublished(_ present: Bookmark) -> Bool {
    present.published == published.flatMap { Timestamp($0) }
  }
}
