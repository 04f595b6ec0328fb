import ArchiverCore
import ArchiverMarkup

/// Writes pages for a scanned book: the text of each page, with the images in a PDF.
///
/// The output has the form of `EPUBConverter`'s; the PDF is `assets/0001.pdf`.
package struct ScannedBook: Sendable {
  package let title: String
  /// The text of each page with the line and paragraph breaks of the scan; empty if none was
  /// recognised.
  package let pages: [String]
  /// The path of a PDF with the images of all pages; `nil` without one.
  package let pictures: String?
  package var limits = EPUBLimits()
  package var words = BookWords()

  package init(
    title: String, pages: [String], pictures: String?, limits: EPUBLimits,
    words: BookWords = BookWords()
  ) {
    self.title = title
    self.pages = pages
    self.pictures = pictures
    self.limits = limits
    self.words = words
  }

  private static let picture = "assets/0001.pdf"

  /// Writes the pages. Throws for a book beyond a limit and if the sink fails.
  package func write(to sink: any BookSink) throws(EPUBError) -> ConvertedBook {
    guard !pages.isEmpty else { throw EPUBError(.malformed, "the book has no pages") }
    guard pages.count <= limits.pages else {
      throw .limit("the book has \(pages.count) pages", .bookPages, limits.pages)
    }
    if let pictures { try copy(pictures, to: sink) }
    let frame = BookFrame(
      words: words, book: title.isEmpty ? words.contents : title, language: nil, direction: "ltr",
      turnsLeft: false)
    let numbered = NumberedPages(
      frame: frame, titles: pages.indices.map { words.page.filled(String($0 + 1)) })
    try numbered.write(to: sink) { page($0, numbered) }
    return numbered.book(BookMetadata(title: title))
  }

  private func page(_ index: Int, _ numbered: NumberedPages) -> [UInt8] {
    let name = numbered.titles[index]
    return numbered.frame.page(
      title: name, styles: [], rules: "", previous: numbered.neighbour(index - 1),
      next: numbered.neighbour(index + 1)
    ) { html in
      BookFrame.writeTitle(name, &html)
      html.element("div", ["class": "flow"]) { html in
        html.element("article", ["class": "book"]) { html in
          if pictures != nil {
            html.element("p", ["lang": words.language]) { html in
              html.element(
                "a", ["href": "../\(ScannedBook.picture)#page=\(index + 1)"], text: words.openScan)
            }
          }
          html.element("div", ["class": "sheet", "dir": "auto"]) { write(pages[index], &$0) }
        }
      }
    }
  }

  /// Writes paragraphs, which are separated by empty lines.
  private func write(_ text: String, _ html: inout HTMLWriter) {
    var paragraph: [Substring] = []
    func end(_ html: inout HTMLWriter) {
      guard !paragraph.isEmpty else { return }
      html.element("p", ["dir": "auto"], text: paragraph.joined(separator: " "))
      paragraph = []
    }
    var isEmpty = true
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.allSatisfy(\.isWhitespace) {
        end(&html)
      } else {
        paragraph.append(line)
        isEmpty = false
      }
    }
    end(&html)
    if isEmpty { html.element("p", ["lang": words.language], text: words.noWords) }
  }

  private func copy(_ path: String, to sink: any BookSink) throws(EPUBError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw EPUBError(.damaged, "the page images cannot be opened")
    }
    defer { close(descriptor) }
    do {
      try sink.begin(ScannedBook.picture)
      var total = 0
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { buffer.deallocate() }
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { break }
        total += count
        guard total <= limits.fileBytes else {
          throw EPUBError.limit(
            "the page images are too large", .bookFileSize, limits.fileBytes)
        }
        try sink.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      try sink.end()
    } catch let error as EPUBError {
      throw error
    } catch {
      throw EPUBError.sink(ScannedBook.picture, error)
    }
  }
}
