import ArchiverCore
import ArchiverMarkup

/// The documents of a book: its chapters and its two tables of contents.
struct BookDocuments {
  let book: EPUBPublication

  private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

  func page(_ chapter: EPUBPublication.Chapter) -> [UInt8] {
    document(
      title: chapter.title, language: XMLText.language(chapter.language ?? book.language),
      direction: chapter.direction, style: "../book.css"
    ) { $0.raw(chapter.body) }
  }

  /// The navigation document (EPUB 3.3, section 7).
  func navigation() -> [UInt8] {
    document(
      title: book.title, language: XMLText.language(book.language), direction: book.direction,
      style: "book.css"
    ) { xml in
      xml.element("nav", ["epub:type": "toc", "id": "toc", "role": "doc-toc"]) { xml in
        xml.element("h1", text: XMLText.clean(book.title))
        xml.element("ol") { xml in
          for (index, chapter) in book.chapters.enumerated() {
            xml.element("li") { xml in
              xml.element(
                "a", ["href": "text/\(EPUBPublication.chapterName(index))"],
                text: BookDocuments.name(chapter, index))
            }
          }
        }
      }
    }
  }

  /// The table of contents of EPUB 2.
  func ncx() -> [UInt8] {
    var xml = HTMLWriter()
    xml.raw(BookDocuments.declaration)
    xml.element("ncx", ["xmlns": "http://www.daisy.org/z3986/2005/ncx/", "version": "2005-1"]) {
      xml in
      xml.element("head") { xml in
        xml.element("meta", ["name": "dtb:uid", "content": XMLText.clean(book.identifier)]) { _ in }
      }
      xml.element("docTitle") { $0.element("text", text: XMLText.clean(book.title)) }
      xml.element("navMap") { xml in
        for (index, chapter) in book.chapters.enumerated() {
          xml.element("navPoint", ["id": "point-\(index + 1)", "playOrder": "\(index + 1)"]) {
            xml in
            xml.element("navLabel") {
              $0.element("text", text: BookDocuments.name(chapter, index))
            }
            xml.element("content", ["src": "text/\(EPUBPublication.chapterName(index))"]) { _ in }
          }
        }
      }
    }
    return xml.bytes
  }

  /// Entries of a table of contents must have text.
  private static func name(_ chapter: EPUBPublication.Chapter, _ index: Int) -> String {
    let title = XMLText.clean(chapter.title)
    return title.contains { !$0.isWhitespace } ? title : String(index + 1)
  }

  private func document(
    title: String, language: String, direction: TextDirection, style: String,
    _ body: (inout HTMLWriter) -> Void
  ) -> [UInt8] {
    var xml = HTMLWriter()
    xml.raw(BookDocuments.declaration)
    xml.raw("<!DOCTYPE html>\n")
    let attributes: HTMLWriter.Attributes = [
      "xmlns": "http://www.w3.org/1999/xhtml", "xmlns:epub": "http://www.idpf.org/2007/ops",
      "lang": language, "xml:lang": language, "dir": direction.rawValue,
    ]
    xml.element("html", attributes) { xml in
      xml.element("head") { xml in
        xml.element("meta", ["charset": "utf-8"]) { _ in }
        let name = XMLText.clean(title)
        xml.element("title", text: name.contains { !$0.isWhitespace } ? name : "–")
        xml.element("link", ["rel": "stylesheet", "type": "text/css", "href": style]) { _ in }
      }
      xml.raw("\n")
      xml.element("body", [:], body)
    }
    xml.raw("\n")
    return xml.bytes
  }
}
