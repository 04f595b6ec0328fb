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

  /// Reads the book at a path and writes its pages.
  ///
  /// Missing parts become notes. A file that is not a FictionBook, or exceeds a limit, throws, and
  /// the content of the sink is invalid.
  package func convert(path: String, to sink: any BookSink) throws(EPUBError) -> ConvertedBook {
    let file = try FictionFile(path: path, limits: limits)
    let document = try XMLDocument.ofBook(file.text, named: "the book")
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
    let numbered = NumberedPages(
      frame: frame,
      titles: plan.pages.enumerated().map { index, page in
        page.title.isEmpty ? words.part.filled(String(index + 1)) : page.title
      }, levels: plan.pages.map(\.level))
    try numbered.write(to: sink) { page($0, book, numbered) }
    let covers = covers(root)
    let cover = covers.lazy.compactMap { FictionBookConverter.picture($0, pictures) }.first
    if cover == nil, !covers.isEmpty { book.references.lose("images") }
    if let losses = book.references.lossNote { notes.append(losses) }
    return numbered.book(metadata, coverPath: cover, notes: notes)
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
      guard let kind = ImageFormat.comic(name: "", prefix: Array(bytes.prefix(512))) else {
        notes.append("The image \(binary.id) of the book has an unknown format.")
        continue
      }
      let path = "assets/\(BookReferences.number(written.count + 1)).\(kind.fileExtension)"
      try sink.write(path, bytes)
      written[binary.id] = path
    }
    notes.add(
      unused, "1 file of the book is not used on its pages.",
      "\(unused) files of the book are not used on its pages.")
    for (id, path) in written.sorted(by: { $0.key < $1.key }) {
      written[id.lowercased()] = written[id.lowercased()] ?? path
    }
    return written
  }

  private func page(
    _ index: Int, _ book: FictionPageWriter.Book, _ numbered: NumberedPages
  ) -> [UInt8] {
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
    let title = numbered.titles[index]
    return numbered.frame.page(
      title: title, styles: [], rules: FictionPageWriter.rules,
      previous: neighbour(index, -1, book.plan, numbered),
      next: neighbour(index, 1, book.plan, numbered)
    ) { html in
      if !isTitled { BookFrame.writeTitle(title, &html) }
      html.element("div", ["class": "flow"]) { html in
        html.element("article", ["class": "book"]) { html in
          html.element("div", ["class": "sheet"]) { $0.raw(content) }
        }
      }
    }
  }

  /// Returns the page before or after another; `nil` if either is not in the reading order.
  private func neighbour(
    _ index: Int, _ step: Int, _ plan: FictionPlan, _ numbered: NumberedPages
  ) -> BookFrame.Neighbour? {
    guard let found = numbered.neighbour(index + step), plan.pages[index].isLinear,
      plan.pages[index + step].isLinear
    else { return nil }
    return found
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
