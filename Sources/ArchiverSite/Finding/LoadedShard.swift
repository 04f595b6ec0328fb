import ArchiverStorage

/// A shard of the search index in memory.
struct LoadedShard {
  private struct Entry {
    let term: [UInt8]
    let postings: ArraySlice<UInt8>

    /// The stems of the term that differ from it.
    var stems: [String] {
      ShardPostings.stems(of: term[...], postings).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private var all: [Entry] = []
  /// Whether the content is malformed. The shard is then empty.
  private(set) var isDamaged = false

  /// - Parameter content: The result of `ShardReader.content`, or empty.
  init(_ content: ArraySlice<UInt8>) {
    var rest = ShardEntries(content)
    do throws(StorageError) {
      while let range = try rest.next() {
        all.append(Entry(term: rest.term, postings: content[range]))
      }
    } catch _ {
      (all, isDamaged) = ([], true)
    }
  }

  /// Returns the entries of the terms with a prefix.
  private func entries(from prefix: String) -> ArraySlice<Entry> {
    let start = all.partitionPoint { $0.term.lexicographicallyPrecedes(prefix.utf8) }
    return all[start...].prefix { $0.term.starts(with: prefix.utf8) }
  }

  private func known(_ term: String) -> Entry? {
    entries(from: term).first { $0.term.count == term.utf8.count }
  }

  /// Returns the entry of a term; `nil` if there is none.
  func entry(of term: String) -> ArraySlice<UInt8>? { known(term)?.postings }

  /// Returns the entries of the terms with a prefix, except that of the prefix itself.
  func entries(longerThan prefix: String) -> [ArraySlice<UInt8>] {
    entries(from: prefix).filter { $0.term.count > prefix.utf8.count }.map(\.postings)
  }

  /// Returns the stems of a term that differ from it.
  func stems(of term: String) -> [String] { known(term)?.stems ?? [] }

  /// Calls `body` with each term that has a prefix and with its stems that differ from it.
  func forEach(from prefix: String, _ body: (_ term: String, _ stems: [String]) -> Void) {
    for entry in entries(from: prefix) {
      body(String(decoding: entry.term, as: UTF8.self), entry.stems)
    }
  }
}
