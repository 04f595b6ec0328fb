import ArchiverCore

/// Sorts rows of a table below their parent rows.
struct SubitemOrder {
  /// The maximum indentation; deeper rows have the same.
  static let deepest = 5

  private let column: PropertySchema?

  init(_ view: DatabaseView, _ schema: DataSourceSchema) {
    let subtasks = view.configuration["subtasks"]
    let isFlat = ["flattened", "disabled"].contains(subtasks?["display_mode"]?.string)
    column = isFlat ? nil : subtasks?["property_id"]?.string.flatMap { schema.column($0) }
  }

  /// Returns every row once with its depth. A row whose parent is absent or that contains itself is
  /// at the top.
  func nested(_ rows: [JSONValue]) -> [(row: JSONValue, depth: Int)] {
    guard let column else { return rows.map { ($0, 0) } }
    let ids = rows.map { NotionID($0["id"]) }
    var places: [NotionID: Int] = [:]
    for (place, id) in ids.enumerated() {
      if let id { places[id] = place }
    }
    let targets = rows.map { self.targets($0, column, places) }
    var children = [[Int]](repeating: [], count: rows.count)
    var hasParent = [Bool](repeating: false, count: rows.count)
    let namesParents = self.namesParents(column, targets)
    for (place, others) in targets.enumerated() {
      for other in others where other != place {
        let (parent, child) = namesParents ? (other, place) : (place, other)
        guard !hasParent[child] else { continue }
        hasParent[child] = true
        children[parent].append(child)
      }
    }
    // Children keep the order of the view.
    for place in children.indices { children[place].sort() }
    return walk(rows, children, hasParent)
  }

  private func walk(
    _ rows: [JSONValue], _ children: [[Int]], _ hasParent: [Bool]
  ) -> [(row: JSONValue, depth: Int)] {
    var ordered: [(row: JSONValue, depth: Int)] = []
    var isDone = [Bool](repeating: false, count: rows.count)
    func add(_ top: Int) {
      var pending = [(top, 0)]
      while let (place, depth) = pending.popLast() {
        guard !isDone[place] else { continue }
        isDone[place] = true
        ordered.append((rows[place], depth))
        pending += children[place].reversed().map { ($0, depth + 1) }
      }
    }
    for place in rows.indices where !hasParent[place] { add(place) }
    // The remaining rows are in cycles.
    for place in rows.indices { add(place) }
    return ordered
  }

  private func targets(
    _ row: JSONValue, _ column: PropertySchema, _ places: [NotionID: Int]
  ) -> [Int] {
    (row.property(column)?["relation"]?.array ?? []).compactMap { value in
      // Rows that the view leaves out have no position in it.
      NotionID(value["id"]).flatMap { places[$0] }
    }
  }

  /// Whether the relation leads to parents, which Notion does not report. A row has one parent and
  /// may have many children; if no row has two targets, the property's name decides.
  private func namesParents(_ column: PropertySchema, _ targets: [[Int]]) -> Bool {
    if targets.contains(where: { $0.count > 1 }) { return false }
    var counts: [Int: Int] = [:]
    for target in targets.joined() { counts[target, default: 0] += 1 }
    if counts.values.contains(where: { $0 > 1 }) { return true }
    return column.name.lowercased().contains("parent")
  }
}
