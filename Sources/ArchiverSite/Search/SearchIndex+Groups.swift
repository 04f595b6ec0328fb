import ArchiverCore
import ArchiverStorage

/// Writes groups of large segments.
extension SearchIndex {
  /// A segment of a group that was not written yet.
  enum GroupPart {
    /// A segment of the last update, by its name.
    case known(String, RowList)
    /// A segment whose shards are in the folder of temporary files.
    case built(SegmentList.Segment)
  }

  /// Builds a segment of a group, or finds it among those of the last update.
  func part(_ items: inout SegmentItems, _ update: inout Update) throws -> GroupPart {
    if let name = items.nameOfWritten(isMerging: update.isMerging),
      update.known.member(name) != nil
    {
      try revise(&items, &update)
      return .known(name, items.rows)
    }
    let built = try build(&items)
    defer { tidyUp(items.rows) }
    return update.known.member(built.segment.name) != nil
      ? .known(built.segment.name, items.rows) : .built(try spare(built))
  }

  /// Writes a segment with few and large shards into the folder of temporary files.
  private func spare(_ built: Built) throws -> SegmentList.Segment {
    var segment = built.segment
    try work.begin(.segment, built.subjects)
    try built.builder.forEachShard(size: 1 << 16) { shard in
      let known = shard.listed
      let path = sparePath(known)
      guard let file = PieceFile(path, .new) else { throw PieceFile.error(path) }
      try file.write(ShardReader.script(known.name, shard.bytes), at: 0)
      segment.shards.append(known)
    }
    try work.end()
    return segment
  }

  private func sparePath(_ shard: SegmentList.Shard) -> String {
    "\(files.spare)/\(shard.name).js"
  }

  /// Writes the shards of a group, unless the last update wrote the same ones. Returns its segments.
  func writeGroup(
    _ parts: [GroupPart], _ knownSegments: SegmentList
  ) throws -> [SegmentList.Segment] {
    if let segments = kept(parts, knownSegments) { return segments }
    var segments: [SegmentList.Segment] = []
    var sources: [SegmentGroup.Source] = []
    /// The paths of temporary files.
    var spares: [String] = []
    /// The segments of the last update with their indexes in the new group, by the first segment of their old group.
    var members: [Int: [(member: SegmentList.Member, place: Int)]] = [:]
    for (place, part) in try intact(parts, knownSegments).enumerated() {
      switch part {
      case .known(let name, _):
        guard let member = knownSegments.member(name) else { continue }
        members[member.first, default: []].append((member, place))
        segments.append(member.segment)
      case .built(let segment):
        spares += segment.shards.map(sparePath)
        let reader = ShardReader(segment.shards) {
          ArchiveFile("\($0.name).js", in: files.spare).bytes
        }
        sources.append(try SegmentGroup.Source(reader, places: [0: place]))
        segments.append(segment)
      }
    }
    for group in members.values {
      let places = group.map { ($0.member.segment.place, $0.place) }
      let reader = ShardReader(group[0].member.shards) { files.bytes($0.path) }
      sources.append(
        try SegmentGroup.Source(reader, places: Dictionary(uniqueKeysWithValues: places)))
    }
    var shards: [SegmentList.Shard] = []
    var group = SegmentGroup(size: parts.count, sources: sources)
    try group.forEachShard { (shard) throws(StorageError) in shards.append(try write(shard)) }
    // A file that cannot be removed is removed with its folder. Segments with the same content share one.
    for path in spares { try? FileManager.default.removeItem(atPath: path) }
    return segments.enumerated().map { place, segment in
      var segment = segment
      segment.place = place
      segment.shards = place == 0 ? shards : []
      return segment
    }
  }

  /// Returns the segments of a group of the last update that exists completely; `nil` otherwise.
  private func kept(
    _ parts: [GroupPart], _ knownSegments: SegmentList
  ) -> [SegmentList.Segment]? {
    var members: [SegmentList.Member] = []
    for (place, part) in parts.enumerated() {
      guard case .known(let name, _) = part, let member = knownSegments.member(name),
        member.segment.place == place, member.count == parts.count,
        member.first == members.first?.first ?? member.first
      else { return nil }
      members.append(member)
    }
    return keepAll(members[0].shards) ? members.map(\.segment) : nil
  }

  /// Returns the parts, after rebuilding the known segments of which a file is missing or was changed.
  private func intact(
    _ parts: [GroupPart], _ knownSegments: SegmentList
  ) throws -> [GroupPart] {
    var states: [Int: Bool] = [:]
    return try parts.map { part in
      guard case .known(let name, let rows) = part, let member = knownSegments.member(name)
      else { return part }
      let isIntact =
        states[member.first]
        ?? member.shards.allSatisfy { ShardReader.content(of: $0, files.bytes($0.path)) != nil }
      states[member.first] = isIntact
      guard !isIntact else { return part }
      var items = try SegmentItems(rows, first: 0, state: \.state)
      let built = try build(&items)
      try rows.table.store.put(items)
      return .built(try spare(built))
    }
  }
}
