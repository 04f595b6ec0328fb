import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct ShardDirectoryTests {
  /// Segments of `items` items each, with shards that start at random words.
  private func segments(_ items: [Int], shards count: Int, seed: UInt64 = 1) -> SegmentList {
    let letters = Array("abcdeéü書読😀")
    var random = SplitMix(state: seed)
    var list = SegmentList()
    for (number, itemCount) in items.enumerated() {
      let starts = Set(
        (0..<count).map { _ in
          String((0...random.below(7)).map { _ in letters[random.below(letters.count)] })
        })
      let shards = starts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .map {
          SegmentList.Shard(start: $0, name: Fingerprint.name(Fingerprint.of("\(number) \($0)")))
        }
      list.segments.append(
        .init(name: "segment\(number)", itemCount: itemCount, passages: [(1, 3)], shards: shards))
    }
    return list
  }

  private func read(_ files: [SegmentList.File]) -> SegmentList {
    let bytes = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.bytes) })
    return SegmentList { bytes[$0] }
  }

  @Test(arguments: [0, 300, 20_000])
  func `a divided list is read as it was written`(limit: Int) {
    let list = segments([64, 64, 32, 64, 7], shards: 150)
    let files = list.files(large: 64, .init(limit: limit, mean: 300))
    #expect((files.count > 10) == (limit < 20_000))
    let copy = read(files)
    #expect(copy.segments.map(\.name) == list.segments.map(\.name))
    #expect(copy.segments.map(\.itemCount) == [64, 64, 32, 64, 7])
    for (one, other) in zip(copy.segments, list.segments) {
      #expect(one.shards.map(\.start) == other.shards.map(\.start))
      #expect(one.shards.map(\.name) == other.shards.map(\.name))
      #expect(one.passages.map(\.count) == [3])
    }
  }

  @Test func `a segment whose list lost a file is written again, and no other`() {
    let list = segments([64, 64, 32], shards: 150)
    var files = list.files(large: 64, .init(limit: 0, mean: 300))
    files.remove(at: 3)
    #expect(read(files).segments.map(\.name) == ["segment2"])
  }

  @Test func `a list is divided only where it is long`() {
    let list = segments([2_048, 2_048], shards: 3_000)
    let lengths = list.segments.flatMap(\.shards).reduce(0) { $0 + $1.listedLength }
    #expect(lengths > 64_000 && list.files(large: 2_048).count > 2)
    #expect(list.files(large: 2_049).count == 1)
    #expect(segments([2_048, 2_048], shards: 500).files(large: 2_048).count == 1)
  }

  @Test func `a changed shard changes its own directory and the index only`() {
    let list = segments([64, 64, 64], shards: 1_000)
    let sizes = ShardDirectory.Sizes(limit: 0, mean: 1_000)
    var changed = list
    changed.segments[1].shards[300] = .init(
      start: list.segments[1].shards[300].start, name: "changed00")
    let before = Set(list.files(large: 64, sizes).map(\.path))
    let after = Set(changed.files(large: 64, sizes).map(\.path))
    #expect(before.count > 30)
    #expect((1...2).contains(after.subtracting(before).count))
  }

  @Test func `new items change no directory`() {
    var list = segments([64, 64], shards: 500)
    let sizes = ShardDirectory.Sizes(limit: 0, mean: 1_000)
    let before = list.files(large: 64, sizes).map(\.path)
    list.segments += segments([32, 7], shards: 100, seed: 2).segments
    #expect(list.files(large: 64, sizes).map(\.path) == before)
  }
}
