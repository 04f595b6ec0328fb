import ArchiverStorage

/// The entries of a shard, in the order of their terms; see `SegmentBuilder` for the form.
struct ShardEntries {
  /// The result of `ShardReader.content`.
  let content: ArraySlice<UInt8>
  /// The term of the entry that `next` returned last.
  private(set) var term: [UInt8] = []
  private var place: Int

  init(_ content: ArraySlice<UInt8>) {
    self.content = content
    place = content.startIndex
  }

  /// Returns the range of the next entry's postings in `content`, and sets `term`; `nil` after the last. Throws
  /// `damaged` if the content has another form.
  mutating func next() throws(StorageError) -> Range<Int>? {
    guard place < content.endIndex else { return nil }
    guard let tab = content[place...].firstIndex(of: 0x09), tab > place else {
      throw ShardEntries.damaged
    }
    let shared = Int(PostingCode.values[Int(content[place])])
    term.removeSubrange(ShardEntries.length(term, units: shared)...)
    term += content[(place + 1)..<tab]
    let end = content[(tab + 1)...].firstIndex(of: 0x09) ?? content.endIndex
    place = end + 1
    return (tab + 1)..<end
  }

  static let damaged = StorageError(.damaged, "a file of the search index was changed")

  /// Returns the number of bytes of the first UTF-16 units of a term.
  private static func length(_ term: [UInt8], units: Int) -> Int {
    var count = 0
    return term.firstIndex { byte in
      // A byte that continues a character has the bits 10 first.
      if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
      return count > units
    } ?? term.count
  }
}

/// The postings and stems of an entry; see `SegmentBuilder` for the form.
enum ShardPostings {
  /// The first character, `¤`, of postings in the dense form: a digit for each two passages.
  static let denseMark = Array("¤".utf8)

  /// Returns the parts of an entry: its postings and stems in each segment of a group, from the first on.
  static func parts(_ entry: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    entry.split(separator: SegmentGroup.separator, omittingEmptySubsequences: false)
  }

  /// Calls `body` with the passages of a part and their scores, from 0 to 7. Passages may be out of range if the file
  /// was changed by another program.
  static func forEach(_ part: ArraySlice<UInt8>, _ body: (_ passage: Int, _ level: Int) -> Void) {
    let data = part.prefix { $0 != WordStems.separator }
    if data.starts(with: denseMark) {
      for (pair, digit) in data.dropFirst(denseMark.count).enumerated() {
        let value = Int(PostingCode.values[Int(digit)])
        if value % 9 > 0 { body(2 * pair, value % 9 - 1) }
        if value >= 9 { body(2 * pair + 1, value / 9 - 1) }
      }
      return
    }
    var place = data.startIndex
    while place < data.endIndex {
      let head = PostingCode.number(in: data, at: &place)
      var passage = -1
      var rest = head / SegmentBuilder.levels
      while rest >= 0, place < data.endIndex {
        passage = passage &+ PostingCode.number(in: data, at: &place) &+ 1
        body(passage, head & (SegmentBuilder.levels - 1))
        rest -= 1
      }
    }
  }

  /// Returns the stems of a term that differ from it, in all segments of a group.
  static func stems(of term: ArraySlice<UInt8>, _ entry: ArraySlice<UInt8>) -> [[UInt8]] {
    guard entry.contains(WordStems.separator) else { return [] }
    return parts(entry).flatMap { part in
      part.split(separator: WordStems.separator, omittingEmptySubsequences: false).dropFirst()
        .compactMap { code in
          guard let digit = code.first else { return nil }
          var stem = term
          for _ in 0..<PostingCode.values[Int(digit)] {
            while let byte = stem.popLast(), byte & 0xC0 == 0x80 {}
          }
          return Array(stem + code.dropFirst())
        }
    }
  }
}
