import ArchiverMarkup

/// The page with the table of contents: the book's own, or a list of its pages.
struct ContentsPage {
  let frame: BookFrame
  let references: BookReferences
  let titles: PageTitles
  let plan: [PlannedPage]

  func render(_ ways: BookWays) -> [UInt8] {
    let entries = ways.contents
    let first = plan.indices.first { plan[$0].isLinear } ?? 0
    return frame.page(
      title: frame.words.contents, styles: [], rules: "", previous: nil,
      next: BookFrame.Neighbour(file: plan[first].file, title: titles.title(first))
    ) { html in
      html.element("div", ["class": "book contents"]) { html in
        html.element("h1", ["dir": "auto"], text: frame.book)
        if entries.isEmpty { pages(&html) } else { list(entries, &html) }
        if !ways.landmarks.isEmpty {
          html.element("h2", ["lang": frame.words.language], text: frame.words.landmarks)
          list(ways.landmarks, &html)
        }
        for one in ways.lists {
          html.element("details", ["class": "list"]) { html in
            html.element(
              "summary", one.title.isEmpty ? ["lang": frame.words.language] : ["dir": "auto"],
              text: one.title.isEmpty ? frame.words.landmarks : one.title)
            list(one.children, &html)
          }
        }
        if !ways.pages.isEmpty {
          html.element("details", ["class": "places"]) { html in
            html.element("summary", ["lang": frame.words.language], text: frame.words.pageList)
            list(ways.pages, &html)
          }
        }
      }
    }
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
      html.element("a", ["href": address, "dir": "auto"], text: title)
    } else {
      html.element("span", ["dir": "auto"], text: title)
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
