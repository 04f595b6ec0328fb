import ArchiverStorage

/// The recorded states of the texts of unchanged items.
struct TextStateLookup {
  private let files: SiteFiles
  private let text: SearchText
  private var state: TextState
  private var path = TextPath()
  /// For each item, by number, the index of its entry; -1 without a valid entry. Empty if there is
  /// none at all.
  private var places: [Int32] = []

  /// Prepares for `count` items, whose texts `text` reads.
  init(_ files: SiteFiles, count: Int, _ text: SearchText) throws(StorageError) {
    self.files = files
    self.text = text
    state = try TextState(files.reader(SearchIndex.statePath))
    if state.count > 0 { places.reserveCapacity(count) }
  }

  /// The generation of the catalog's search index; `nil` if some of its items were removed.
  var catalogMark: UInt64? { state.foundCount == state.count ? state.catalogMark : nil }

  /// Looks up the next item; keeps its files if all of them exist.
  mutating func add(_ row: LibraryRow) throws(StorageError) {
    guard state.count > 0 else { return }
    let known = try state.entry(row.marks.key)
    guard let known, known.entry.content == text.content(of: row) else {
      places.append(-1)
      return
    }
    let isThere = isThere(known.entry)
    if !isThere { files.noteLostText() }
    places.append(isThere ? Int32(known.place) : -1)
  }

  private mutating func isThere(_ entry: TextState.Entry) -> Bool {
    files.keepAll(entry.passageCount) { path.hash(entry.key, $0) }
  }

  /// Returns the states of items, given by their numbers.
  mutating func entries(_ numbers: Range<Int>) throws(StorageError) -> [TextState.Entry?] {
    guard state.count > 0 else { return Array(repeating: nil, count: numbers.count) }
    var entries: [TextState.Entry?] = []
    entries.reserveCapacity(numbers.count)
    for number in numbers {
      let place = Int(places[number])
      entries.append(place < 0 ? nil : try state.entry(at: place))
    }
    return entries
  }
}
