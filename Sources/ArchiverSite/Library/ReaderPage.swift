import ArchiverMarkup

/// `library/read.html#at=FOLDER&…`: a bundle in a frame without scripts, with features that a
/// bundle cannot have: keys for the next and previous item, a chosen theme, a remembered position.
///
/// The rest of the hash is the view of `index.html` whose list is paged through. Pages without
/// scripts do not link here; for them this page links back.
struct ReaderPage {
  static let path = "library/read.html"
  let words: Words
  let sections: [LibraryShell.Section]

  func page() -> [UInt8] {
    var shell = LibraryShell(
      words, sections, path: ReaderPage.path, title: words.text("library"), section: nil,
      scripts: LibraryAssets.reader)
    shell.policy = ContentPolicy.reader
    return shell.render { html in
      html.element("h1", ["class": "quiet", "id": "reader-title", "data-w": "library"]) {
        $0.text(words.text("library"))
      }
      html.element("div", ["id": "reader", "class": "reader"]) { html in
        html.element("p", ["class": "why", "data-w": "readerNeedsScript"]) {
          $0.text(words.text("readerNeedsScript"))
        }
        html.element("p") { html in
          html.element("a", ["href": "\(shell.root)\(IndexPage.path)"]) { html in
            html.text("← ")
            html.element("span", ["data-w": "library"], text: words.text("library"))
          }
        }
      }
    }
  }
}
