import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// Content of valid books that is rare.
@Suite struct RareContentTests {
  private func text(_ document: String) throws -> String {
    let sink = MemorySink()
    let builder = BookBuilder(
      pages: [("a.xhtml", document)], files: [("a.png", "image/png", [0x89])])
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    let page = sink.text("text/0001.html")
    return String(page.split(separator: "<div class=\"sheet\">")[1].prefix { $0 != "\u{0}" })
  }

  private func page(_ body: String, entities: String) -> String {
    BookBuilder.page(body).replacing(
      "<html", with: "<!DOCTYPE html [\(entities)]><html", maxReplacements: 1)
  }

  @Test(arguments: [
    ("<!ENTITY O \"&#x201C;\"><!ENTITY foo 'zz Foo'>", "&O;x &foo;", "\u{201C}x zz Foo"),
    ("<!ENTITY sig \"<b>zzSig</b>\">", "a &sig;", "a <b>zzSig</b>"),
    ("<!ENTITY eacute \"E\">", "&eacute;&nbsp;b", "E\u{A0}b"),
    ("<!ENTITY a \"1\"><!ENTITY b \"&a;2\">", "&b;", "12"),
    ("<!ENTITY x SYSTEM \"file:///etc/passwd\">", "a&x;b", "ab"),
  ])
  func `entities that a chapter declares are replaced, external ones by nothing`(
    declared: String, body: String, shown: String
  ) throws {
    let sheet = try text(page("<p>\(body)</p>", entities: declared))
    #expect(sheet.contains("<p>\(shown)</p>"), "\(sheet.prefix(200))")
    #expect(!sheet.contains("]&gt;"))
  }

  @Test(arguments: [("TITLE", true), ("Title", true), ("title", false)])
  func `text of an element that XHTML does not know is shown, whatever HTML calls it`(
    name: String, isShown: Bool
  ) throws {
    let sheet = try text(BookBuilder.page("<\(name)>zzName</\(name)><p>text</p>"))
    #expect(sheet.contains("zzName") == isShown, "\(sheet.prefix(200))")
  }

  @Test(arguments: [
    ("http://www.w3.org/1998/Math/MathML", "<p>default</p>", "<mi>x</mi>", "default"),
    ("http://www.example.org/chemistry", "<p>default</p>", "<p>default</p>", "<mi>"),
    ("http://www.example.org/chemistry", "", "<mi>x</mi>", "default"),
  ])
  func `of alternatives in several vocabularies, one that browsers draw is shown`(
    vocabulary: String, ordinary: String, shown: String, hidden: String
  ) throws {
    let math = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math>"
    let other = ordinary.isEmpty ? "" : "<epub:default>\(ordinary)</epub:default>"
    let sheet = try text(
      BookBuilder.page(
        "<epub:switch><epub:case required-namespace=\"\(vocabulary)\">\(math)</epub:case>\(other)"
          + "</epub:switch>"))
    #expect(sheet.contains(shown) && !sheet.contains(hidden), "\(sheet.prefix(300))")
  }

