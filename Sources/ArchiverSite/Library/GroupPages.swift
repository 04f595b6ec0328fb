import ArchiverMarkup
import ArchiverStorage

/// Plain lists of the items of a label or a source, for browsers without scripts and for bookmarks.
///
/// A group's items are shown by the year in which they were saved: the last year's on the group's
/// own page, each earlier year on one of its own, so that a new item changes one page.
struct GroupPages {
  let words: Words
  let sections: [LibraryShell.Section]
  let section: LibraryShell.Section
  /// Returns the path of a group's page.
  let path: (String) -> String

  /// A file of the library.
  struct Page {
    let path: String
    let bytes: [UInt8]
  }

  /// Hands the overview and the pages of groups to `put`, one at a time; the rows of each group
  /// are sorted newest first.
  func write(
    _ groups: [String: [LibraryRow]], _ put: (Page) throws(StorageError) -> Void
  ) throws(StorageError) {
    let names = groups.keys.sorted { one, other in
      let (a, b) = (one.lowercased(), other.lowercased())
      return a != b ? a < b : one < other
    }
    try put(Page(path: section.path, bytes: overview(names, groups)))
    for name in names {
      for page in pages(name, groups[name] ?? []) { try put(page) }
    }
  }

  private func overview(_ names: [String], _ groups: [String: [LibraryRow]]) -> [UInt8] {
    let title = words.text(section.rawValue)
    let shell = LibraryShell(words, sections, path: section.path, title: title, section: section)
    return shell.render { html in
      html.element("h1", ["data-w": section.rawValue], text: title)
      if names.isEmpty {
        let key = section == .labels ? "noLabels" : "emptyTitle"
        html.element("p", ["class": "why", "data-w": key], text: words.text(key))
      }
      html.element("ul", ["class": "index"]) { html in
        for name in names {
          html.element("li") { html in
            html.element("a", ["href": shell.root + path(name), "dir": "auto"], text: name)
            words.writeCount(groups[name]?.count ?? 0, &html)
          }
        }
      }
    }
  }

  private func pages(
    _ name: String, _ rows: [LibraryRow]
  ) -> some Sequence<Page> {
    let years = Dictionary(grouping: rows) { CivilDate($0.saved).year }
    let order = years.keys.sorted(by: >)
    return order.enumerated().lazy.map { index, year in
      let file = yearPath(name, index == 0 ? nil : year)
      let shell = LibraryShell(words, sections, path: file, title: name, section: section)
      let bytes = shell.render { html in
        html.element("h1", ["dir": "auto"], text: order.count > 1 ? "\(name) \(year)" : name)
        yearLinks(name, order, current: index, shell.root, &html)
        ItemList(words: words, root: shell.root).write(years[year] ?? [], as: .lines, &html)
      }
      return Page(path: file, bytes: bytes)
    }
  }

  private func yearPath(_ name: String, _ year: Int?) -> String {
    guard let year else { return path(name) }
    return "\(path(name).dropLast(5))-\(year).html"
  }

  private func yearLinks(
    _ name: String, _ years: [Int], current: Int, _ root: String, _ html: inout HTMLWriter
  ) {
    guard years.count > 1 else { return }
    html.element("nav", ["aria-label": words.text("year")]) { html in
      html.element("ul", ["class": "sections"]) { html in
        for (index, year) in years.enumerated() {
          html.element("li") { html in
            html.element(
              "a",
              [
                "href": root + yearPath(name, index == 0 ? nil : year),
                "aria-current": index == current ? "page" : nil,
              ], text: String(year))
          }
        }
      }
    }
  }
}
