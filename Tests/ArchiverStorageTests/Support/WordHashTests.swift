import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct WordHashTests {
  @Test func `a hash of words tells every byte of any length`() {
    var seen: Set<UInt64> = []
    var count = 0
    for length in 0..<70 {
      let bytes = (0..<length).map { UInt8($0 &* 37 & 0xFF) }
      seen.insert(WordHash.of(Data(bytes)))
      count += 1
      for place in bytes.indices {
        for change: UInt8 in [1, 0x80, 0xFF] {
          var other = bytes
          other[place] ^= change
          seen.insert(WordHash.of(Data(other)))
          count += 1
        }
      }
    }
    #expect(seen.count == count)
    #expect(WordHash.of(Data([1, 2]), from: 1) != WordHash.of(Data([1, 2]), from: 2))
    #expect(WordHash.of("text") == WordHash.of(Data("text".utf8)))
  }
}
