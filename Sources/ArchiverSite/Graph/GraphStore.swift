import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Maintains the graph of an archive: its pages, and its files for other programs.
///
/// `.archiver/library/graph.jsonl` caches the relations in the items' records, one per line, so
/// that only changed records are read again. `graph-places.tsv` beside it caches the positions in
/// the drawing with a fingerprint of the graph. Without these files everything is rebuilt, with the
/// same result.
struct GraphStore {
  static let statePath = ".archiver/library/graph.jsonl"
  static let placesPath = ".archiver/library/graph-places.tsv"
  /// Part of the fingerprint; must be changed whenever the same graph gives another layout.
  private static let format = "1"

  let root: String
  let files: SiteFiles
  let words: Words

  /// Whether an item is in the graph even without edges.
  private static func standsAlone(_ origin: RowOrigin) -> Bool {
    origin.kind == .page || origin.kind == .database
  }

  /// Returns the graph of rows in any order; `nil` if it has no edges.
  ///
  /// - Parameter links: The links between archived items.
  func graph(
    _ rows: RowList, links: [(from: ItemKey, to: ItemKey)]
  ) throws -> LibraryGraph? {
    let members = try members(rows, links)
    guard !members.isEmpty else { return nil }
    let known = lines(files.bytes(GraphStore.statePath) ?? [])
    var graph = LibraryGraph()
    var state: [UInt8] = []
    var count = 0
    var nodes: [ItemKey: GraphRecord] = [:]
    for row in members {
      let name = "\(row.stateKey)\t\(row.contentHash)\t\(row.written)\t\(GraphRecord.format)"
      let record = known[name] ?? read(row)
      state += "\(name)\t".utf8
      ScriptData.append(record?.value ?? [:], to: &state)
      if let record {
        graph.add(record, folder: row.folder, standing: row.standing)
        nodes[row.key] = record
        if record.tellsOfPlace { count += 1 }
      }
      state.append(0x0A)
    }
    for link in links {
      guard let from = nodes[link.from], let to = nodes[link.to] else { continue }
      // The source has reported all relations between its own items.
      if from.isOfSource, link.from.source == link.to.source { continue }
      graph.addLink(from: from.node.id, to: to.node.id)
      count += 1
    }
    graph.addSharedFiles()
    try files.put(GraphStore.statePath, state)
    return count > 0 ? graph : nil
  }

  /// Returns the rows that are in the graph, by folder.
  private func members(
    _ rows: RowList, _ links: [(from: ItemKey, to: ItemKey)]
  ) throws -> [LibraryRow] {
    var members = try rows.only { GraphStore.standsAlone(rows.origin($0)) }.loaded()
    var joined: Set<UInt64> = []
    for link in links {
      joined.insert(LibraryRow.mark(link.from))
      joined.insert(LibraryRow.mark(link.to))
    }
    if !joined.isEmpty {
      try rows.only { !GraphStore.standsAlone(rows.origin($0)) }.forEachRow { _, row in
        if joined.contains(row.marks.key) { members.append(row) }
      }
    }
    return members.sorted { $0.folder < $1.folder }
  }

  /// Writes the pages and files of a graph.
  func write(
    _ graph: LibraryGraph, sections: [LibraryShell.Section]
  ) throws(StorageError) {
    try files.put(GraphFiles.jsonPath, GraphFiles.json(graph))
    try files.put(GraphFiles.graphMLPath, GraphFiles.graphML(graph))
    let drawn = graph.drawn()
    let places = try places(drawn)
    let pages = GraphPage(words: words, sections: sections).pages(drawn, places)
    for page in pages { try files.put(page.path, page.bytes) }
  }

  /// Returns the positions of the nodes: the cached ones if the drawn graph is unchanged.
  private func places(_ drawn: LibraryGraph.Drawn) throws(StorageError) -> [Point] {
    var hash = Fingerprint.of(GraphStore.format)
    for node in drawn.nodes { hash = Fingerprint.of("\(node.id)\n".utf8, from: hash) }
    for (source, target, edge) in drawn.edges {
      hash = Fingerprint.of("\(source) \(target) \(edge.kind)\n".utf8, from: hash)
    }
    let name = Fingerprint.text(hash)
    if let places = GraphStore.places(files.bytes(GraphStore.placesPath), name),
      places.count == drawn.nodes.count
    {
      return places
    }
    let places = GraphLayout.places(drawn)
    let lines = places.map { "\($0.x)\t\($0.y)\n" }.joined()
    try files.put(GraphStore.placesPath, Array("\(name)\n\(lines)".utf8))
    return places
  }

  /// Parses positions for the graph with the fingerprint `name`.
  private static func places(_ bytes: [UInt8]?, _ name: String) -> [Point]? {
    var lines = (bytes ?? []).split(separator: 0x0A)[...]
    guard lines.popFirst()?.elementsEqual(name.utf8) == true else { return nil }
    return lines.compactMap { line in
      let numbers = String(decoding: line, as: UTF8.self).split(separator: "\t").compactMap {
        Double($0)
      }
      return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }
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

  private func lines(_ bytes: [UInt8]) -> [String: GraphRecord?] {
    var known: [String: GraphRecord?] = [:]
    for line in bytes.split(separator: 0x0A) {
      guard let brace = line.firstIndex(of: UInt8(ascii: "{")),
        // An unreadable line is read from the bundle again.
        let value = try? JSONDecoder().decode(JSONValue.self, from: Data(line[brace...]))
      else { continue }
      let name = String(decoding: line[..<brace].dropLast(), as: UTF8.self)
      known.updateValue(GraphRecord(value), forKey: name)
    }
    return known
  }
}
