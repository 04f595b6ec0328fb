import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// Texts in a book's archive that its package does not name.
@Suite struct UndeclaredTextTests {
  private func book(_ pages: [String], spine: String) -> BookBuilder {
    var builder = BookBuilder(pages: [])
    for name in pages { builder.add("OEBPS/\(name)", BookBuilder.page("<p>text of \(name)</p>")) }
    builder.rewritePackage { package in
      let start = package.firstRange(of: "<spine")?.lowerBound ?? package.endIndex
      return package[..<start] + spine + "</package>"
    }
    return builder
  }

  @Test(arguments: ["", "<spine/>", "<spine><itemref idref=\"none\"/></spine>"])
  func `a package that names no text gives the texts of the archive, by name`(spine: String) throws
  {
    let sink = MemorySink()
    let book = try book(["c 10.xhtml", "c 9.html", "a.htm", "style.css"], spine: spine)
      .withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(book.pages.count == 3)
    for (number, name) in [(1, "a.htm"), (2, "c 9.html"), (3, "c 10.xhtml")] {
      #expect(sink.text("text/000\(number).html").contains("<p>text of \(name)</p>"))
    }
    #expect(book.notes.contains { $0.contains("names none of its texts") }, "\(book.notes)")
  }

  @Test func `a text that the package does not name is no page if it names others`() throws {
    var builder = BookBuilder(pages: [("b.xhtml", BookBuilder.page("<p>named</p>"))])
    builder.add("OEBPS/a.xhtml", BookBuilder.page("<p>not named</p>"))
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(book.pages.count == 1 && sink.text("text/0001.html").contains("<p>named</p>"))
    #expect(!book.notes.contains { $0.contains("names none of its texts") })
  }

  @Test func `a book without any text has no pages, and says so`() throws {
    let sink = MemorySink()
    #expect {
      _ = try book(["style.css"], spine: "<spine/>")
        .withFile { try EPUBConverter().convert(path: $0, to: sink) }
    } throws: {
      ($0 as? EPUBError)?.message.contains("no pages in its reading order") == true
    }
  }
}
