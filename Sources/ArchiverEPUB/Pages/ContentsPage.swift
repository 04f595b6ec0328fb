import ArchiverMarkup

/// The page with the table of contents: the book's own, or a list of its pages.
struct ContentsPage {
  let frame: BookFrame
  let references: BookReferences
  let titles: PageTitles
  let plan: [PlannedPage]

  /// - Parameter own: The page with the book's own table of contents, if it has more than lists.
  func render(_ ways: BookWays, own: String? = nil) -> [UInt8] {
    let entries = ways.contents
    let first = plan.indices.first { plan[$0].isLinear } ?? 0
    return frame.page(
      title: frame.words.contents, styles: [], rules: "", previous: nil,
      next: BookFrame.Neighbour(file: plan[first].file, title: titles.title(first))
    ) { html in
      html.element("div", ["class": "book contents"]) { html in
        html.element("h1", ["dir": "auto"], text: frame.book)
        if let heading = ways.headings.contents, heading != frame.book {
          html.element("h2", ["dir": "auto"], text: heading)
        }
        if entries.isEmpty { pages(&html) } else { list(entries, &html) }
        if !ways.landmarks.isEmpty {
          title("h2", ways.headings.landmarks, frame.words.landmarks, &html)
          list(ways.landmarks, &html)
        } else {
          emptyList(ways.headings.landmarks, &html)
        }
        for one in ways.lists {
          guard !one.children.isEmpty else {
            emptyList(one.title, &html)
            continue
          }
          html.element("details", ["class": "list"]) { html in
            title("summary", one.title, frame.words.landmarks, &html)
            list(one.children, &html)
          }
        }
        if !ways.pages.isEmpty {
          html.element("details", ["class": "places"]) { html in
            title("summary", ways.headings.pages, frame.words.pageList, &html)
            list(ways.pages, &html)
          }
        } else {
          emptyList(ways.headings.pages, &html)
        }
        if let own {
          html.element("p", ["lang": frame.words.language]) { html in
            html.element("a", ["href": own], text: frame.words.ownContents)
          }
        }
      }
    }
  }

  /// Writes the title of a list without entries, if it has one.
  private func emptyList(_ title: String?, _ html: inout HTMLWriter) {
    guard let title, !title.isEmpty else { return }
    html.element("p", ["dir": "auto"], text: title)
  }

  /// Writes the title of a list, or ours if the book has none.
  private func title(
    _ name: String, _ title: String?, _ ours: String, _ html: inout HTMLWriter
  ) {
    guard let title, !title.isEmpty else {
      return html.element(name, ["lang": frame.words.language], text: ours)
    }
    html.element(name, ["dir": "auto"], text: title)
  }

  private func list(_ entries: [ContentsEntry], _ html: inout HTMLWriter) {
    html.element("ol") { html in
      for entry in entries {
        html.element("li") { html in
          line(entry, &html)
          if !entry.children.isEmpty { list(entry.children, &html) }
        }
      }
    }
  }

  private func line(_ entry: ContentsEntry, _ html: inout HTMLWriter) {
    let title = entry.title.isEmpty ? "…" : entry.title
    let address = entry.target.flatMap { target -> String? in
      guard let page = references.page(of: target.path) else { return nil }
      return page + (target.fragment.flatMap(BookIdentifier.fragment).map { "#" + $0 } ?? "")
    }
    if let address {
      html.element("a", ["href": address, "dir": "auto", "title": entry.hint], text: title)
    } else {
      html.element("span", ["dir": "auto", "title": entry.hint], text: title)
    }
  }

  private func pages(_ html: inout HTMLWriter) {
    html.element("ol") { html in
      for index in plan.indices {
        html.element("li") { html in
          html.element("a", ["href": plan[index].file], text: titles.title(index))
        }
      }
    }
  }
}
