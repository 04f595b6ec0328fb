import ArchiverCore
import Testing

@testable import ArchiverPipeline

@Suite struct ContentHashTests {
  private static func hash(_ change: (inout ItemMetadata) -> Void) -> ContentHash {
    var metadata = ItemMetadata(kind: .article, title: "Title")
    change(&metadata)
    let item = SourceItem(
      reference: ItemReference(id: "item", revision: "1"), metadata: metadata,
      body: .none(reason: "It has no text."))
    return ContentHash(body: [], item: item, origin: nil)
  }

  @Test func `the time of its last change alone makes no item differ`() {
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let plain = Self.hash { _ in }
    #expect(Self.hash { $0.modified = time } == plain)
    #expect(Self.hash { $0.added = time } != plain)
  }

  private static func file(
    _ address: String, _ role: ArchiverCore.Attachment.Role = .file
  ) throws -> ArchiverCore.Attachment {
    Attachment(
      role, .remote(try #require(WebURL(address))), name: "f.pdf", caption: "words", revision: "1")
  }

  private static func item(_ files: [ArchiverCore.Attachment]) -> SourceItem {
    SourceItem(
      reference: ItemReference(id: "item", revision: "1"),
      metadata: ItemMetadata(kind: .article, title: "Title"), body: .none(reason: ""),
      attachments: files)
  }

  private static func hash(
    _ item: SourceItem, _ body: String = "<p>Text</p>", origin: Origin? = nil
  ) -> ContentHash {
    ContentHash(body: Array(body.utf8), item: item, origin: origin)
  }

  @Test func `every part of an item counts, and only text and files as its content`() throws {
    let plain = Self.item([try Self.file("https://a.test/f.pdf")])
    let (icon, other) = (
      try Self.file("https://a.test/i.png", .icon), try Self.file("https://a.test/other.pdf")
    )
    let changes: [(isContent: Bool, change: (inout SourceItem) -> Void)] = [
      (false, { $0.metadata.title = "Other" }), (false, { $0.metadata.labels = ["a"] }),
      (false, { $0.annotations = [Annotation(id: "h", text: "words")] }),
      (false, { $0.notes = ["a note"] }), (false, { $0.addresses = ["https://a.test/"] }),
      (false, { $0.links = [ItemLink(.parent, target: "p")] }), (false, { $0.record = [1] }),
      (false, { $0.missing = [MissingPart(.file, name: "", reason: "404")] }),
      (false, { $0.attachments[0].name = "g.pdf" }), (false, { $0.attachments[0].caption = "new" }),
      (false, { $0.attachments[0].revision = "2" }),
      (false, { $0.attachments[0].address = WebURL("https://a.test/g") }),
      (false, { $0.attachments.append(icon) }), (true, { $0.attachments.append(other) }),
      (true, { $0.attachments[0] = other }), (true, { $0.attachments[0].role = .image }),
      (true, { $0.attachments[0].location = .inline([1]) }), (true, { $0.attachments = [] }),
    ]
    let hash = Self.hash(plain)
    #expect(hash.text.count == 64)
    #expect(Self.hash(plain) == hash)
    for (number, (isContent, change)) in changes.enumerated() {
      var changed = plain
      change(&changed)
      let found = Self.hash(changed)
      #expect(found != hash, "change \(number)")
      #expect(found.hasSameContent(as: hash) != isContent, "change \(number)")
    }
  }

  @Test func `a server that moves changes no content, another one does`() throws {
    func hash(_ host: String, knowsOrigin: Bool) throws -> ContentHash {
      let url = try #require(WebURL("https://\(host)/f.pdf"))
      return Self.hash(
        Self.item([try Self.file(url.absoluteString)]), origin: knowsOrigin ? url.origin : nil)
    }
    #expect(
      try hash("a.test:8080", knowsOrigin: true).hasSameContent(
        as: hash("b.test:8081", knowsOrigin: true)))
    #expect(
      try !hash("a.test:8080", knowsOrigin: false).hasSameContent(
        as: hash("b.test:8081", knowsOrigin: false)))
  }

  @Test(
    arguments: [
      ("<p>a <mark data-hl=\"1\">b</mark> c</p>", "<p>a b c</p>", true),
      ("<p>a <mark>b</mark><sup class=\"hl-note\">n</sup> c</p>", "<p>a b c</p>", true),
      ("<p><b>a</b> <mark>b</mark></p>", "<p><b>a</b> b</p>", true),
      ("<p><b>a</b> <mark>b</mark></p>", "<p>a b</p>", false),
      ("<p><mark>b</mark> <sup>2</sup></p>", "<p>b <sup>2</sup></p>", true),
      ("<p><mark>b</mark> <sup>2</sup></p>", "<p>b </p>", false),
      ("<p>a", "<p>b", false),
    ])
  func `marks and their notes are no content`(one: String, other: String, isSame: Bool) {
    let item = Self.item([])
    #expect(Self.hash(item, one).hasSameContent(as: Self.hash(item, other)) == isSame)
    #expect(Self.hash(item, one) != Self.hash(item, other))
  }
}

