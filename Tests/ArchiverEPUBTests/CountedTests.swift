import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// What no page shows is counted, and told in a note.
@Suite struct CountedTests {
  private static func notes(
    _ body: String, head: String = "", _ change: (String) -> String = { $0 },
    more: [(String, String)] = [], leadsOn: Bool = true
  ) throws -> (notes: [String], sink: MemorySink) {
    var builder = BookBuilder(
      pages: [
        ("a.xhtml", BookBuilder.page(body + (leadsOn ? "<a href=\"b.xhtml\"/>" : ""), head: head))
      ],
      files: [
        ("o.smil", "application/smil+xml", Array(overlay.utf8)), ("s.mp3", "audio/mpeg", [1]),
        ("b.xhtml", "application/xhtml+xml", Array(BookBuilder.page("Instead").utf8)),
      ])
    builder.rewritePackage(change)
    for (name, text) in more {
      builder.entries.removeAll { $0.name == name }
      builder.add(name, text)
    }
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return (book.notes, sink)
  }

  private static let overlay =
    "<smil xmlns=\"http://www.w3.org/ns/SMIL\" version=\"3.0\"><body><par><audio src=\"s.mp3\"/></par>"
    + "<par><audio src=\"gone.mp3\"/></par><par><audio src=\"gone.mp3\"/></par></body></smil>"

  @Test(arguments: [
    (
      "<video src=\"https://a.example/v.mp4\"><track src=\"v.vtt\"/></video>",
      "audio or video (1), captions (1)"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mi>x</mi><annotation-xml><img src=\"x.png\"/></annotation-xml></semantics></math>",
      "alternatives for other reading systems (1)"
    ),
    ("<template><p>Words</p></template><template></template>", "templates of scripts (1)"),
    (
      "<link rel=\"stylesheet\" href=\"x.css\"/><link rel=\"next\" href=\"b.xhtml\"/>",
      "style sheets (1)"
    ),
    (
      "<link rel=\"alternate stylesheet\" href=\"night.css\"/>",
      "alternate style sheets (1)"
    ),
    (
      "<img src=\"data:image/png;base64,iVBORw==\" alt=\"\" longdesc=\"b.xhtml\"/>",
      "descriptions of images (1)"
    ),
  ])
  func `a part that pages do not show is counted`(body: String, told: String) throws {
    #expect(try Self.notes(body).notes == ["The pages lack parts of the book: \(told)."])
  }

  @Test func `a style sheet that the book lacks is counted once`() throws {
    let link = "<link rel=\"stylesheet\" href=\"gone.css\"/>"
    let other = "<link rel=\"alternate stylesheet\" href=\"other.css\"/>"
    let (notes, _) = try Self.notes("A", head: link + link + other)
    #expect(
      notes == ["The pages lack parts of the book: alternate style sheets (1), style sheets (1)."])
  }

  @Test(arguments: [("f0", 1), ("f9", 0), ("gone", 1)])
  func `recordings that the book lacks are counted`(overlay: String, count: Int) throws {
    let (notes, sink) = try Self.notes("A") {
      $0.replacing("href=\"a.xhtml\"", with: "href=\"a.xhtml\" media-overlay=\"\(overlay)\"")
        .replacing(
          "</manifest>",
          with:
            "<item id=\"gone\" href=\"gone.smil\" media-type=\"application/smil+xml\"/></manifest>")
    }
    #expect(notes == (count == 0 ? [] : ["The pages lack parts of the book: recordings (1)."]))
    #expect(sink.text("text/0001.html").contains("<audio") == (overlay == "f0"))
  }

  @Test func `a missing page is replaced by its fallback`() throws {
    let (notes, sink) = try Self.notes("A") {
      $0.replacing(
        "</manifest>",
        with:
          "<item id=\"x\" href=\"gone.png\" media-type=\"image/png\" fallback=\"f2\"/></manifest>"
      )
      .replacing("</spine>", with: "<itemref idref=\"x\"/></spine>")
    }
    #expect(notes.isEmpty && sink.text("text/0002.html").contains("Instead"))
  }

  @Test func `texts to which nothing leads are told`() throws {
    let told =
      "1 text of the book is neither in its reading order nor linked; only the file has it."
    #expect(try Self.notes("A", leadsOn: false).notes == [told])
    for type in ["text/html", "application/x-dtbook+xml", "text/x-oeb1-document"] {
      let (notes, _) = try Self.notes(
        "A",
        {
          $0.replacing(
            "b.xhtml\" media-type=\"application/xhtml+xml",
            with: "b.xhtml\" media-type=\"\(type)")
        },
        leadsOn: false)
      #expect(notes == [told])
    }
    let fallback = try Self.notes(
      "A", { $0.replacing("id=\"f1\"", with: "id=\"f1\" fallback=\"f2\"") }, leadsOn: false)
    #expect(fallback.notes.isEmpty)
  }

  @Test func `other renditions of the book are told`() throws {
    let file = "<rootfile full-path=\"@\" media-type=\"application/oebps-package+xml\"/>"
    let files = ["OEBPS/content.opf", "two.opf", "two.opf"].map { file.replacing("@", with: $0) }
    let (notes, _) = try Self.notes(
      "A",
      more: [
        (
          "META-INF/container.xml",
          "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\(files.joined())</rootfiles></container>"
        )
      ])
    #expect(
      notes == ["The book's file has another rendition of the book, which the pages do not show."])
  }

  @Test(arguments: ["<img src=\"e.png\"/>", "<video src=\"e.mp4\"/>"])
  func `an empty file that a page shows is told`(body: String) throws {
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("Words" + body))],
      files: [("e.png", "image/png", []), ("e.mp4", "video/mp4", [])])
    // An entry that no page shows may be empty.
    builder.add("OEBPS/unused.png", "")
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: MemorySink()) }
    let told = book.notes.filter { $0.hasSuffix("of the book is empty.") }
    #expect(told.count == 1 && told[0].contains("OEBPS/e."), "\(book.notes)")
  }
}
