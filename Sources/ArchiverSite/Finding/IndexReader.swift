import ArchiverCore
import ArchiverStorage

/// Reads the search index of a library: finds the shards that may have a term, and its postings. `shards.js` does the
/// same.
///
/// A missing or changed file is like an empty one; see `lacksFiles`. Not thread-safe.
final class IndexReader {
  /// The items of a segment, or one item that changed since its segment was written.
  struct Segment {
    /// The item of each passage; -1 for one that changed since.
    var items: [Int32] = []
    /// The number of each passage within its item.
    var numbers: [Int32] = []
    /// The number of its list of shards, which the segments of a group have in common.
    let list: Int
    /// The segment's index in its group.
    let place: Int

    /// Returns the item and the number of a passage; `nil` if it is out of range or the item has changed since.
    func passage(_ place: Int) -> (item: Int, number: Int)? {
      guard items.indices.contains(place), items[place] >= 0 else { return nil }
      return (Int(items[place]), Int(numbers[place]))
    }
  }

  /// The postings of a term and of longer words in a segment, as `ShardPostings.forEach` reads them.
  struct Postings {
    var exact: [ArraySlice<UInt8>] = []
    var longer: [ArraySlice<UInt8>] = []
  }

  private let read: (String) -> [UInt8]?
  private(set) var segments: [Segment] = []
  /// The number of items.
  private(set) var itemCount = 0
  private var passageCount = 0
  private var lists: [[SegmentList.Shard]] = []
  /// The shards of `ItemShards`.
  private var wholes: [SegmentList.Shard] = []
  private var shards: [String: LoadedShard] = [:]
  /// Whether files were missing, or had content that does not match their names.
  private(set) var lacksFiles = false

  /// The maximum number of passages, so that a malicious list cannot exhaust memory.
  private static let mostPassages = 1 << 25

  /// Reads the list of segments. It has `count` items if it is of the same update.
  ///
  /// - Parameters:
  ///   - count: The number of items. Further items of the index are ignored.
  ///   - read: Returns a file of the archive; `nil` if it is missing.
  init(count: Int, _ read: @escaping (String) -> [UInt8]?) {
    self.read = read
    guard let arguments = SegmentList.arguments(read(SearchIndex.manifestPath), "index"),
      arguments.count == 4, let list = arguments[0].array
    else {
      lacksFiles = true
      return
    }
    let listed = arguments[3].array ?? []
    let revisions = listed.compactMap(SegmentList.revision)
    let directories = ShardDirectory.lists(arguments[1], read)
    let wholes = SegmentList.shards(arguments[2][0], arguments[2][1])
    lacksFiles = revisions.count < listed.count || !directories.areComplete || wholes == nil
    self.wholes = wholes ?? []
    let revised = Set(revisions.map(\.item))
    var large = directories.lists[...]
    for value in list where itemCount <= count { add(value, revised, &large) }
    for revision in revisions {
      lists.append(revision.shards)
      var segment = Segment(list: lists.count - 1, place: 0)
      append(item: Int32(clamping: revision.item), revision.passageCount, to: &segment)
      segments.append(segment)
    }
  }

  /// - Parameter large: The lists of the following large segments and groups.
  private func add(
    _ value: JSONValue, _ revised: Set<Int>, _ large: inout ArraySlice<[SegmentList.Shard]>
  ) {
    let place = value[3]?.integer ?? 0
    if place == 0 {
      let list = value[3] == nil ? large.popFirst() : SegmentList.shards(value[3], value[4])
      if list == nil { lacksFiles = true }
      lists.append(list ?? [])
    }
    guard let known = SegmentList.segment(value, []), !lists.isEmpty else {
      lacksFiles = true
      return
    }
    var segment = Segment(list: lists.count - 1, place: place)
    let many = Dictionary(known.passages.map { (Int($0.item), Int($0.count)) }) { $1 }
    for item in 0..<known.itemCount {
      let number = itemCount + item
      let isRevised = revised.contains(number)
      append(item: isRevised ? -1 : Int32(clamping: number), many[item] ?? 1, to: &segment)
    }
    segments.append(segment)
    itemCount += known.itemCount
  }

  /// Appends the passages of an item.
  private func append(item: Int32, _ count: Int, to segment: inout Segment) {
    guard count <= IndexReader.mostPassages - passageCount else { return lacksFiles = true }
    for number in 0..<max(count, 0) {
      segment.items.append(item)
      segment.numbers.append(Int32(number))
    }
    passageCount += max(count, 0)
  }

  /// Returns those of a sorted list that begin before or at a term and, if `longer`, those that may have terms with it
  /// as a prefix.
  private static func having(
    _ term: String, _ longer: Bool, _ list: [SegmentList.Shard]
  ) -> ArraySlice<SegmentList.Shard> {
    guard !list.isEmpty else { return [] }
    let first = max(0, list.partitionPoint { ByteKey.compare($0.start, term) <= 0 } - 1)
    let rest = list[(first + 1)...].prefix { longer && $0.start.utf8.starts(with: term.utf8) }
    return list[first..<rest.endIndex]
  }

  private func loaded(_ shard: SegmentList.Shard) -> LoadedShard {
    if let known = shards[shard.name] { return known }
    let content = ShardReader.content(of: shard, read(shard.path))
    if content == nil { lacksFiles = true }
    let loaded = LoadedShard(content ?? [])
    if loaded.isDamaged { lacksFiles = true }
    shards[shard.name] = loaded
    return loaded
  }

  /// Returns the postings of a term in each segment and, if `longer`, those of words with it as a prefix.
  func postings(_ term: String, longer: Bool) -> [Postings] {
    let exact = entries(of: term)
    // If many words of a segment have this prefix, this entry covers them all.
    let all = longer ? entries(of: term + "*") : []
    return segments.map { segment in
      var postings = Postings(exact: IndexReader.parts(exact[segment.list], segment.place))
      guard longer else { return postings }
      postings.longer = IndexReader.parts(all[segment.list], segment.place)
      if postings.longer.isEmpty {
        let words = IndexReader.having(term, true, lists[segment.list])
          .flatMap { loaded($0).entries(longerThan: term) }
        postings.longer = IndexReader.parts(words, segment.place)
      }
      return postings
    }
  }

  /// Returns the entries of a term by the lists of shards that have them.
  private func entries(of term: String) -> [[ArraySlice<UInt8>]] {
    lists.map { list in
      IndexReader.having(term, false, list).compactMap { loaded($0).entry(of: term) }
    }
  }

  /// Returns the parts of entries that a segment has, given by its place in its group.
  private static func parts(
    _ entries: [ArraySlice<UInt8>], _ place: Int
  ) -> [ArraySlice<UInt8>] {
    entries.compactMap { entry in
      let parts = ShardPostings.parts(entry)
      return place < parts.count && !parts[place].isEmpty ? parts[place] : nil
    }
  }

  /// Returns the shards that may have a term and, if `longer`, terms with it as a prefix.
  func shards(having term: String, longer: Bool) -> [LoadedShard] {
    lists.flatMap { IndexReader.having(term, longer, $0) }.map(loaded)
  }

  /// Returns the items with a term of whole titles or of folders.
  func items(whole term: String) -> Set<Int> {
    var items: Set<Int> = []
    for shard in IndexReader.having(term, false, wholes) {
      guard let entry = loaded(shard).entry(of: term) else { continue }
      ShardPostings.forEach(entry) { item, _ in items.insert(item) }
    }
    return items
  }
}
