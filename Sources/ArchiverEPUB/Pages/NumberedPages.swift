import ArchiverMarkup

/// The pages of a book in the order of reading, which are numbered, and its table of contents.
struct NumberedPages {
  let frame: BookFrame
  /// The title of each page.
  let titles: [String]
  /// The level of each page in the table of contents; `nil` if it has no levels.
  var levels: [Int]?

  static func file(_ index: Int) -> String { BookReferences.number(index + 1) + ".html" }

  func neighbour(_ index: Int) -> BookFrame.Neighbour? {
    guard titles.indices.contains(index) else { return nil }
    return BookFrame.Neighbour(file: NumberedPages.file(index), title: titles[index])
  }

  /// Writes the pages, the style sheet and the table of contents.
  func write(to sink: any BookSink, page: (Int) -> [UInt8]) throws(EPUBError) {
    for index in titles.indices { try sink.write("text/" + NumberedPages.file(index), page(index)) }
    try sink.write("style/page.css", Array(BookStyle.sheet.utf8))
    try sink.write("text/" + BookReferences.contents, contents())
  }

  func book(
    _ metadata: BookMetadata, coverPath: String? = nil, notes: [String] = [], damage: String? = nil
  ) -> ConvertedBook {
    ConvertedBook(
      metadata: metadata,
      pages: titles.enumerated().map { index, title in
        ConvertedBook.Page(path: "text/" + NumberedPages.file(index), title: title)
      }, contentsPath: "text/" + BookReferences.contents, coverPath: coverPath, protection: nil,
      notes: notes, damage: damage)
  }

  private func contents() -> [UInt8] {
    frame.page(
      title: frame.words.contents, styles: [], rules: "", previous: nil, next: neighbour(0)
    ) { html in
      html.element("div", ["class": "book contents"]) { html in
        html.element("h1", ["dir": "auto"], text: frame.book)
        html.element("ol") { html in
          for (index, title) in titles.enumerated() {
            let style = levels.map { "margin-inline-start:\($0[index] * 14 / 10)em" }
            html.element("li", ["style": style]) { html in
              html.element("a", ["href": NumberedPages.file(index), "dir": "auto"], text: title)
            }
          }
        }
      }
    }
  }
}
