import ArchiverStorage
import Testing

@Suite struct GZipTests {
  @Test(arguments: [0, 1, 300, 4_095, 4_096, 20_000, 65_536, 3_000_000])
  func `what was compressed comes back, and always as the same bytes`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
    let packed = try GZip.compressed(bytes)
    #expect(try GZip.compressed(bytes) == packed)
    #expect(packed.starts(with: [0x1F, 0x8B, 8]))
    #expect(packed[4..<8].allSatisfy { $0 == 0 }, "the time is in the header")
    #expect(try GZip.expanded(packed, limit: count) == bytes)
  }

  @Test func `a file that is cut, changed or too large is refused`() throws {
    let packed = try GZip.compressed([UInt8](repeating: 7, count: 100_000))
    var changed = packed
    changed[packed.count - 6] ^= 1
    for bytes in [[], Array(packed.dropLast(1)), Array(packed.prefix(9)), changed, [1, 2, 3]] {
      let error = #expect(throws: StorageError.self) {
        try GZip.expanded(bytes, limit: 100_000)
      }
      #expect(error?.code == .damaged)
    }
    #expect(throws: StorageError.self) { try GZip.expanded(packed, limit: 99_999) }
    #expect(throws: StorageError.self) { try GZip.expanded(packed + packed, limit: 400_000) }
  }
}
