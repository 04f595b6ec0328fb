import Testing

@testable import ArchiverMarkup

@Suite struct ContentTreeTests {
  private static func depth(of word: String, in element: ContentElement) -> Int? {
    for child in element.children {
      switch child {
      case .text(let text): if text.contains(word) { return 0 }
      case .element(let inner): if let depth = depth(of: word, in: inner) { return depth + 1 }
      }
    }
    return nil
  }

  @Test func `what follows elements beyond the maximum depth is in its own element`() throws {
    let open = { (count: Int) in String(repeating: "<div>", count: count) }
    let deep = open(300) + "deep" + String(repeating: "</div>", count: 50) + "after"
    let tree = try ContentTree.parse(Array(deep.utf8))
    let plain = try ContentTree.parse(Array((open(250) + "after").utf8))
    #expect(Self.depth(of: "after", in: plain) == 250)
    #expect(Self.depth(of: "after", in: tree) == 250)
    #expect(Self.depth(of: "deep", in: tree) == ContentTree.deepest - 1)
  }
}
