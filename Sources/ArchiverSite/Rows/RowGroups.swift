import ArchiverCore
import ArchiverStorage

/// Attributes that many items share. Rows refer to them, so they are stored and counted once.
final class RowOrigin: Sendable {
  let source: String
  let kind: ItemMetadata.Kind
  let direction: TextDirection
  /// Whether the source still has the item and permits reading it.
  let standing: ItemState
  let language: String?
  let site: String?
  /// The host, which identifies the site.
  let host: String?

  init(_ item: CatalogItem) {
    let metadata = item.metadata
    source = item.key.source
    kind = metadata.kind
    direction = metadata.textDirection
    standing = item.state
    language = metadata.language
    site = metadata.displaySite.map(NormalForms.shared.composed)
    host = metadata.site.map(NormalForms.shared.composed)
  }

  /// Decodes what `encode` wrote; `nil` if a later version added kinds.
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

/// The labels of an item in composed form, without duplicates, in the source's order; shared like
/// `RowOrigin`.
final class RowLabels: Sendable {
  let names: [String]

  init(_ names: [String]) {
    var seen: Set<ByteKey> = []
    self.names = names.map(NormalForms.shared.composed).filter {
      !$0.isEmpty && seen.insert(ByteKey($0)).inserted
    }
  }

  /// Decodes what `encode` wrote.
  init(_ reader: inout RowReader) {
    names = reader.list { $0.text() }
  }

  func encode(to writer: inout RowWriter) {
    writer.put(names) { $0.put($1) }
  }
}

/// The number of rows per shared attribute, so that it is processed once and not per row.
struct RowCensus<Group> {
  /// The attributes, including those without rows.
  let groups: [Group]
  /// The number of rows of each.
  private(set) var counts: [Int]

  /// `numbers` are the indexes in `groups` of each row's attributes.
  init(_ groups: [Group], _ numbers: some Sequence<Int32>) {
    self.groups = groups
    counts = Array(repeating: 0, count: groups.count)
    for number in numbers { counts[Int(number)] += 1 }
  }

  /// Counts the rows per name; a group may have several names.
  func names(_ names: (Group) -> [String]) -> [String: Int] { sums(counts, names) }

  /// Sums values, one per group, by the names of the groups that have rows.
  func sums(_ values: [Int], _ names: (Group) -> [String]) -> [String: Int] {
    var found: [String: Int] = [:]
    for (number, group) in groups.enumerated() where counts[number] > 0 {
      for name in names(group) { found[name, default: 0].add(clamped: values[number]) }
    }
    return found
  }
}

/// Rows by name; a row may have several names.
struct RowGroups: Sendable {
  let rows: RowList
  /// The number of rows with each name.
  let counts: [String: Int]
  /// The index in `groupNames` for each row.
  let number: @Sendable (RowEntry) -> Int32
  let groupNames: [[String]]

  /// The maximum number of rows in lists at a time. With all lists at once, each row would occur
  /// once per name.
  static let listed = 32_768

  /// Calls `body` with each of these names and the rows that have it, in order; several calls run
  /// in parallel. The lists of parallel calls hold at most `listed` rows, or a quarter of all.
  func forEachPart(
    _ names: [String], listed: Int = RowGroups.listed,
    _ body: ([(name: String, rows: RowList)]) throws -> Void
  ) rethrows {
    let limit = max(listed, rows.count / 4)
    var rest = names[...]
    while let first = rest.first {
      var size = counts[first] ?? 0
      var part = rest.prefix(1)
      for name in rest.dropFirst() {
        size += counts[name] ?? 0
        guard size <= limit else { break }
        part = rest[...part.endIndex]
      }
      try body(lists(part))
      rest = rest[part.endIndex...]
    }
  }

  private func lists(_ names: ArraySlice<String>) -> [(name: String, rows: RowList)] {
    // If all rows have the name, as with a single source, the list exists already.
    if names.count == 1, let name = names.first, counts[name] == rows.count {
      return [(name, rows)]
    }
    var places: [String: Int] = [:]
    var lists: [[Int32]] = []
    for name in names {
      places[name] = lists.count
      lists.append([])
      lists[lists.count - 1].reserveCapacity(counts[name] ?? 0)
    }
    let members = groupNames.map { $0.compactMap { places[$0] } }
    rows.forEachNumber { one, entry in
      for place in members[Int(number(entry))] { lists[place].append(one) }
    }
    return zip(names, lists).map { ($0, RowList(rows.table, $1[...])) }
  }
}