  @Test(arguments: [
    ("<p>default</p>", 1), ("<p><img src=\"a.png\" alt=\"\"/></p>", 1), ("<p>x</p>", 0), ("", 0),
  ])
  func `alternatives with other content than the one that is shown are counted`(
    other: String, count: Int
  ) throws {
    let switched =
      "<epub:switch><epub:case required-namespace=\"http://www.w3.org/1998/Math/MathML\">"
      + "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math></epub:case>"
      + "<epub:default>\(other)</epub:default></epub:switch>"
    let builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page(switched))])
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: MemorySink()) }
    let told = book.notes.filter { $0.contains("alternatives for other reading systems (1)") }
    #expect(told.count == count, "\(book.notes)")
  }

  @Test(arguments: [
    ("background-image:url(a.png);width:9px", "background-image:url(\"../assets/0001.png\")", "x"),
    (
      "background:#ff0 url('a.png') no-repeat;background-size:cover;color:red",
      "background-image:url(\"../assets/0001.png\");background-size:cover", "ff0"
    ),
    ("background:red;background-size:cover;width:9px", "width:9px", "cover"),
  ])
  func `of backgrounds in an attribute the image is kept, not the colour`(
    style: String, kept: String, lost: String
  ) throws {
    let sheet = try text(BookBuilder.page("<div style=\"\(style)\">t</div>"))
    let shown = sheet.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
    #expect(shown.contains(kept), "\(sheet.prefix(200))")
    #expect(lost == "x" || !shown.prefix(200).contains(lost), "\(shown.prefix(200))")
  }

  @Test func `a part of another SVG image is counted`() throws {
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"9\" height=\"9\"/>"
      + "<use href=\"s.svg#t\"/><use href=\"#t\"/></svg>"
    let builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page(drawing))])
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: MemorySink()) }
    #expect(book.notes.contains { $0.contains("parts of other SVG images") }, "\(book.notes)")
  }

  @Test(arguments: ["", "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"xhtml11.dtd\">"])
  func `an entity that nothing declares is shown as it is written`(type: String) throws {
    let page =
      "\(type)<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>a &foo; b &amp; c &eacute;"
      + "<![CDATA[ d &bar; ]]></p></body></html>"
    let sink = MemorySink()
    let builder = BookBuilder(pages: [("a.xhtml", page)])
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(sink.text("text/0001.html").contains("<p>a &amp;foo; b &amp; c é"))
    if !type.isEmpty { #expect(sink.text("text/0001.html").contains("é d &amp;bar; </p>")) }
  }

  @Test func `a package that declares an entity is read`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("t"))])
    builder.rewritePackage {
      $0.replacing("<package", with: "<!DOCTYPE package [<!ENTITY ti \"Of Tea\">]><package")
        .replacing("A Book", with: "&ti;")
    }
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: MemorySink()) }
    #expect(book.metadata.title == "Of Tea")
  }

  @Test(
    arguments: [
      ("<map name=\"n\"><p>in map <img src=\"a.png\" alt=\"p\"/></p></map>", ["in map", "<img"]),
      (
        "<map name=\"n\"><p><a shape=\"rect\" href=\"a.xhtml\">way</a></p><area href=\"a.xhtml\" alt=\"spot\"/></map>",
        [">way</a>", ">spot</a>"]
      ),
      (
        "<form action=\"#\"><p><input type=\"image\" src=\"a.png\" alt=\"go\"/></p></form>",
        ["<img", "alt=\"go\""]
      ),
      (
        "<p>It is <input type=\"text\"/>. <input type=\"checkbox\"/>A <input type=\"radio\" checked=\"checked\"/>B</p>",
        ["It is ____.", "\u{2610} A", "\u{25C9} B"]
      ),
      (
        "<p><select><optgroup label=\"group\"><option label=\"choice\"/><option>two</option></optgroup></select> <textarea placeholder=\"hint\"/></p>",
        ["group", "choice", "two", "hint"]
      ),
      (
        "<object data=\"a.png\" type=\"image/png\"><p>what it shows</p></object>",
        ["alt=\"what it shows\""]
      ),
    ] as [(String, [String])])
  func `maps, fields and objects keep their words and images`(body: String, kept: [String]) throws {
    let sheet = try text(BookBuilder.page(body))
    for one in kept { #expect(sheet.contains(one), "\(one): \(sheet.prefix(300))") }
  }

  @Test(arguments: [
    ("poster=\"a.png\"", "<img src=\"../assets/0001.png\"", "audio or video (1)."),
    ("poster=\"absent.png\"", "film.mp4", "audio or video (1), images (1)."),
    ("", "film.mp4", "audio or video (1)."),
  ])
  func `the poster of a video that the book does not have is shown, or counted`(
    poster: String, shown: String, lost: String
  ) throws {
    let sink = MemorySink()
    let builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page("<video \(poster) src=\"https://films.example/film.mp4\"></video>")
        )
      ], files: [("a.png", "image/png", [0x89])])
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(sink.text("text/0001.html").contains(shown))
    #expect(book.notes.contains { $0.hasSuffix(lost) }, "\(book.notes)")
  }
}
