import ArchiverCore
import ArchiverMarkup

/// The package document (EPUB 3.3, section 5).
struct PackageWriter {
  let book: EPUBPublication

  func document() -> [UInt8] {
    var xml = HTMLWriter()
    xml.raw("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
    let attributes: HTMLWriter.Attributes = [
      "xmlns": "http://www.idpf.org/2007/opf", "version": "3.0", "unique-identifier": "book-id",
    ]
    xml.element("package", attributes) { xml in
      metadata(&xml)
      manifest(&xml)
      spine(&xml)
    }
    xml.raw("\n")
    return xml.bytes
  }

  private func metadata(_ xml: inout HTMLWriter) {
    xml.element("metadata", ["xmlns:dc": "http://purl.org/dc/elements/1.1/"]) { xml in
      xml.element(
        "dc:identifier", ["id": "book-id"], text: XMLText.clean(book.identifier))
      PackageWriter.fact("dc:title", book.title.isEmpty ? "–" : book.title, &xml)
      PackageWriter.fact("dc:language", XMLText.language(book.language), &xml)
      for author in book.authors { PackageWriter.fact("dc:creator", author, &xml) }
      PackageWriter.fact("dc:publisher", book.publisher, &xml)
      PackageWriter.fact("dc:date", book.published.map(UTCTime.text), &xml)
      PackageWriter.fact("dc:description", book.summary, &xml)
      PackageWriter.fact("dc:source", book.source, &xml)
      for subject in book.subjects { PackageWriter.fact("dc:subject", subject, &xml) }
      xml.element(
        "meta", ["property": "dcterms:modified"], text: UTCTime.text(book.modified))
      if let cover = coverID {
        // Reading systems of EPUB 2 find the cover by this element.
        xml.element("meta", ["name": "cover", "content": cover]) { _ in }
      }
    }
  }

  private static func fact(_ name: String, _ value: String?, _ xml: inout HTMLWriter) {
    let text = XMLText.clean(value ?? "")
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    xml.element(name, text: text)
  }

  private var coverID: String? {
    book.pictures.firstIndex { $0.name == book.cover }.map { "picture-\($0 + 1)" }
  }

  private func manifest(_ xml: inout HTMLWriter) {
    xml.element("manifest") { xml in
      item("nav", "nav.xhtml", "application/xhtml+xml", "nav", &xml)
      item("ncx", "toc.ncx", "application/x-dtbncx+xml", nil, &xml)
      item("style", "book.css", "text/css", nil, &xml)
      for (index, chapter) in book.chapters.enumerated() {
        let hasMath = chapter.body.firstIndex(of: "<math") != nil
        item(
          "chapter-\(index + 1)", "text/\(EPUBPublication.chapterName(index))",
          "application/xhtml+xml", hasMath ? "mathml" : nil, &xml)
      }
      for (index, picture) in book.pictures.enumerated() {
        item(
          "picture-\(index + 1)", "images/\(picture.name)", picture.mediaType,
          picture.name == book.cover ? "cover-image" : nil, &xml)
      }
    }
  }

  private func item(
    _ id: String, _ path: String, _ type: String, _ properties: String?, _ xml: inout HTMLWriter
  ) {
    xml.element(
      "item", ["id": id, "href": path, "media-type": type, "properties": properties]
    ) { _ in }
    xml.raw("\n")
  }

  private func spine(_ xml: inout HTMLWriter) {
    xml.element(
      "spine", ["toc": "ncx", "page-progression-direction": book.direction.rawValue]
    ) { xml in
      if book.chapters.count > 1 { xml.element("itemref", ["idref": "nav"]) { _ in } }
      for index in book.chapters.indices {
        xml.element("itemref", ["idref": "chapter-\(index + 1)"]) { _ in }
      }
    }
  }
}
