import ArchiverCore
import ArchiverStorage

/// What many items have in common; rows of one cache share it, so that it is read and counted once.
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

/// Which rows share what, so that it is looked at once and not for every row.
///
/// Equal groups may be there several times: rows of items that are new share nothing yet.
struct RowCensus<Group: AnyObject> {
  /// In the order in which they first came.
  private(set) var groups: [Group] = []
  /// How many rows each has.
  private(set) var counts: [Int] = []
  /// The place in `groups` of each row's.
  private(set) var numbers: [Int] = []

  init(_ rows: some Collection<LibraryRow>, _ group: (LibraryRow) -> Group) {
    var known: [ObjectIdentifier: Int] = [:]
    numbers.reserveCapacity(rows.count)
    for row in rows {
      let group = group(row)
      let identifier = ObjectIdentifier(group)
      let number: Int
      if let last = numbers.last, groups[last] === group {
        number = last
      } else if let found = known[identifier] {
        number = found
      } else {
        number = groups.count
        known[identifier] = number
        groups.append(group)
        counts.append(0)
      }
      counts[number] += 1
      numbers.append(number)
    }
  }

  /// Counts the rows of each name, of which a group may have several.
  func names(_ names: (Group) -> [String]) -> [String: Int] { sums(counts, names) }

  /// Adds up what the rows of each name have.
  func sums(
    _ rows: some Collection<LibraryRow>, _ value: (LibraryRow) -> Int,
    _ names: (Group) -> [String]
  ) -> [String: Int] {
    var values = Array(repeating: 0, count: groups.count)
    for (row, number) in zip(rows, numbers) { values[number] += value(row) }
    return sums(values, names)
  }

  private func sums(_ values: [Int], _ names: (Group) -> [String]) -> [String: Int] {
    var found: [String: Int] = [:]
    for (group, value) in zip(groups, values) {
      for name in names(group) { found[name, default: 0] += value }
    }
    return found
  }
}
