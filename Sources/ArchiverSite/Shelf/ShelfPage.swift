import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// `library/books.html`: covers, series in order, and links to the books. A script searches, filters and sorts them.
struct ShelfPage {
  static let path = "library/books.html"
  let words: Words
  let sections: [LibraryShell.Section]

  func page(_ books: [ShelfBook], _ standing: QueueStanding) -> [UInt8] {
    let shell = LibraryShell(words, sections, .books, scripts: ["shelf.js"])
    return shell.render { html in
      words.write("h1", "books", &html)
      words.write("p", "itemCount", with: ["class": "total"], number: books.count, &html)
      html.element("div", ["id": "shelf-tools", "class": "filters"]) { _ in }
      let series = Dictionary(grouping: books.filter { $0.place != nil }) { $0.place?.name ?? "" }
      // A single book is not shown as a series, but a single issue is shown under its magazine.
      let shown = series.filter { $0.value.count > 1 || $0.value[0].row.kind == .periodical }
      for name in shown.keys.sorted(by: ShelfPage.isBefore) {
        html.element("h2", ["dir": "auto"], text: name)
        list(ShelfPage.inOrder(shown[name] ?? []), shell.root, isSeries: true, &html)
      }
      let others = books.filter { shown[$0.place?.name ?? ""] == nil }
      if !shown.isEmpty, !others.isEmpty {
        words.write("h2", "otherBooks", &html)
      }
      if !others.isEmpty { list(ShelfPage.byTitle(others), shell.root, isSeries: false, &html) }
      absent(standing, &html)
    }
  }

  /// Writes the books of the catalogs that the archive lacks, with the reasons.
  private func absent(_ standing: QueueStanding, _ html: inout HTMLWriter) {
    guard !standing.absent.isEmpty else { return }
    words.write("h2", "absentBooks", with: ["id": "absent"], &html)
    html.element("ul", ["class": "absent-books"]) { html in
      for item in standing.absent {
        html.raw("\n")
        html.element("li") { html in
          html.element("span", ["dir": "auto"], text: item.title.isEmpty ? item.key.id : item.title)
          html.text(" ")
          words.write("span", item.status.word, with: ["class": "state"], &html)
          if item.status == .failed, let message = item.state.message, !message.isEmpty {
            html.element("p", ["class": "why", "dir": "auto"], text: message)
          }
        }
      }
    }
    let more = standing.absentCount - standing.absent.count
    guard more > 0 else { return }
    words.write("p", "moreBooks", with: ["class": "total"], number: more, &html)
  }

  private static func isBefore(_ one: String, _ other: String) -> Bool {
    let (a, b) = (one.lowercased(), other.lowercased())
    return a != b ? a < b : one < other
  }

  private static func byTitle(_ books: [ShelfBook]) -> [ShelfBook] {
    books.sorted { one, other in
      one.row.title != other.row.title
        ? isBefore(one.row.title, other.row.title) : one.row.folder < other.row.folder
    }
  }

  /// Sorts by position in the series, then by date.
  private static func inOrder(_ books: [ShelfBook]) -> [ShelfBook] {
    byTitle(books).sorted { one, other in
      guard let first = one.place, let second = other.place else { return other.place == nil }
      return SeriesPlace.isBefore(first, second)
    }
  }

  private func list(
    _ books: [ShelfBook], _ root: String, isSeries: Bool, _ html: inout HTMLWriter
  ) {
    html.element("ol", ["class": "shelf"]) { html in
      for book in books {
        html.raw("\n")
        html.element("li", attributes(book)) { entry(book, root, isSeries, &$0) }
      }
    }
  }

  /// Returns the attributes by which the script filters and sorts.
  private func attributes(_ book: ShelfBook) -> HTMLWriter.Attributes {
    let row = book.row
    let isUnread = !row.isDone && row.readProgress < 100
    let states = [
      "unread": isUnread, "done": row.isDone, "favourite": row.isFavourite,
      "highlighted": row.highlightCount > 0,
    ]
    let language = row.language?.lowercased().prefix { $0 != "-" && $0 != "_" }
    return [
      "class": "item", "data-kind": row.kind.rawValue, "data-lang": language.map(String.init),
      "data-format": book.formats.isEmpty
        ? nil : book.formats.map(\.rawValue).joined(separator: " "),
      "data-saved": String(ItemData.time(row.saved, unit: 60)),
      "data-state": states.filter(\.value).keys.sorted().joined(separator: " "),
    ]
  }

  private func entry(
    _ book: ShelfBook, _ root: String, _ isSeries: Bool, _ html: inout HTMLWriter
  ) {
    let row = book.row
    ItemList(words: words, root: root).picture(row, &html)
    if book.isOutdated {
      words.write("p", ItemStatus.outdated.word, with: ["class": "flag"], &html)
    }
    html.element("div", ["class": "said"]) { html in
      html.element("h2") { html in
        html.link(toItem: row.folder, root, language: row.language, text: row.title)
      }
      if !row.authors.isEmpty {
        html.element("p", ["class": "site"]) { html in
          html.element("bdi", text: row.authors.joined(separator: ", "))
        }
      }
      html.element("p", ["class": "facts"]) { facts(book, root, isSeries, &$0) }
    }
  }

  private func facts(
    _ book: ShelfBook, _ root: String, _ isSeries: Bool, _ html: inout HTMLWriter
  ) {
    if book.row.kind == .periodical, let published = book.row.published {
      words.writeTime(published, &html)
    }
    // The list of a series shows only the position in it; other lists show the series too.
    if let place = book.place {
      // A long name of an issue is part of its title.
      let position = place.position.flatMap { $0.count <= 6 ? "#\($0)" : nil }
      let words = [isSeries ? nil : place.name, position].compactMap { $0 }
      if !words.isEmpty {
        html.element("span", ["class": "count"]) {
          $0.element("bdi", text: words.joined(separator: " "))
        }
      }
    }
    if book.row.kind != .book {
      words.write("span", "kind.\(book.row.kind.rawValue)", &html)
    }
    if let word = book.row.standingWord {
      words.write("span", word, &html)
    }
    guard let path = book.readPath else { return }
    words.write("a", "read", with: ["class": "button", "href": root + SiteText.path(path)], &html)
  }
}
