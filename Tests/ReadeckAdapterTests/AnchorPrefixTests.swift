import Testing

@testable import ReadeckAdapter

/// Ids are those of the original page, so that links from other articles lead to them.
@Suite struct AnchorPrefixTests {
  private func removed(_ html: String) -> String {
    String(decoding: AnchorPrefix.removed(from: Array(html.utf8)), as: UTF8.self)
  }

  @Test func `ids and links to them lose the letters that Readeck puts before them`() {
    #expect(
      removed(
        """
        <h2 id="xz.CFkW.sec-1">One</h2><rd-annotation id="annotation-a">x</rd-annotation>\
        <a href="#xz.CFkW.sec-1">up</a><a name="xz.CFkW.old"></a>\
        <a href="https://t.example/toc#xz.CFkW.sec-1" id="xz.CFkW.ab.cdef.g">out</a>
        """)
          == """
          <h2 id="sec-1">One</h2><rd-annotation id="annotation-a">x</rd-annotation>\
          <a href="#sec-1">up</a><a name="old"></a>\
          <a href="https://t.example/toc#xz.CFkW.sec-1" id="ab.cdef.g">out</a>
          """)
  }

  @Test(arguments: [
    "<p id=\"sec-1\">xz.CFkW.sec</p>", "<p id=\"xz.CFkW.\">x</p>", "<p id=\"xz.CFk1.a\">x</p>",
    "<p id=\"x.CFkW.a\">x</p>", "<p id=\"xz.CF", "",
  ])
  func `other ids stay as they are`(html: String) {
    #expect(removed(html) == html)
  }
}