/// The digests of highlights and comments.
struct RemarkDigestTests {
  private func digests(_ html: String, _ annotations: [Annotation] = []) -> [String] {
    Remarks.digests(body: Array(html.utf8), class: "r", annotations: annotations)
  }

  private static let one = "<p>Text</p><div class=\"r\"><p>One</p><p>Two <b>words</b>!</p></div>"

  @Test(
    arguments: [
      one, "<div class=\"r\"><ul><li> One\n</li><li>\tTwo <i>words</i>!</li></ul></div>",
      "<div class=\"r\"><p>Before</p></div>" + one, "<div class=\"r x\"></div>" + one,
      "<div class=\"r\">One<br>Two words!<hr>One", "<div class=\"r\"><p>One</p>Two words!<",
    ])
  func `a block of text is a remark, whatever its markup`(html: String) {
    let found = digests(html)
    #expect(found == digests(Self.one))
    #expect(found.count == 2 && found == found.sorted())
    #expect(found.allSatisfy { $0.count == 12 })
  }

  @Test(
    arguments: [
      "div", "p", "li", "ul", "ol", "blockquote", "pre", "h2", "h3", "h4", "figure", "br", "hr",
    ])
  func `a block begins and ends a remark, other markup does not`(name: String) {
    #expect(digests("<div class=\"r\">a<\(name)>b</\(name)>c</div>").count == 3)
    #expect(digests("<div class=\"r\">a<\(name) dir=\"auto\">b</div>").count == 2)
    #expect(digests("<div class=\"r\">a<x\(name)>b</x\(name)>c</div>").count == 1)
  }

  @Test func `what is no remark has no digest`() {
    #expect(digests("<p>Text</p><div class=\"other\"><p>One</p></div>").isEmpty)
    #expect(digests("<div class=\"r\"><p> \n</p></div>").isEmpty)
    let body = Array(Self.one.utf8)
    #expect(Remarks.digests(body: body, class: nil, annotations: []).isEmpty)
  }

  @Test func `a highlight differs by its text and its note`() {
    let plain = digests("", [Annotation(id: "1", text: "a", color: "red")])
    #expect(plain.count == 1)
    #expect(digests("", [Annotation(id: "2", text: "a", note: "")]) == plain)
    #expect(digests("", [Annotation(id: "1", text: "b")]) != plain)
    #expect(digests("", [Annotation(id: "1", text: "a", note: "n")]) != plain)
    let twice = [Annotation(id: "1", text: "a"), Annotation(id: "2", text: "a")]
    #expect(digests("", twice) == plain)
    #expect(digests(Self.one, twice).count == 3)
  }
}

/// URLs whose query is a signature.
struct SignedAddressTests {
  private static let signed = "https://a.test/f?w=3&amp;X-Amz-Signature=ab"

  @Test(
    arguments: [
      ("<a href=\"\(signed)\">x</a>", "<a href=\"https://a.test/f\">x</a>"),
      ("<a href=\"https://a.test/f?x-amz-signature=ab&amp;w=3\">", "<a href=\"https://a.test/f\">"),
      (
        "<a href=\"\(signed)\" title=\"\"><img src=\"https://a.test/g?w=3\">",
        "<a href=\"https://a.test/f\" title=\"\"><img src=\"https://a.test/g?w=3\">"
      ),
      ("\"\(signed)\"", "\"https://a.test/f\""),
      // Neither a URL nor a signature.
      ("<p title=\"?X-Amz-Signature=ab\">", "<p title=\"?X-Amz-Signature=ab\">"),
      ("<a href=\"https://a.test/?X-Amz-Date=1\">", "<a href=\"https://a.test/?X-Amz-Date=1\">"),
      ("<a href=\"https://a.test/?size=1\">", "<a href=\"https://a.test/?size=1\">"),
      ("<a href=\"https://a.test/?w=e\">", "<a href=\"https://a.test/?w=e\">"), ("", ""),
    ])
  func `a presigned URL is kept without its query`(html: String, expected: String) {
    let found = SignedAddresses.unsigned(Array(html.utf8))
    #expect(String(decoding: found, as: UTF8.self) == expected)
  }

  @Test func `a link to a file of the bundle leads to it`() throws {
    let url = try #require(WebURL("https://a.test/f?w=3&h=4"))
    let files = [(url: url, path: "assets/1.pdf"), (url: url, path: "assets/2.pdf")]
    let html =
      "<a href=\"https://a.test/f?w=3&amp;h=4\">x</a><a href=\"https://a.test/f?w=3\">y</a>"
    let found = SignedAddresses.localised(Array(html.utf8), files)
    #expect(
      String(decoding: found, as: UTF8.self)
        == "<a href=\"assets/1.pdf\">x</a><a href=\"https://a.test/f?w=3\">y</a>")
    #expect(SignedAddresses.localised(Array(html.utf8), []) == Array(html.utf8))
  }
}
