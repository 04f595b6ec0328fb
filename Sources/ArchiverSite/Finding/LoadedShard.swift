import ArchiverStorage

/// A shard of the search index in memory.
struct LoadedShard {
  /// The terms, one after another, and where each ends.
  private var terms: [UInt8] = []
  private var ends: [Int32] = []
  private let content: ArraySlice<UInt8>
  /// The postings of each term in `content`.
  private var postings: [Range<Int>] = []
  /// Whether the content has another form than a shard's. It is empty then.
  private(set) var isDamaged = false

  /// - Parameter content: What `ShardReader.content` returned, or nothing.
  init(_ content: ArraySlice<UInt8>) {
    self.content = content
    var entries = ShardEntries(content)
    do throws(StorageError) {
      while let range = try entries.next() {
        terms += entries.term
        ends.append(Int32(terms.count))
        postings.append(range)
      }
    } catch _ {
      (terms, ends, postings, isDamaged) = ([], [], [], true)
    }
  }

  private func term(_ number: Int) -> ArraySlice<UInt8> {
    terms[(number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])]
  }

  /// Returns the number of the first term that is not before another.
  private func first(from wanted: String.UTF8View) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if term(middle).lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the entry of a term; `nil` if there is none.
  func entry(of wanted: String) -> ArraySlice<UInt8>? {
    let number = first(from: wanted.utf8)
    guard number < ends.count, term(number).elementsEqual(wanted.utf8) else { return nil }
    return content[postings[number]]
  }

  /// The numbers of the terms with a prefix.
  private func numbers(from prefix: String) -> Range<Int> {
    let start = first(from: prefix.utf8)
    return
      start..<(start + (start..<ends.count).prefix { term($0).starts(with: prefix.utf8) }.count)
  }

  /// Returns the entries of the terms with a prefix, except that of the prefix itself.
  func entries(longerThan prefix: String) -> [ArraySlice<UInt8>] {
    numbers(from: prefix).filter { term($0).count > prefix.utf8.count }.map {
      content[postings[$0]]
    }
  }

  /// Returns the stems of a term that differ from it.
  func stems(of wanted: String) -> [String] {
    let number = first(from: wanted.utf8)
    guard number < ends.count, term(number).elementsEqual(wanted.utf8) else { return [] }
    return stems(number)
  }

  private func stems(_ number: Int) -> [String] {
    ShardPostings.stems(of: term(number), content[postings[number]]).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Calls `body` with each term that has a prefix and with its stems that differ from it.
  func forEach(from prefix: String, _ body: (_ term: String, _ stems: [String]) -> Void) {
    for number in numbers(from: prefix) {
      body(String(decoding: term(number), as: UTF8.self), stems(number))
    }
  }
}
