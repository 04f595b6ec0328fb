import ArchiverCore
import ArchiverMarkup

/// Writes the pages of a comic whose pictures are in the sink.
struct ComicPages {
  /// In the order in which they are read.
  let pictures: [ComicGathering.Picture]
  let info: ComicInfo?
  let frame: BookFrame

  func write(
    to sink: any BookSink, notes: [String], damage: String?
  ) throws(EPUBError) -> ConvertedBook {
    for index in pictures.indices { try sink.write("text/" + file(index), page(index)) }
    try sink.write("style/page.css", Array(BookStyle.sheet.utf8))
    try sink.write("text/contents.html", contents())
    var metadata = info?.metadata ?? BookMetadata(title: "")
    if metadata.title.isEmpty { metadata.title = frame.book }
    return ConvertedBook(
      metadata: metadata,
      pages: pictures.indices.map {
        ConvertedBook.Page(path: "text/" + file($0), title: title($0))
      }, contentsPath: "text/contents.html", coverPath: cover, protection: nil, notes: notes,
      damage: damage)
  }

  private func file(_ index: Int) -> String { BookReferences.number(index + 1) + ".html" }

  /// The number, and what the comic says of the page.
  private func title(_ index: Int) -> String {
    let number = frame.words.page.filled(String(index + 1))
    guard let page = info?.pages[index] else { return number }
    let more = page.bookmark ?? page.type.map { frame.words.comicPages[$0] ?? $0 }
    return more.map { "\(number): \($0)" } ?? number
  }

  /// The page that the comic calls its cover, else the first, if browsers show it.
  private var cover: String? {
    let named = pictures.indices.first { info?.pages[$0]?.type == "FrontCover" }
    return ([named].compactMap { $0 } + Array(pictures.indices)).lazy.map { pictures[$0] }
      .first { $0.output != nil && $0.problem == nil && $0.kind.foreignName == nil }?.output
  }

  private func page(_ index: Int) -> [UInt8] {
    let picture = pictures[index]
    let title = title(index)
    return frame.page(
      title: title, styles: [], rules: "", previous: neighbour(index - 1),
      next: neighbour(index + 1)
    ) { html in
      html.element("div", ["class": "book whole"]) { html in
        if let problem = picture.problem {
          html.element(
            "p", ["class": "absent", "lang": frame.words.language],
            text: frame.words.unreadable.filled(problem))
        }
        guard let output = picture.output else { return }
        let address = "../" + output
        if let kind = picture.kind.foreignName { foreign(kind, address, &html) }
        html.element("div", ["class": "sheet"]) {
          $0.void("img", ["src": address, "alt": title])
        }
      }
    }
  }

  private func foreign(_ kind: String, _ address: String, _ html: inout HTMLWriter) {
    html.element("p", ["lang": frame.words.language]) { html in
      html.element("a", ["href": address], text: frame.words.openPicture.filled(kind))
    }
  }

  private func neighbour(_ index: Int) -> BookFrame.Neighbour? {
    guard pictures.indices.contains(index) else { return nil }
    return BookFrame.Neighbour(file: file(index), title: title(index))
  }

  private func contents() -> [UInt8] {
    frame.page(
      title: frame.words.contents, styles: [], rules: "", previous: nil, next: neighbour(0)
    ) { html in
      html.element("div", ["class": "book contents"]) { html in
        html.element("h1", ["dir": "auto"], text: frame.book)
        html.element("ol") { html in
          for index in pictures.indices {
            html.element("li") { html in
              html.element("a", ["href": file(index), "dir": "auto"], text: title(index))
            }
          }
        }
      }
    }
  }
}
