import ArchiverMarkup
import Testing

/// The URLs of pages of ours.
@Suite struct PageReferenceTests {
  private static let page = """
    <p style="color:red;background-image:url(assets/b.png);width:3em"><a href="x?a=1&amp;b=2">x</a>\
    <img src="assets/a.png" alt=" src=&quot;no&quot;"></p><video poster="p.png" src="v.mp4"></video>\
    <p src="no">href="no"</p>
    """

  @Test func `every address of an element that may have one is found, its escapes decoded`() {
    var found: [String] = []
    let same = PageReferences.rewrite(Array(Self.page.utf8)) { reference in
      found.append("\(reference.element) \(reference.attribute) \(reference.address)")
      return .keep
    }
    #expect(
      found == [
        "p style assets/b.png", "a href x?a=1&b=2", "img src assets/a.png", "video poster p.png",
        "video src v.mp4",
      ])
    #expect(text(same) == Self.page)
  }

  @Test func `addresses are replaced and removed where they stand`() {
    let changed = PageReferences.rewrite(Array(Self.page.utf8)) { reference in
      switch reference.attribute {
      case "href": .replace("y?\"&")
      case "style", "poster": .remove
      default: .keep
      }
    }
    #expect(
      text(changed) == """
        <p style="color:red;width:3em"><a href="y?&quot;&amp;">x</a>\
        <img src="assets/a.png" alt=" src=&quot;no&quot;"></p><video src="v.mp4"></video>\
        <p src="no">href="no"</p>
        """)
  }

  @Test func `the first policy of a page is replaced, and a page without one is told from it`() {
    func policy(_ text: String) -> String {
      "<meta http-equiv=\"Content-Security-Policy\" content=\"\(text)\">"
    }
    let page = policy("default-src 'none'") + policy("second")
    #expect(
      PageReferences.replacingPolicy(Array(page.utf8), with: "img-src \"x\"").map(text)
        == policy("img-src &quot;x&quot;") + policy("second"))
    #expect(PageReferences.replacingPolicy(Array("<p>x</p>".utf8), with: "x") == nil)
  }
}
