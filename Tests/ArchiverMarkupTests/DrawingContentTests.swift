import ArchiverCore
import ArchiverMarkup
import Testing

/// What is kept of an SVG image in the text.
@Suite struct DrawingContentTests {
  /// The markup of the first SVG image that is kept.
  private func drawing(_ html: String) throws -> String {
    let slot = try #require(ImageExtractor.references(in: try sanitized(html).bytes).slots.first)
    guard case .inline(let type, let bytes)? = slot.candidates.first else { return "" }
    #expect(type == "image/svg+xml")
    return text(bytes)
  }

  @Test(arguments: [
    ("", "<path d='M0 0'/><path d='M1 1'/><path d='M2 2'/>", false),
    ("aria-label=L", "<path d='M0 0'/><path d='M1 1'/>", false),
    ("aria-label=L", "<path d='M0 0'/><path d='M1 1'/><path d='M2 2'/>", true),
    ("", "<path d='M0 0'/><text>L</text>", true),
  ])
  func `a wide drawing is content if it has text, or a label and three elements`(
    attribute: String, content: String, isContent: Bool
  ) throws {
    let kept = try canonical("a<svg viewBox='0 0 400 200' \(attribute)>\(content)</svg>b")
    #expect(kept.contains("<img src=\"data:image/svg+xml;base64,") == isContent, "\(kept)")
    #expect(kept.contains("alt=\"L\"") == isContent, "\(kept)")
  }

  @Test func `the text of a drawing names it by at most 1,000 characters`() throws {
    func kept(_ count: Int) throws -> String {
      let words = String(repeating: "a", count: count)
      return try canonical("<svg viewBox='0 0 400 200'><text>\(words)</text></svg>")
    }
    let name = "alt=\"" + String(repeating: "a", count: 1_000) + "\""
    #expect(try kept(1_000).contains(name))
    #expect(try kept(1_001).contains(name))
    #expect(try kept(999).contains(name.replacing("\"a", with: "\"")))
  }

  @Test(arguments: [
    ("words<path d='M0 0'/>", "SVG"), ("<title>Sales</title>words<path d='M0 0'/>", "Sales"),
    ("<g></g>words<path d='M0 0'/>", "SVG"),
  ])
  func `text outside a title does not name a drawing`(content: String, name: String) throws {
    let kept = try canonical("<svg width=600 height=400>\(content)</svg>")
    #expect(kept.contains("alt=\"\(name)\""), "\(kept)")
  }

  @Test func `an element whose name XML does not allow is a group`() throws {
    let html = "<svg width=600 height=400><x\"y><path d='M0 0'/></x\"y></svg>"
    #expect(try drawing(html).contains("<g><path d=\"M0 0\"></path></g>"))
  }

  @Test func `control characters in a drawing are left out`() throws {
    let words = "<svg viewBox='0 0 400 200'><text>a b&#1;c</text></svg>"
    #expect(try drawing(words).contains("a bc"))
    let value = "<svg width=600 height=400><path d='M0&#1; 0'/></svg>"
    #expect(try drawing(value).contains("d=\"M0 0\""))
  }
}
