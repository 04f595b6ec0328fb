import ArchiverCore
import ArchiverStorage

/// What many items have in common; rows share it, so that it is in memory and counted once.
final class RowOrigin: Sendable {
  let source: String
  let kind: ItemMetadata.Kind
  let direction: TextDirection
  /// Whether the source still has it and lets it be read.
  let standing: ItemState
  let language: String?
  let site: String?
  /// The host, by which sites are told apart.
  let host: String?

  init(_ item: CatalogItem) {
    let metadata = item.metadata
    source = item.key.source
    kind = metadata.kind
    direction = metadata.textDirection
    standing = item.state
    language = metadata.language
    site = metadata.displaySite
    host = metadata.site
  }

  /// Reads what `encode` wrote; `nil` when a later version knows more kinds.
  init?(_ reader: inout RowReader) {
    source = reader.text()
    guard let kind = ItemMetadata.Kind(rawValue: reader.text()),
      let direction = TextDirection(rawValue: reader.text()),
      let standing = ItemState(rawValue: reader.text())
    else { return nil }
    self.kind = kind
    self.direction = direction
    self.standing = standing
    language = reader.optionalText()
    site = reader.optionalText()
    host = reader.optionalText()
  }

  func encode(to writer: inout RowWriter) {
    for text in [source, kind.rawValue, direction.rawValue, standing.rawValue] { writer.put(text) }
    writer.put(language)
    writer.put(site)
    writer.put(host)
  }
}

/// The labels of an item, each once, in the source's order; shared like `RowOrigin`.
final class RowLabels: Sendable {
  let names: [String]

  init(_ names: [String]) {
    var seen: Set<String> = []
    self.names = names.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Reads what `encode` wrote.
  init(_ reader: inout RowReader) {
    names = reader.list { $0.text() }
  }

  func encode(to writer: inout RowWriter) {
    writer.put(names) { $0.put($1) }
  }
}

/// How many rows have each of what rows share, so that it is looked at once and not for every row.
struct RowCensus<Group> {
  /// Those that no row has included.
  let groups: [Group]
  /// How many rows each has.
  private(set) var counts: [Int]

  /// `numbers` are the places in `groups` of each row's.
  init(_ groups: [Group], _ numbers: some Sequence<Int32>) {
    self.groups = groups
    counts = Array(repeating: 0, count: groups.count)
    for number in numbers { counts[Int(number)] += 1 }
  }

  /// Counts the rows of each name, of which a group may have several.
  func names(_ names: (Group) -> [String]) -> [String: Int] { sums(counts, names) }

  /// Adds up values, one of each group, by the names of those that rows have.
  func sums(_ values: [Int], _ names: (Group) -> [String]) -> [String: Int] {
    var found: [String: Int] = [:]
    for (number, group) in groups.enumerated() where counts[number] > 0 {
      for name in names(group) { found[name, default: 0] += values[number] }
    }
    return found
  }
}
