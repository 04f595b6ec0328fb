import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension SegmentBuilder {
  /// The shards in term order.
  func shards() -> [ShardWriter.Shard] {
    var shards: [ShardWriter.Shard] = []
    forEachShard { shards.append($0) }
    return shards
  }
}

@Suite struct PostingListTests {
  @Test func `a list of postings is read as it was written`() {
    var random = SplitMix(state: 1)
    for limit in [1, 2, 16, 17, 2_048, 300_000] {
      var (list, wanted, passage) = (PostingList(), [Posting](), -1)
      for _ in 0..<200 {
        passage += 1 + random.below(limit)
        wanted.append(Posting(passage: passage, level: UInt8(random.below(8))))
        list.append(wanted[wanted.count - 1])
      }
      // What was in it before is replaced.
      var found = [Posting(passage: 7, level: 7)]
      list.decode(to: &found)
      #expect(found.map(\.passage) == wanted.map(\.passage))
      #expect(found.map(\.level) == wanted.map(\.level))
    }
  }

  /// Decodes postings.
  private func decoded(_ code: [UInt8]) -> [Posting] {
    let digits = code.compactMap { PostingCode.digits.firstIndex(of: $0) }
    guard code.starts(with: "¤".utf8) else {
      var rest = digits[...]
      func number() -> Int {
        var (value, scale) = (0, 1)
        while let digit = rest.popFirst() {
          value += digit % PostingCode.half * scale
          if digit < PostingCode.half { break }
          scale *= PostingCode.half
        }
        return value
      }
      var found: [Posting] = []
      while !rest.isEmpty {
        let (head, first) = (number(), found.count)
        for place in 0...head / 8 {
          let last = place == 0 ? -1 : found[first + place - 1].passage
          found.append(Posting(passage: last + 1 + number(), level: UInt8(head % 8)))
        }
      }
      return found.sorted { $0.passage < $1.passage }
    }
    return digits.enumerated().flatMap { place, digit in
      [(2 * place, digit % 9), (2 * place + 1, digit / 9)].compactMap { passage, score in
        score == 0 ? nil : Posting(passage: passage, level: UInt8(score - 1))
      }
    }
  }

  @Test(arguments: [1, 10, 45, 55, 90, 100])
  func `postings in most passages take half a character each`(percent: Int) {
    var random = SplitMix(state: UInt64(percent))
    for count in [1, 2, 7, 300, 2_048] {
      let postings = (0..<count).filter { _ in random.below(100) < percent }.map {
        Posting(passage: $0, level: UInt8(random.below(8)))
      }
      var code = Array("before".utf8)
      SegmentBuilder.code(postings, to: &code)
      #expect(code.starts(with: "before".utf8))
      code.removeFirst(6)
      let found = decoded(code)
      // The lists would be too long to be printed.
      let isSame = found.elementsEqual(postings) {
        $0.passage == $1.passage && $0.level == $1.level
      }
      #expect(isSame)
      #expect(code.count <= 2 * postings.count + 8)
      #expect(code.count <= count / 2 + 3 || percent <= 45)
    }
  }
}
