import ArchiverMarkup
import ArchiverStorage

/// Plain lists of the items of a label or a source, for browsers without scripts and for bookmarks.
///
/// Items are split by the year in which they were saved: the newest items of the last year are on
/// the group's first page, each earlier year has pages of its own. So a new item changes few pages.
struct GroupPages: Sendable {
  static let partSize = 250
  let words: Words
  let sections: [LibraryShell.Section]
  let section: LibraryShell.Section

  /// The filter of the start page that shows a group.
  private var filter: String { section == .labels ? "label" : "source" }

  /// Writes the overview and the pages of groups; `rows` returns those of a group, newest first.
  func write(
    _ counts: [String: Int], to files: SiteFiles, rows: (String) throws -> RowList
  ) throws {
    let names = NaturalOrder.sorted(counts.keys)
    try files.put(section.path, overview(names, counts))
    for name in names { try files.put(pages(name, try rows(name))) }
  }

  private func overview(_ names: [String], _ counts: [String: Int]) -> [UInt8] {
    let shell = LibraryShell(words, sections, section)
    return shell.render { html in
      words.write("h1", section.rawValue, &html)
      if section == .sources {
        // A script shows the status of each source.
        html.element("div", ["id": "health", "class": "health"]) { _ in }
      }
      if names.isEmpty {
        words.write(
          "p", section == .labels ? "noLabels" : "emptyTitle", with: ["class": "why"], &html)
      }
      html.element("ul", ["class": "index"]) { html in
        for name in names {
          html.element("li") { html in
            let path = LabelName.path(name, in: section)
            html.element("a", ["href": shell.root + path, "dir": "auto"], text: name)
            words.writeCount(counts[name] ?? 0, &html)
          }
        }
      }
    }
  }

  /// The items of one year.
  private struct Part: Sendable {
    let year: Int
    /// The number of the page, as in `PageParts`.
    let number: Int?
    let path: String
    let rows: RowList

    var name: String { number.map { "\(year) (\($0))" } ?? String(year) }
  }

  private func pages(_ name: String, _ rows: RowList) -> [SiteFiles.Page] {
    let parts = parts(name, rows)
    return parts.enumerated().map { index, part in
      var key = PageKey(words, sections)
      for text in [section.rawValue, name] + parts.map(\.path) { key.add(text) }
      key.add(index)
      key.add(part.rows)
      return SiteFiles.Page(path: part.path, key: key.value) { try page(name, parts, index) }
    }
  }

  private func parts(_ name: String, _ rows: RowList) -> [Part] {
    let start = LabelName.path(name, in: section).dropLast(5)
    var parts: [Part] = []
    for (year, rows) in rows.runs(by: { CivilDate($0.day).year }) {
      for part in PageParts.of(rows.count, size: GroupPages.partSize) {
        let mark = part.number.map { "-\(year)-\($0)" } ?? (parts.isEmpty ? "" : "-\(year)")
        parts.append(
          Part(
            year: year, number: part.number, path: "\(start)\(mark).html",
            rows: rows.dropFirst(part.range.lowerBound).prefix(part.range.count)))
      }
    }
    return parts
  }

  private func page(_ name: String, _ parts: [Part], _ current: Int) throws -> [UInt8] {
    let part = parts[current]
    let rows = try part.rows.loaded()
    let shell = LibraryShell(words, sections, section, path: part.path, title: name)
    return shell.render { html in
      html.element(
        "h1", ["dir": "auto", "data-view": "\(filter)=\(SiteText.fragment(name))"],
        text: parts.count > 1 ? "\(name) \(part.name)" : name)
      words.writeYears(parts.map { ($0.path, $0.name) }, current: current, shell.root, &html)
      ItemList(words: words, root: shell.root).write(rows, as: .lines, &html)
    }
  }
}
