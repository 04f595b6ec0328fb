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
      words, sections, nil, path: ReaderPage.path, title: words.text("library"),
      scripts: LibraryAssets.reader)
    shell.policy = ContentPolicy.reader
    return shell.render { html in
      words.write("h1", "library", with: ["class": "quiet", "id": "reader-title"], &html)
      html.element("div", ["id": "reader", "class": "reader"]) { html in
        words.write("p", "readerNeedsScript", with: ["class": "why"], &html)
        html.element("p") { html in
          html.element("a", ["href": "\(shell.root)\(IndexPage.path)"]) { html in
            html.text("← ")
            words.write("span", "library", &html)
          }
        }
      }
    }
  }
}
