import ArchiverCore
import ArchiverMarkup

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    for index in pages.indices { try sink.write("text/" + file(index), page(index, frame)) }
    try sink.write("style/page.css", Array(BookStyle.sheet.utf8))
    try sink.write("text/contents.html", contents(frame))
    return ConvertedBook(
      metadata: BookMetadata(title: title),
      pages: pages.indices.map {
        ConvertedBook.Page(path: "text/" + file($0), title: name($0))
      }, contentsPath: "text/contents.html", coverPath: nil, protection: nil, notes: [])
  }

  private func file(_ index: Int) -> String { BookReferences.number(index + 1) + ".html" }

  private func name(_ index: Int) -> String { words.page.filled(String(index + 1)) }

  private func neighbour(_ index: Int) -> BookFrame.Neighbour? {
    guard pages.indices.contains(index) else { return nil }
    return BookFrame.Neighbour(file: file(index), title: name(index))
  }

  private func page(_ index: Int, _ frame: BookFrame) -> [UInt8] {
    frame.page(
      title: name(index), styles: [], rules: "", previous: neighbour(index - 1),
      next: neighbour(index + 1)
    ) { html in
      BookFrame.writeTitle(name(index), &html)
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

  private func contents(_ frame: BookFrame) -> [UInt8] {
    frame.page(
      title: words.contents, styles: [], rules: "", previous: nil, next: neighbour(0)
    ) { html in
      html.element("div", ["class": "book contents"]) { html in
        html.element("h1", ["dir": "auto"], text: frame.book)
        html.element("ol") { html in
          for index in pages.indices {
            html.element("li") { $0.element("a", ["href": file(index)], text: name(index)) }
          }
        }
      }
    }
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
