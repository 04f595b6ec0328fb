import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// Where addresses lead, and what of them a page may have.
@Suite struct LinkBoundaryTests {
  private static func retitled(
    _ canonical: String, _ classes: Set<String> = ["m", "n"]
  ) -> String {
    text(
      LinkRewriter.retitled(Array(canonical.utf8), classes) { url in
        url.path == "/none" ? nil : "<New\u{1} \(url.path.dropFirst())>"
      })
  }

  @Test(arguments: [
    ("x", "&lt;New a&gt;"), ("Old words", "&lt;New a&gt;"),
    ("<span>i</span>Old", "<span>i</span>&lt;New a&gt;"),
    // Links with other content, or without text.
    ("", ""), ("<span>i</span>", "<span>i</span>"), ("<b>Old</b>", "<b>Old</b>"),
    ("<b>a</b>Old", "<b>a</b>Old"),
  ])
  func `the text of a link becomes a title, behind its icon if it has one`(
    content: String, expected: String
  ) {
    let start = "<p><a class=\"m\" href=\"https://e.org/a\">"
    #expect(Self.retitled("\(start)\(content)</a>.</p>") == "\(start)\(expected)</a>.</p>")
  }

  @Test func `links of other classes and those without a title keep their text`() {
    func link(_ name: String, _ address: String, _ words: String) -> String {
      "<a class=\"\(name)\" href=\"https://e.org/\(address)\">\(words)</a>"
    }
    let page =
      link("m", "a", "1") + link("o", "b", "2") + link("m", "none", "3") + link("n", "d", "4")
    #expect(
      Self.retitled(page)
        == link("m", "a", "&lt;New a&gt;") + link("o", "b", "2") + link("m", "none", "3")
        + link("n", "d", "&lt;New d&gt;"))
    #expect(Self.retitled(page, []) == page)
  }

  @Test func `a link is told with its tag and its address`() throws {
    let page =
      "<p><a href=\"mailto:a@e.org\">a</a><a class=\"x\" href=\"http://e.org/?a&amp;b\">b</a></p>"
    let links = LinkRewriter.links(in: Array(page.utf8))
    let link = try #require(links.first)
    #expect(links.count == 1)
    #expect(link.url.absoluteString == "http://e.org/?a&b")
    let bytes = Array(page.utf8)
    #expect(text(bytes[link.tag]) == "<a class=\"x\" href=\"http://e.org/?a&amp;b\">")
    #expect(text(bytes[link.address]) == "http://e.org/?a&amp;b")
  }

  @Test(arguments: [
    ("#a", true), ("mailto:a@e.org", true), ("TEL:1", true), ("HTTP://e.org", true),
    ("https:a", true), ("a.html", false), ("/a", false), ("javascript:a", false), ("", false),
    ("httpx:a", false), ("http", false), ("a/mailto:b", false),
  ])
  func `an address leads out of the bundle or not`(address: String, isElsewhere: Bool) {
    #expect(LinkScheme.isElsewhere(address) == isElsewhere)
  }

  @Test(arguments: [
    ("mailto:a", true), ("Mailto:a", true), ("javascript:a", false), ("a", false),
    ("data:a", false),
  ])
  func `a scheme is inert or not`(address: String, isInert: Bool) {
    #expect(LinkScheme.isInert(address: address) == isInert)
    #expect(LinkScheme.isInert("mailto") && !LinkScheme.isInert("data"))
  }

  @Test(
    arguments: [
      ("http:a", "http"), ("HTTPS:", "https"), ("a1+.-:b", "a1+.-"), ("1a:b", nil), ("+a:b", nil),
      (":a", ""), ("", nil), ("a", nil), ("a/b:c", nil), ("a?b:c", nil), ("a#b:c", nil),
      // What has a colon before its path is no relative path, whatever the name is.
      ("a b:c", ""), ("é:c", ""), ("a b/c:d", nil), ("a b?c:d", nil), ("a b#c:d", nil),
    ] as [(String, String?)])
  func `a scheme is a letter and letters, digits and signs before a colon`(
    address: String, scheme: String?
  ) {
    #expect(ReferenceResolver.scheme(address) == scheme)
  }

  @Test(arguments: [
    ("a", "a"), (" a ", "a"), ("\n a b\t ", "a b"), ("a\u{7F}b\u{1F}c", "abc"), ("  ", ""),
    ("", ""),
  ])
  func `an address has no control characters and no white space around it`(
    address: String, cleaned: String
  ) {
    #expect(ReferenceResolver.cleaned(address) == cleaned)
  }

  @Test(arguments: [
    ("https://e.org/a?b=c", true), ("http://e.org/", true), ("https://e1.org/A_~", true),
    ("https://e.org", false), ("https:///a", false), ("https://1e.org/", false),
    ("https://E.org/", false), ("https://e.org:80/", false), ("https://u@e.org/", false),
    ("https://e.org/%20", false), ("https://e.org/a b", false), ("https://e.org/é", false),
    ("ftp://e.org/", false), ("//e.org/", false), ("", false),
  ])
  func `an address that needs no parsing is the one that parsing gives`(
    address: String, isNormal: Bool
  ) {
    #expect(ReferenceResolver.isNormal(address) == isNormal)
    if isNormal { #expect(WebURL(address)?.absoluteString == address) }
  }

  @Test(
    arguments: [
      ("#a", .internalAnchor("c-a")), ("#", nil), ("https://e.org/a", .external("https://e.org/a")),
      ("b", .external("https://example.org:8080/dir/b")),
      ("/a/../b", .external("https://example.org:8080/b")),
      ("/.a", .external("https://example.org:8080/.a")),
      ("/b", .external("https://example.org:8080/b")), ("//e.org/b", .external("https://e.org/b")),
      ("mailto:a", .contact("mailto:a")), ("mailto:", nil), ("javascript:a", nil), (":a", nil),
    ] as [(String, ReferenceResolver.Link?)])
  func `a link leads to a page, to another program, to a place in the page or nowhere`(
    address: String, expected: ReferenceResolver.Link?
  ) {
    var resolver = ReferenceResolver(base: WebURL("https://example.org:8080/dir/page"))
    let (link, again) = (resolver.link(address), resolver.link(address))
    #expect(link == expected)
    #expect(again == expected)
  }

  @Test func `an image has a web address or is in the page`() {
    func image(_ address: String) -> String? {
      var resolver = ReferenceResolver(base: page)
      return resolver.image(address)
    }
    let long = "/" + String(repeating: "a", count: 5_000)
    #expect(image(long) == "https://example.org" + long)
    #expect(image("/b c") == "https://example.org/b%20c")
    #expect(image("data:image/png;base64,AAAA") == "data:image/png;base64,AAAA")
    let data = "data:image/png;base64," + String(repeating: "AAAA", count: 2_000)
    #expect(image(data) == data)
    for other in ["", "#a", "mailto:a", "data:text/html,a"] {
      #expect(image(other) == nil, "\(other)")
    }
  }

  @Test func `without a base only whole addresses are known`() {
    var resolver = ReferenceResolver(base: nil)
    let (path, address) = (resolver.web("/b"), resolver.web("http://e.org/%20"))
    #expect(path == nil)
    #expect(address == "http://e.org/%20")
  }

  @Test(
    arguments: [
      ("a", "c-a"), ("c-a", "c-a"), ("c-c-a", "c-c-a"), ("", nil), ("c-", nil),
      ("a b\"<", "c-a-b--"), ("%61%20", "c-a-"), ("A-Z.0:9_é", "c-A-Z.0:9_é"),
    ] as [(String, String?)])
  func `an id of content is distinct from those of the page`(raw: String, expected: String?) {
    #expect(SafeIdentifier.id(raw) == expected)
    #expect(expected.flatMap { SafeIdentifier.id($0) } == expected)
    #expect(PageAnchor.id(of: raw) == expected)
  }

  @Test func `an id has at most 200 bytes, and no half of a character`() {
    func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
    #expect(SafeIdentifier.id(letters(200)) == "c-" + letters(200))
    #expect(SafeIdentifier.id(letters(201)) == "c-" + letters(200))
    #expect(SafeIdentifier.id(letters(198) + "é") == "c-" + letters(198) + "é")
    #expect(SafeIdentifier.id(letters(199) + "é") == "c-" + letters(199))
    #expect(SafeIdentifier.key(letters(201)) == letters(200))
    #expect(SafeIdentifier.slug(letters(61)) == "c-" + letters(60))
    #expect(
      SafeIdentifier.slug(String(repeating: "é", count: 31))
        == "c-" + String(repeating: "é", count: 30))
  }

  @Test(arguments: [
    ("A b", "c-a-b"), ("  a  -- b! ", "c-a-b"), ("!?", "c-section"), ("", "c-section"),
    ("½ Äé", "c-½-äé"), ("a1", "c-a1"),
  ])
  func `a heading's id is made of its words`(words: String, expected: String) {
    #expect(SafeIdentifier.slug(words) == expected)
  }

  @Test func `a source's key is letters, digits and two signs`() {
    #expect(SafeIdentifier.key("aZ09-_.é") == "aZ09-_---")
  }

  @Test func `addresses side by side are all removed`() {
    let page = "<video src=\"a\" poster=\"b\"></video><img src=\"c\" srcset=\"d\">"
    let removed = PageReferences.rewrite(Array(page.utf8)) { _ in .remove }
    #expect(text(removed) == "<video></video><img>")
  }
}
