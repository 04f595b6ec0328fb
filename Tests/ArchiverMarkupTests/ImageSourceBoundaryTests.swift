import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// Which addresses an image has, and in which order.
@Suite struct ImageSourceBoundaryTests {
  /// The ranked addresses of a set, without what all begin with.
  private static func ranked(
    _ set: String, lazy: String? = nil, source: String? = nil
  ) -> [String] {
    let candidates = SourceSet(set).candidates.map { candidate in
      SourceSet.Candidate(
        url: "https://e.org/" + candidate.url, width: candidate.width, density: candidate.density)
    }
    let sources = ImageRanking.best(
      set: candidates, lazy: lazy.map { "https://e.org/" + $0 },
      source: source.map { "https://e.org/" + $0 })
    return sources.map { source in
      switch source {
      case .remote(let url): String(url.path.dropFirst())
      case .inline(let type, _): type
      }
    }
  }

  @Test(arguments: [
    ("a 2000w, b 1999w", ["a", "b"]), ("a 1999w, b 2000w", ["b", "a"]),
    ("a 2001w, b 300w", ["b", "a"]), ("a 2002w, b 2001w", ["b", "a"]),
    ("a 2001w, b 2000w, c 3000w", ["b", "a", "c"]),
    // What has no width comes after what has one.
    ("a 2x, b 100w, c", ["b", "a", "c"]),
    // Without a density it is 1.
    ("a, b 1.5x", ["b", "a"]), ("a 1.5x, b", ["a", "b"]), ("a 0.5x, b", ["b", "a"]),
    // Equals keep their order.
    ("a 1x, b, c 1x", ["a", "b", "c"]), ("a 9w, b 9w, c 9w", ["a", "b", "c"]),
    ("a 3000w, b 3000w, c 3000w", ["a", "b", "c"]),
    // At most four, each once.
    ("a 5w, b 4w, c 3w, d 2w, e 1w", ["a", "b", "c", "d"]), ("a 3w, a 2w, b 1w", ["a", "b"]),
    ("", []),
  ])
  func `the widest up to 2,000 pixels comes first, then the narrowest above`(
    set: String, expected: [String]
  ) {
    #expect(Self.ranked(set) == expected)
  }

  @Test func `the address for scripts and that of the image follow the best of the set`() {
    #expect(Self.ranked("a 1x, b 2x", lazy: "l", source: "s") == ["b", "l", "s", "a"])
    #expect(Self.ranked("", lazy: "l", source: "s") == ["l", "s"])
    #expect(Self.ranked("a", source: "s") == ["a", "s"])
  }

  @Test func `a set has at most 64 candidates`() {
    let most = (1...64).map { "a\($0)" }.joined(separator: ", ")
    #expect(SourceSet(most).candidates.count == 64)
    #expect(SourceSet(most + ", b").candidates.last?.url == "a64")
  }

  @Test(arguments: [
    ("a", ["a"]), (" ,, a 2w", ["a 2w"]), ("a,, b", ["a", "b"]), ("a 1w 2x,b", ["a 1w 2.0x", "b"]),
    // What is not a positive number is no descriptor.
    ("a 0w, b -1w, c 0x, d -2x, e xw, f 3h", ["a", "b", "c", "d", "e", "f"]),
    // A comma in parentheses does not end a candidate, one behind them does.
    ("a (b, c) 2x, d", ["a 2.0x", "d"]), ("a ) 2x, d", ["a 2.0x", "d"]),
    ("a,b 1x", ["a,b 1.0x"]), (",", []), (" ", []),
  ])
  func `a set is read as browsers read it`(text: String, expected: [String]) {
    let found = SourceSet(text).candidates.map { candidate -> String in
      let parts: [String?] = [
        candidate.url, candidate.width.map { "\($0)w" }, candidate.density.map { "\($0)x" },
      ]
      return parts.compactMap(\.self).joined(separator: " ")
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("data:image/png;base64,", 199, true), ("data:image/png;base64,", 200, false),
    ("data:image/svg+xml,", 999, true), ("data:image/svg+xml,", 1_000, false),
    ("https://e.org/", 100, false),
  ])
  func `a small image in the page holds the place of another`(
    start: String, size: Int, isPlaceholder: Bool
  ) {
    let address = start + String(repeating: "A", count: size - start.utf8.count)
    #expect(InlineImage.isPlaceholder(address) == isPlaceholder)
  }

  @Test(
    arguments: [
      ("\n DATA:Image/PNG ; Base64,AA\tA\u{7F}A ", "data:image/png;base64,AAAA"),
      ("data:image/svg+xml,<svg a>\n\u{1F}</svg>", "data:image/svg+xml,<svg%20a></svg>"),
      ("data:image/svg;charset=x,<svg/>", "data:image/svg+xml;charset=x,<svg/>"),
      ("data:image/png;base64", nil), ("dat:image/png,a", nil), ("data:text/html,a", nil),
      ("", nil),
    ] as [(String, String?)])
  func `an image in the page has a canonical address`(address: String, expected: String?) {
    #expect(InlineImage.canonical(address) == expected)
  }

  @Test(
    arguments: [
      ("data:image/png;base64,AA", [0]), ("data:image/png;base64,AAE", [0, 1]),
      ("data:image/png;base64,AAEC", [0, 1, 2]), ("data:image/png;base64,AAECAw==", [0, 1, 2, 3]),
      // The letters of addresses, and encoded ones.
      ("data:image/png;base64,-_-_", [0xFB, 0xFF, 0xBF]),
      ("data:image/png;base64,AA%45C", [0, 1, 2]),
      ("data:image/png,a%20b", [0x61, 0x20, 0x62]),
      ("data:image/png,", nil), ("data:image/png;base64,", nil),
      ("data:text/plain,a", nil), ("data:image/png", nil), ("http://e.org/a,b", nil),
    ] as [(String, [UInt8]?)])
  func `the bytes of an image in the page are decoded`(address: String, bytes: [UInt8]?) {
    #expect(InlineImage.decode(address)?.bytes == bytes)
  }
}
