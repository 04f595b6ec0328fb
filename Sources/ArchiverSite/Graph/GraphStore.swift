import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Maintains the graph of an archive: its pages, and its files for other programs.
///
/// The store has the relations in the items' records, so that only changed records are read again,
/// and the positions in the last drawing.
struct GraphStore {
  let root: String
  let files: SiteFiles
  let words: Words

  /// Returns the graph of rows in any order; `nil` if it has no edges.
  ///
  /// - Parameter links: The links between archived items.
  func graph(
    _ rows: RowList, links: [(from: ItemKey, to: ItemKey)]
  ) throws -> LibraryGraph? {
    let members = try members(rows, links)
    guard !members.isEmpty else { return nil }
    var graph = LibraryGraph()
    var count = 0
    var nodes: [ItemKey: GraphRecord] = [:]
    for row in members {
      guard let record = try record(row, rows.table.store) else { continue }
      graph.add(record, folder: row.folder, standing: row.standing)
      nodes[row.key] = record
      if record.tellsOfPlace { count += 1 }
    }
    for link in links {
      guard let from = nodes[link.from], let to = nodes[link.to] else { continue }
      // The source has reported all relations between its own items.
      if from.isOfSource, link.from.source == link.to.source { continue }
      graph.addLink(from: from.graph.node.id, to: to.graph.node.id)
      count += 1
    }
    graph.addSharedFiles()
    return count > 0 ? graph : nil
  }

  /// Returns the rows that are in the graph, by folder.
  private func members(
    _ rows: RowList, _ links: [(from: ItemKey, to: ItemKey)]
  ) throws -> [LibraryRow] {
    let joined = Set(links.flatMap { [LibraryRow.mark($0.from), LibraryRow.mark($0.to)] })
    let pages = try rows.only(LibraryRow.Traits.page).loaded()
    let others = try rows.only(
      "SELECT number FROM items WHERE key = ? AND NOT traits & \(LibraryRow.Traits.page)",
      each: Array(joined))
    return (pages + (try others.loaded())).sorted { $0.folder < $1.folder }
  }

  /// Returns the relations of an item; reads its record if it changed. `nil` if that cannot be read.
  private func record(_ row: LibraryRow, _ store: LibraryStore) throws(StorageError) -> GraphRecord?
  {
    let version = "\(row.contentHash) \(row.written)"
    let known = try store.all(
      "SELECT record FROM relations WHERE key = ? AND version = ?", row.marks.key, version
    ) { $0.text(0) }
    if let known = known.first { return StoredJSON.value(GraphRecord.self, known) }
    let record = read(row)
    try store.run(
      "INSERT OR REPLACE INTO relations VALUES (?, ?, ?)", row.marks.key, version,
      record.map { StoredJSON.text($0) } ?? "")
    return record
  }

  /// Writes the pages and files of a graph.
  func write(
    _ graph: LibraryGraph, _ store: LibraryStore, sections: [LibraryShell.Section]
  ) throws(StorageError) {
    try files.put(GraphFiles.jsonPath, GraphFiles.json(graph))
    try files.put(GraphFiles.graphMLPath, GraphFiles.graphML(graph))
    let drawn = graph.drawn()
    let places = try places(drawn, store)
    let pages = GraphPage(words: words, sections: sections).pages(drawn, places)
    for (path, bytes) in pages { try files.put(path, bytes) }
  }

  /// Returns the positions of the nodes: the last ones if the drawn graph is unchanged.
  private func places(
    _ drawn: LibraryGraph.Drawn, _ store: LibraryStore
  ) throws(StorageError) -> [Point] {
    var hash = Fingerprint.seed
    for node in drawn.nodes { hash = Fingerprint.of("\(node.id)\n".utf8, from: hash) }
    for (source, target, edge) in drawn.edges {
      hash = Fingerprint.of("\(source) \(target) \(edge.kind.rawValue)\n".utf8, from: hash)
    }
    let known = try store.all("SELECT points FROM places WHERE graph = ?", hash) { $0.text(0) }
    if let places = known.first.flatMap({ StoredJSON.value([Point].self, $0) }) { return places }
    let places = GraphLayout.places(drawn)
    try store.run("DELETE FROM places")
    try store.run("INSERT INTO places VALUES (?, ?)", hash, StoredJSON.text(places))
    return places
  }

  private func read(_ row: LibraryRow) -> GraphRecord? {
    // `verify` reports a missing or damaged record.
    guard let item = bytes(row, ItemRecord.fileName),
      let record = try? ItemRecord(json: item, path: row.folder)
    else { return nil }
    return GraphRecord(record) { bytes(row, "source.json") }
  }

  private func bytes(_ row: LibraryRow, _ name: String) -> [UInt8]? {
    ArchiveFile("\(row.folder)/\(name)", in: root).bytes
  }
}
