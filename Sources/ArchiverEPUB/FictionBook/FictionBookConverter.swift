import ArchiverCore
import ArchiverMarkup

/// Converts a FictionBook 2 document, plain or in a ZIP archive, to static pages.
///
/// The output has the form of `EPUBConverter`'s: a page for each section, with long sections
/// divided, and separate pages for the notes, to which the text links.
package struct FictionBookConverter: Sendable {
  package let limits: EPUBLimits
  package let words: BookWords

  package init(limits: EPUBLimits = EPUBLimits(), words: BookWords = BookWords()) {
    self.limits = limits
    self.words = words
  }

  static func file(_ index: Int) -> String { BookReferences.number(index + 1) + ".html" }

  /// Reads the book at a path and writes its pages.
  ///
  /// Missing parts become notes. A file that is not a FictionBook, or exceeds a limit, throws, and
  /// the content of the sink is invalid.
  package func convert(path: String, to sink: any BookSink) throws(EPUBError) -> ConvertedBook {
    let file = try FictionFile(path: path, limits: limits)
    let document = try FictionBookConverter.document(file.text)
    guard let root = document.root, root.name == "FictionBook" else {
      throw EPUBError(.malformed, "the file is not a FictionBook")
    }
    let metadata = BookMetadata(fictionBook: root)
    let name = metadata.title.isEmpty ? words.contents : metadata.title
    let plan = FictionPlan(root, title: name)
    guard !plan.pages.isEmpty else { throw EPUBError(.malformed, "the book has no text") }
    guard plan.pages.count <= limits.pages else {
      throw .limit("the book has \(plan.pages.count) pages", .bookPages, limits.pages)
    }
    var notes = file.notes
    let pictures = try writePictures(file, root, to: sink, notes: &notes)
    let book = FictionPageWriter.Book(
      plan: plan, pictures: pictures, references: BookReferences())
    let frame = BookFrame(
      words: words, book: name,
      language: metadata.language.flatMap { ContentVocabulary.isPlain($0) ? $0 : nil },
      direction: BookFrame.direction(metadata.language), turnsLeft: false)
    for index in plan.pages.indices { try write(index, book, frame, to: sink) }
    try sink.write("style/page.css", Array(BookStyle.sheet.utf8))
    try sink.write("text/" + BookReferences.contents, contents(plan, frame))
    let covers = covers(root)
    let cover = covers.lazy.compactMap { FictionBookConverter.picture($0, pictures) }.first
    if cover == nil, !covers.isEmpty { book.references.lose("images") }
    if let losses = book.references.lossNote { notes.append(losses) }
    return ConvertedBook(
      metadata: metadata,
      pages: plan.pages.indices.map {
        ConvertedBook.Page(path: "text/" + Self.file($0), title: title(plan, $0))
      }, contentsPath: "text/" + BookReferences.contents, coverPath: cover,
      protection: nil, notes: notes)
  }

  private static func document(_ bytes: [UInt8]) throws(EPUBError) -> XMLDocument {
    do throws(MarkupError) {
      guard let bytes = XMLEntities.expanded(bytes) else {
        throw MarkupError(.tooLarge, "its entities are too long")
      }
      return try XMLDocument(XMLRepair.mended(bytes), recovering: true)
    } catch {
      throw EPUBError(.malformed, "the book cannot be read: \(error.message)", underlying: error)
    }
  }

  /// Returns the path of the image that an address names; `nil` if the book has none. The `#` may be missing, and
  /// case may differ.
  static func picture(_ address: String, _ pictures: [String: String]) -> String? {
    let id = String(address.hasPrefix("#") ? address.dropFirst() : address[...])
    return pictures[id] ?? pictures[id.lowercased()]
  }

  /// Writes the images that the book shows; returns their paths by id, also in lower case.
  private func writePictures(
    _ file: FictionFile, _ root: XMLElement, to sink: any BookSink, notes: inout [String]
  ) throws(EPUBError) -> [String: String] {
    var wanted = Set<String>()
    for image in root.descendants("image") {
      guard let address = ChapterWriter.href(image) else { continue }
      wanted.insert((address.hasPrefix("#") ? address.dropFirst() : address[...]).lowercased())
    }
    var written: [String: String] = [:]
    var unused = 0
    for binary in file.binaries where written[binary.id] == nil {
      guard wanted.contains(binary.id.lowercased()) else {
        unused += 1
        continue
      }
      guard let bytes = file.decoded(binary), !bytes.isEmpty else {
        notes.append("The image \(binary.id) of the book is damaged.")
        continue
      }
      guard let kind = ComicPicture(name: "", prefix: Array(bytes.prefix(128))), kind != .svg else {
        notes.append("The image \(binary.id) of the book has an unknown format.")
        continue
      }
      let path = "assets/\(BookReferences.number(written.count + 1)).\(kind.ending)"
      try sink.write(path, bytes)
      written[binary.id] = path
    }
    if unused > 0 {
      notes.append(
        unused == 1
          ? "1 file of the book is not used on its pages."
          : "\(unused) files of the book are not used on its pages.")
    }
    for (id, path) in written.sorted(by: { $0.key < $1.key }) {
      written[id.lowercased()] = written[id.lowercased()] ?? path
    }
    return written
  }

  private func write(
    _ index: Int, _ book: FictionPageWriter.Book, _ frame: BookFrame, to sink: any BookSink
  ) throws(EPUBError) {
    let page = book.plan.pages[index]
    var writer = FictionPageWriter(book)
    let isTitled = page.isTitled
    for part in page.parts {
      switch part {
      case .element(let element):
        // The title of what is a page is of the first level.
        let isWhole = page.parts.count == 1 && element.name != "title"
        writer.write(element, level: isTitled && isWhole ? 0 : 1)
      case .text(let text): writer.write(text)
      }
      writer.endLine()
    }
    let content = writer.html.bytes
    let bytes = frame.page(
      title: title(book.plan, index), styles: [], rules: FictionPageWriter.rules,
      previous: neighbour(book.plan, index, -1), next: neighbour(book.plan, index, 1)
    ) { html in
      if !isTitled { BookFrame.writeTitle(title(book.plan, index), &html) }
      html.element("div", ["class": "flow"]) { html in
        html.element("article", ["class": "book"]) { html in
          html.element("div", ["class": "sheet"]) { $0.raw(content) }
        }
      }
    }
    try sink.write("text/" + Self.file(index), bytes)
  }

  private func title(_ plan: FictionPlan, _ index: Int) -> String {
    let title = plan.pages[index].title
    return title.isEmpty ? words.part.filled(String(index + 1)) : title
  }

  private func neighbour(
    _ plan: FictionPlan, _ index: Int, _ step: Int
  ) -> BookFrame.Neighbour? {
    guard plan.pages[index].isLinear else { return nil }
    let next = index + step
    guard plan.pages.indices.contains(next), plan.pages[next].isLinear else { return nil }
    return BookFrame.Neighbour(file: Self.file(next), title: title(plan, next))
  }

  private func contents(_ plan: FictionPlan, _ frame: BookFrame) -> [UInt8] {
    frame.page(
      title: words.contents, styles: [], rules: "", previous: nil,
      next: BookFrame.Neighbour(file: Self.file(0), title: title(plan, 0))
    ) { html in
      html.element("div", ["class": "book contents"]) { html in
        html.element("h1", ["dir": "auto"], text: frame.book)
        html.element("ol") { html in
          for index in plan.pages.indices {
            html.open(
              "li",
              attributes: [("style", "margin-inline-start:\(plan.pages[index].level * 14 / 10)em")])
            html.element(
              "a", ["href": Self.file(index), "dir": "auto"], text: title(plan, index))
            html.close("li")
          }
        }
      }
    }
  }

  /// Returns the addresses of the cover's images.
  private func covers(_ root: XMLElement) -> [String] {
    // A translated book may have its cover with the facts of the original.
    let images = ["title-info", "src-title-info"].flatMap { name in
      root.child("description")?.child(name)?.child("coverpage")?.children("image") ?? []
    }
    return images.compactMap { ChapterWriter.href($0) }
  }
}
