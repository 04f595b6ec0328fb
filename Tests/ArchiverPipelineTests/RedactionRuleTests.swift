import ArchiverCore
import Testing

@testable import ArchiverPipeline

/// Which bytes of a text belong to a URL's user, to a secret field or to a tag.
struct RedactionRuleTests {
  @Test(arguments: [
    "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature",
    "x-goog-credential", "signature", "sig", "token", "access_token", "auth_token", "api_key",
    "apikey",
  ])
  func `the value of a secret field is removed`(field: String) {
    for name in [field, field.uppercased()] {
      for start in ["?", "?a=1&", "?a=1&amp;", "?a=1\\u0026"] {
        let url = "https://a.test/\(start)\(name)="
        #expect(Redaction.text("\(url)abc&b=2") == "\(url)removed&b=2")
        #expect(Redaction.text("\(url)abc") == "\(url)removed")
      }
      for before in ["my", "-", "_", ".", "7", "/"] {
        let url = "https://a.test/?\(before)\(name)=abc"
        #expect(Redaction.text(url) == url)
      }
    }
  }

  /// Bytes that end a URL in any text, and those that end a host or a value.
  private static let ends = [
    "\"", "'", "<", ">", "\\", "`", ")", " ", "\n", "\t", "\u{7F}", "\u{1}",
  ]

  @Test(arguments: ends + ["/", "?", "#"])
  func `a user does not reach beyond its authority`(end: String) {
    let text = "https://a\(end)b@x.test"
    #expect(Redaction.text(text) == text)
  }

  @Test(arguments: ends + ["&", "#", ";"])
  func `a value ends with its field`(end: String) {
    #expect(Redaction.text("?sig=ab\(end)cd") == "?sig=removed\(end)cd")
  }

  @Test(arguments: ["/", "?", "@", ":", "=", "(", "%", "+", ".", "~", "!"])
  func `other characters belong to the value`(character: String) {
    #expect(Redaction.text("?sig=ab\(character)cd&b=1") == "?sig=removed&b=1")
  }

  @Test func `a user is looked for in the first 1024 bytes of an authority`() {
    let name = String(repeating: "a", count: 1_023)
    #expect(Redaction.text("https://\(name)@x.test") == "https://x.test")
    #expect(Redaction.text("https://\(name)a@x.test") == "https://\(name)a@x.test")
  }

  @Test(
    arguments: [
      // Text between two comments is no comment.
      (
        "<!-- a --><p>https://a:b@x/</p><!-- b -->", "<!-- a --><p>https://a:b@x/</p><!-- b -->"
      ),
      ("<!-- a --><a href=\"#\">https://a:b@x/</a>", "<!-- a --><a href=\"#\">https://x/</a>"),
      ("<!--><a href=\"#\">https://a:b@x/</a>", "<!--><a href=\"#\">https://x/</a>"),
      ("<<a href=\"#\">https://a:b@x/</a>", "<<a href=\"#\">https://x/</a>"),
      ("<a>https://a:b@x/</a>https://a:b@x/", "<a>https://x/</a>https://a:b@x/"),
      ("<a/>https://a:b@x/", "<a/>https://x/"),
      ("<a\thref=\"#\">https://a:b@x/", "<a\thref=\"#\">https://x/"),
      (
        "<p><a href=\"#\">x</a> <b>https://a:b@x/</b>",
        "<p><a href=\"#\">x</a> <b>https://a:b@x/</b>"
      ),
      ("<area href=\"#\">https://a:b@x/", "<area href=\"#\">https://a:b@x/"),
      ("<b title=\"it's\">https://a:b@x/", "<b title=\"it's\">https://a:b@x/"),
      ("<b title='\">'>https://a:b@x/", "<b title='\">'>https://a:b@x/"),
      ("<?x?>https://a:b@x/", "<?x?>https://a:b@x/"), ("<!x>https://a:b@x/", "<!x>https://a:b@x/"),
    ] as [(String, String)])
  func `only tags, comments and the words of links are redacted`(html: String, expected: String) {
    #expect(String(decoding: Redaction.html(Array(html.utf8)), as: UTF8.self) == expected)
  }

  @Test(arguments: ["a", "z", "A", "Z", "/b", "!b", "?b"])
  func `a tag begins with a letter or one of three marks`(start: String) {
    let tag = "<\(start) x=\"https://u:p@x/\">"
    let found = String(decoding: Redaction.html(Array(tag.utf8)), as: UTF8.self)
    #expect(found == "<\(start) x=\"https://x/\">")
  }

  @Test(arguments: ["1", "@", "[", "`", "{", " ", "\"", "<"])
  func `before anything else an angle bracket is text`(start: String) {
    let text = "<\(start)x https://u:p@x/ &amp;"
    let found = String(decoding: Redaction.html(Array(text.utf8)), as: UTF8.self)
    #expect(found == (start == "<" ? "<<x https://x/ &amp;" : text))
  }

  @Test func `an item is redacted in every part that is stored`() {
    let secrets = AddressSecrets([Secret("s3cret-key")])
    var metadata = ItemMetadata(kind: .article, title: "https://a:b@x.test/s3cret-key")
    metadata.url = "https://a:b@x.test/s3cret-key?sig=1"
    metadata.summary = "About s3cret-key"
    metadata.properties = [ItemProperty("Key", "s3cret-key")]
    let item = SourceItem(
      reference: ItemReference(id: "1", revision: "1", title: "https://a:b@x.test/"),
      metadata: metadata, body: .none(reason: ""),
      record: Array("https://a:b@x.test/s3cret-key".utf8),
      notes: ["No s3cret-key"]
    ).redacted(secrets)
    #expect(item.reference.title == "https://x.test/")
    #expect(item.metadata.title == "https://x.test/removed")
    #expect(item.metadata.url == "https://x.test/removed?sig=removed")
    #expect(item.metadata.summary == "About removed")
    #expect(item.metadata.properties == [ItemProperty("Key", "removed")])
    #expect(item.record == Array("https://x.test/removed".utf8))
    #expect(item.notes == ["No removed"])
  }
}
