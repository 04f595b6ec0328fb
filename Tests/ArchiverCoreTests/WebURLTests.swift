import Testing

@testable import ArchiverCore

@Suite struct WebURLTests {
  @Test(arguments: [
    ("HTTP://Example.ORG", "http://example.org/"),
    ("https://example.org:443/a", "https://example.org/a"),
    ("http://example.org:8080/a?b=c#d", "http://example.org:8080/a?b=c#d"),
    ("  https://example.org/a b  ", "https://example.org/a%20b"),
    ("https://exa\nmple.org/\t", "https://example.org/"),
    ("https://user:pass@example.org/", "https://example.org/"),
    ("http://[2001:DB8::1]:81/", "http://[2001:db8::1]:81/"),
    ("https://example.org/ä?ö=ü", "https://example.org/%C3%A4?%C3%B6=%C3%BC"),
    ("https://example.org/a|b\"c<d>", "https://example.org/a%7Cb%22c%3Cd%3E"),
    ("https://example.org/%zz", "https://example.org/%25zz"),
  ])
  func `brings addresses into normal form`(text: String, normal: String) {
    #expect(WebURL(text)?.absoluteString == normal)
  }

  @Test(arguments: [
    "", "example.org", "/path", "ftp://example.org/", "javascript:alert(1)", "file:///etc/passwd",
    "http://", "http:///path", "data:text/html,x", "mailto:a@example.org", "http://example.org:0/",
    "http://example.org:70000/",
  ])
  func `refuses what is no absolute http address`(text: String) {
    #expect(WebURL(text) == nil)
  }

  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("", "http://a/b/c/d;p?q"),
    ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../../../g", "http://a/g"),
    ("https://other.example/x", "https://other.example/x"),
  ])
  func `resolves references as RFC 3986 section 5.4 lists them`(reference: String, full: String) {
    #expect(WebURL("http://a/b/c/d;p?q")?.resolving(reference)?.absoluteString == full)
  }

  @Test func `never resolves to another scheme`() {
    let base = WebURL("https://example.org/")
    #expect(base?.resolving("javascript:alert(1)") == nil)
    #expect(base?.resolving(" java\nscript:alert(1)") == nil)
    #expect(base?.resolving("data:image/png;base64,AA") == nil)
  }

  @Test func `an address in normal form is what the parser makes of it`() throws {
    let base = try #require(WebURL("https://base.example/a/b?c"))
    let pieces = [
      "http://", "https://", "HTTP://", "ftp://", "//", "a", "B", "example", ".", "..", "-", "/",
      "/.",
      "/..", ":", ":80", ":443", ":8080", ":0", ":65536", "@", "user:pw@", "?", "#", "%41", "%4",
      "%",
      "=", "&", "[::1]", "127.0.0.1", "xn--bcher-kva", "é", " ", "\\", "|", "'", "\"", "+", "~",
      "\n",
    ]
    let orderly = ["a", "B/", "example", "%41", "?x", "&y", "=", "+", "~", "@", ":", "#"]
    var random = SystemRandomNumberGenerator()
    var plain = 0
    for round in 0..<20_000 {
      let isOrderly = round % 3 == 0
      var text = round % 4 == 0 ? "" : isOrderly ? "https://a.example/" : "https://example.org"
      for _ in 0..<Int.random(in: 1...7, using: &random) {
        text += (isOrderly ? orderly : pieces).randomElement(using: &random) ?? ""
      }
      if NormalForm(text.utf8) != nil { plain += 1 }
      let (quick, slow) = (WebURL(text), WebURL(parsing: text))
      #expect(quick == slow, "\(text)")
      #expect(quick?.absoluteString == slow?.absoluteString, "\(text)")
      #expect(base.resolving(text) == base.resolving(parsing: text), "\(text)")
    }
    #expect(plain > 1_000)
  }

  @Test func `an origin is scheme, host and port`() throws {
    let one = try #require(WebURL("https://example.org/a"))
    let other = try #require(WebURL("https://EXAMPLE.org:443/b?c"))
    let plain = try #require(WebURL("http://example.org/a"))
    #expect(one.origin == other.origin)
    #expect(one.origin != plain.origin)
  }

  @Test func `appends segments that hold separators as one`() {
    let url = WebURL("https://example.org/api/")?.appending("a/b", "c?d", "..x")
    #expect(url?.absoluteString == "https://example.org/api/a%2Fb/c%3Fd/..x")
  }

  @Test func `writes a query in order and drops an empty one`() {
    let url = WebURL("https://example.org/?old=1")
    #expect(
      url?.settingQuery([("labels", "\"web archive\""), ("n", "1&2")]).absoluteString
        == "https://example.org/?labels=%22web%20archive%22&n=1%262")
    #expect(url?.settingQuery([]).absoluteString == "https://example.org/")
  }

  @Test func `rebases onto another origin`() throws {
    let internalURL = try #require(WebURL("http://10.0.0.5:8000/bm/x.jpg?a=b"))
    let base = try #require(WebURL("https://read.example.org/sub/"))
    #expect(
      internalURL.rebased(onto: base).absoluteString == "https://read.example.org/bm/x.jpg?a=b")
  }

  @Test func `drops what signs an address`() {
    let url = WebURL("https://s3.example/file.png?X-Amz-Signature=abc#frag")
    #expect(url?.withoutQuery.absoluteString == "https://s3.example/file.png")
    #expect(
      url?.withoutFragment.absoluteString == "https://s3.example/file.png?X-Amz-Signature=abc")
  }

  @Test(arguments: [
    "https://example.org", "https://example.org/?", "https://example.org/#", "http://h:81/a/b?c#d",
    "https://h/a?b=/c?d#e?f#g", "https://h/a#b?c", "http://[2001:db8::1]:81/x?y", "https://h/?#",
    "https://h//a//b?x=ü#ß", "http://h?q=/",
  ])
  func `gives the same parts as a parser`(_ text: String) throws {
    let url = try #require(WebURL(text))
    var parts = try #require(URLComponents(string: url.absoluteString))
    #expect(url.path == parts.percentEncodedPath)
    #expect(url.query == parts.percentEncodedQuery)
    #expect(url.fragment == parts.percentEncodedFragment)
    parts.fragment = nil
    #expect(url.withoutFragment == WebURL(parts.string ?? ""))
    parts.query = nil
    #expect(url.withoutQuery == WebURL(parts.string ?? ""))
    #expect(url.withoutQuery.host == url.host)
    #expect(url.withoutQuery.port == url.port)
  }
}
