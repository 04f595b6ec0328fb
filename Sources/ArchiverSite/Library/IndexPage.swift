import ArchiverMarkup
import ArchiverStorage

/// `index.html` at the root of the archive: the newest items.
struct IndexPage {
  static let path = "index.html"
  static let itemCount = 48
  let words: Words
  let sections: [LibraryShell.Section]

  func page(_ rows: [LibraryRow], months: [DatePages.Part]) -> [UInt8] {
    let shell = LibraryShell(
      words, sections, path: IndexPage.path, title: words.text("library"), section: .items,
      scripts: LibraryAssets.app)
    return shell.render { html in
      html.element("h1", ["class": "quiet", "data-w": "library"], text: words.text("library"))
      html.element("div", ["id": "health", "class": "health"]) { sources(rows, &$0) }
      if rows.isEmpty {
        empty(&html)
      } else {
        list(rows, months, &html)
      }
    }
  }

  /// What can be said of the sources without script, until it knows better.
  private func sources(_ rows: [LibraryRow], _ html: inout HTMLWriter) {
    let census = RowCensus(rows, \.origin)
    let counts = census.names { [$0.source] }
    guard !counts.isEmpty else { return }
    let sums = census.sums(rows, \.byteCount) { [$0.source] }
    html.element("ul", ["aria-label": words.text("health")]) { html in
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        html.element("li", ["class": "source"]) { html in
          html.element("strong", text: name)
          html.text(" \(words.count(count)) · ")
          html.text(words.bytes(sums[name] ?? 0))
        }
      }
    }
  }

  private func list(_ rows: [LibraryRow], _ months: [DatePages.Part], _ html: inout HTMLWriter) {
    html.element("div", ["id": "app"]) { html in
      html.element(
        "p",
        [
          "class": "total", "data-w": rows.count == 1 ? "oneItem" : "itemCount",
          "data-n": String(rows.count),
        ], text: words.count(rows.count))
      ItemList(words: words, root: "").write(rows.prefix(IndexPage.itemCount), &html)
      html.element("nav", ["class": "turn"]) { html in
        guard rows.count > IndexPage.itemCount,
          let month = months.first(where: { part in
            part.rows.endIndex > IndexPage.itemCount
          })
        else { return }
        html.element("a", ["href": month.path, "rel": "next"]) { html in
          html.element("span", ["data-w": "older"], text: words.text("older"))
          html.text(" →")
        }
      }
    }
  }

  private func empty(_ html: inout HTMLWriter) {
    html.element("div", ["class": "empty"]) { html in
      html.element("h2", ["data-w": "emptyTitle"], text: words.text("emptyTitle"))
      html.element("p", ["data-w": "emptyText"], text: words.text("emptyText"))
      html.element("pre") { $0.element("code", text: "archiver run --source readeck --max 20") }
    }
  }
}
