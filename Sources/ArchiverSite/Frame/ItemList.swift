import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Writes items as a list.
struct ItemList {
  let words: Words
  /// The relative path from the page to the archive's folder.
  let root: String

  /// The layout of a list; the style sheet uses the same names.
  enum Look: String {
    case cards
    case lines = "list"
  }

  func write(
    _ rows: some Sequence<LibraryRow>, as look: Look = .cards, _ html: inout HTMLWriter
  ) {
    html.element("ol", ["class": "items \(look.rawValue)"]) { html in
      for row in rows {
        html.raw("\n")
        card(row, &html)
      }
    }
  }

  private func card(_ row: LibraryRow, _ html: inout HTMLWriter) {
    html.element("li", ["class": "item"]) { html in
      picture(row, &html)
      html.element("div", ["class": "said"]) { html in
        if let site = row.site {
          html.element("p", ["class": "site"]) { $0.element("bdi", text: site) }
        }
        html.element("h2") { html in
          html.link(toItem: row.folder, root, language: row.language, text: row.title)
        }
        facts(row, &html)
        labels(row, &html)
      }
    }
  }

  /// Writes the cover image, or else a tile with the first letter in a colour derived from the
  /// site.
  func picture(_ row: LibraryRow, _ html: inout HTMLWriter) {
    guard let thumbnail = row.thumbnail else {
      html.element(
        "span", ["class": "cover tile hue\(Tile.hue(row))", "aria-hidden": "true"],
        text: Tile.letter(row))
      return
    }
    html.element("span", ["class": Tile.isWhole(thumbnail) ? "cover whole" : "cover"]) { html in
      html.void(
        "img",
        [
          "src": root + SiteText.path("\(row.folder)/\(thumbnail.path)"), "alt": "",
          "width": thumbnail.width.map(String.init), "height": thumbnail.height.map(String.init),
          "loading": "lazy", "decoding": "async",
        ])
    }
  }

  private func facts(_ row: LibraryRow, _ html: inout HTMLWriter) {
    html.element("p", ["class": "facts"]) { html in
      words.writeTime(row.saved, &html)
      if row.kind != .article { words.write("span", "kind.\(row.kind.rawValue)", &html) }
      if row.minutes > 0 { words.write("span", "minutes", value: String(row.minutes), &html) }
      if row.isFavourite {
        html.element(
          "span",
          [
            "class": "star", "role": "img", "aria-label": words.text("favourite"),
            "data-label": "favourite",
          ], text: "★")
      }
      if row.isDone { words.write("span", "done", &html) }
      if let word = row.standingWord { words.write("span", word, &html) }
      if row.status != .complete { words.write("span", row.status.word, &html) }
    }
  }

  private func labels(_ row: LibraryRow, _ html: inout HTMLWriter) {
    guard !row.labels.isEmpty else { return }
    html.element("ul", ["class": "labels"]) { html in
      for label in row.labels {
        html.element("li") { html in
          html.element(
            "a", ["href": "\(root)\(LabelName.path(label))", "dir": "auto"], text: label)
        }
      }
    }
  }
}

extension ItemStatus {
  /// The key of the localised string for the status.
  var word: String { "status.\(rawValue)" }
}

/// The SVG placeholder of a missing image.
enum Tile {
  static let hueCount = 12

  /// Whether the image is shown uncropped: cropping would remove too much of it. A cover taken from
  /// a book, whose size is unknown, is nearly always an upright page.
  static func isWhole(_ picture: CatalogItem.Thumbnail) -> Bool {
    guard let width = picture.width, let height = picture.height, width > 0, height > 0
    else { return picture.path.hasPrefix("book/") }
    return !(1.3...2.4).contains(Double(width) / Double(height))
  }

  /// Returns one of `hueCount` colours, the same for all items of a site.
  static func hue(_ row: LibraryRow) -> Int {
    Int(Fingerprint.of(row.host ?? row.site ?? row.source) % UInt64(hueCount))
  }

  /// Returns the first letter or digit of the title.
  static func letter(_ row: LibraryRow) -> String {
    row.title.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "·"
  }
}
