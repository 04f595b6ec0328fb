import Testing

@testable import ArchiverStorage

/// Which of several versions is removed first.
struct VersionDistanceTests {
  private func version(
    _ name: String, hour: Double = 0, words: Set<UInt64> = []
  ) -> VersionThinning.Version {
    VersionThinning.Version(
      name: name, time: hour * 3600, content: "text of \(name)", parts: [], words: words)
  }

  /// Returns the names of three versions that stay.
  private func kept(_ versions: [VersionThinning.Version]) -> [String] {
    var thinning = VersionThinning(versions: versions, added: nil)
    thinning.thin(to: 3)
    return thinning.versions.map(\.name)
  }

  /// The gaps around the second version have 1080, 5 and 5 hours, those around the third 1440, 13
  /// and 13.5.
  @Test(
    arguments: [
      ([2400, 1440, 1320, 0], ["0", "2", "3"]), ([100, 99, 95, 86], ["0", "1", "3"]),
      ([100, 99.5, 95, 86], ["0", "1", "3"]),
    ] as [([Double], [String])])
  func `the version with the smaller gap relative to its age and an hour is removed`(
    hours: [Double], expected: [String]
  ) {
    let versions = hours.enumerated().map { version("\($0.offset)", hour: $0.element) }
    #expect(kept(versions) == expected)
  }

  @Test func `of equally close versions the newer one is removed`() {
    #expect(kept(["z", "y", "x", "w"].map { version($0) }) == ["z", "x", "w"])
  }

  @Test func `of several versions that are nearly repeated the oldest is removed`() {
    let words: Set<UInt64> = [1, 2, 3]
    let versions = [
      version("new", hour: 9, words: words), version("second", hour: 8, words: words),
      version("third", hour: 2, words: words), version("first", hour: 1),
    ]
    #expect(kept(versions) == ["new", "second", "first"])
  }

  @Test func `a version whose highlights no other has is not nearly repeated`() {
    let words: Set<UInt64> = [1, 2, 3]
    let marked = VersionThinning.Version(
      name: "marked", time: 7 * 3600, content: "marked", parts: ["highlight"], words: words)
    let versions = [
      version("new", hour: 9, words: words), version("second", hour: 8, words: words), marked,
      version("first", hour: 1),
    ]
    #expect(kept(versions) == ["new", "marked", "first"])
  }

  @Test(arguments: [
    // The bytes of these letters include 0x80, the lowest beyond ASCII.
    ("x\u{C0}y", "x\u{C0}z y", 1), ("\u{C0}", "\u{C0}", 0),
    // Characters from U+0800 on, whose first byte is 0xE0 up to U+0FFF, are pairs of neighbours.
    ("กขค", "กคข", 2), ("\u{800}\u{801}", "\u{801}\u{800}", 2), ("กข", "ก ข", 1),
    // The characters before them are parts of words.
    ("\u{7FE}\u{7FF}", "\u{7FF}\u{7FE}", 1),
  ])
  func `characters without word spaces are compared as pairs`(
    one: String, other: String, own: Int
  ) {
    let difference = PageWords.hashes(Array(one.utf8))
      .subtracting(PageWords.hashes(Array(other.utf8)))
    #expect(difference.count == own)
  }
}
