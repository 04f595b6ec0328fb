import ArchiverCore
import ArchiverStorage

/// The YAML front matter of an item's file: generated keys and those that the user added.
struct FrontMatter {
  /// A key and its lines.
  struct Entry: Equatable {
    let key: String
    let lines: [String]
  }

  var entries: [Entry]

  /// The generated keys; all others are the user's.
  static let keys: Set<String> = [
    "title", "authors", "url", "site", "kind", "series", "language", "published", "saved",
    "modified", "labels", "tags", "favourite", "archived", "read", "gone", "source", "id",
  ]

  /// Generates the entries of an item.
  init(_ item: CatalogItem) {
    let metadata = item.metadata
    entries = []
    text("title", metadata.title)
    list("authors", metadata.authors)
    text("url", metadata.url)
    text("site", metadata.siteName ?? metadata.site)
    text("kind", metadata.kind.rawValue)
    if let series = metadata.series {
      text("series", series.name + (series.position.map { " #\($0)" } ?? ""))
    }
    text("language", metadata.language)
    date("published", metadata.published)
    date("saved", metadata.added ?? item.firstArchived)
    date("modified", metadata.modified)
    list("labels", metadata.labels)
    list("tags", FrontMatter.tags(metadata.labels))
    flag("favourite", metadata.isFavourite)
    flag("archived", metadata.isArchived)
    if let progress = metadata.readProgress, progress > 0 { add("read", "\(progress)") }
    flag("gone", item.state == .deleted)
    text("source", item.key.source)
    text("id", item.key.id)
  }

  /// Parses the lines between the two `---` lines.
  init(lines: [String]) {
    entries = []
    for line in lines {
      let isKey = line.first.map { !$0.isWhitespace && $0 != "-" && $0 != "#" } ?? false
      if isKey, let colon = line.firstIndex(of: ":") {
        entries.append(Entry(key: String(line[..<colon]), lines: [line]))
      } else if let last = entries.popLast() {
        entries.append(Entry(key: last.key, lines: last.lines + [line]))
      } else {
        entries.append(Entry(key: "", lines: [line]))
      }
    }
  }

  var ours: [Entry] { entries.filter { FrontMatter.keys.contains($0.key) } }
  var theirs: [Entry] { entries.filter { !FrontMatter.keys.contains($0.key) } }

  static func lines(_ entries: [Entry]) -> [String] { entries.flatMap(\.lines) }

  /// Returns a hash that reveals whether the user changed generated entries.
  static func hash(_ entries: [Entry]) -> String {
    String(Digest.sha256Hex(lines(entries).joined(separator: "\n")).prefix(16))
  }

  private mutating func add(_ key: String, _ value: String) {
    entries.append(Entry(key: key, lines: ["\(key): \(value)"]))
  }

  private mutating func text(_ key: String, _ value: String?) {
    if let value, !value.isEmpty || key == "title" { add(key, FrontMatter.quoted(value)) }
  }

  private mutating func flag(_ key: String, _ value: Bool) { if value { add(key, "true") } }

  private mutating func date(_ key: String, _ value: Date?) {
    if let value { add(key, UTCTime.text(value)) }
  }

  private mutating func list(_ key: String, _ values: [String]) {
    let values = values.filter { !$0.isEmpty }
    guard !values.isEmpty else { return }
    entries.append(
      Entry(key: key, lines: ["\(key):"] + values.map { "  - \(FrontMatter.quoted($0))" }))
  }

  /// Returns labels as tags that note-taking programs accept: without spaces, and not only digits.
  private static func tags(_ labels: [String]) -> [String] {
    var seen: Set<String> = []
    return labels.compactMap { label in
      var tag = ""
      for character in label {
        if character.isLetter || character.isNumber || "_/-".contains(character) {
          tag.append(character)
        } else if !tag.isEmpty, !tag.hasSuffix("-") {
          tag += "-"
        }
      }
      while tag.hasSuffix("-") || tag.hasSuffix("/") { tag.removeLast() }
      guard tag.contains(where: { !$0.isNumber }), seen.insert(tag).inserted else { return nil }
      return tag
    }
  }

  /// Returns a double-quoted scalar (YAML 1.2 section 7.3.1).
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": result += " "
      // YAML forbids these characters (section 5.1), so strict parsers refuse the file.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
