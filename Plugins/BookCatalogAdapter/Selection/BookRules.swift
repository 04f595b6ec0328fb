import ArchiverCore

/// Which files of a book are fetched, and which books are issues of a magazine.
struct BookRules: Sendable {
  let formats: [BookFormat]
  let takesAll: Bool
  let magazines: [String]

  /// Returns the files to fetch, preferred first.
  func files(of entry: CatalogEntry) -> [CatalogLink] {
    let ranked = candidates(of: entry)
    return takesAll ? ranked : Array(ranked.prefix(1))
  }

  /// Returns the files that may be fetched, one per format, preferred first.
  func candidates(of entry: CatalogEntry) -> [CatalogLink] {
    let downloads = entry.links.filter { $0.isDownload && WebURL($0.address) != nil }
    var seen = Set<String>()
    return downloads.enumerated().sorted { one, other in
      (rank(one.element), one.offset) < (rank(other.element), other.offset)
    }.map(\.element).filter { link in
      seen.insert(BookFormat(link)?.rawValue ?? link.address).inserted
    }
  }

  /// Returns the downloads whose links are no `http` or `https` URLs.
  func unreachable(in entry: CatalogEntry) -> [CatalogLink] {
    entry.links.filter { $0.isDownload && WebURL($0.address) == nil }
  }

  /// Returns a mark of the files to fetch if settings change the selection, else an empty string.
  /// As part of the revision it makes a change of settings a change of the affected books.
  func mark(of entry: CatalogEntry) -> String {
    let usual = BookRules(formats: BookFormat.preferred, takesAll: false, magazines: [])
    let taken = files(of: entry).map(\.address)
    if taken == usual.files(of: entry).map(\.address) { return "" }
    return " " + Fingerprint.text(taken.joined(separator: " "))
  }

  private func rank(_ link: CatalogLink) -> Int {
    guard let format = BookFormat(link) else { return BookFormat.allCases.count * 2 }
    return formats.firstIndex(of: format)
      ?? BookFormat.allCases.count + (BookFormat.allCases.firstIndex(of: format) ?? 0)
  }

  /// Returns the magazine that the book is an issue of; `nil` for other books.
  func periodical(_ entry: CatalogEntry) -> CatalogEntry.Series? {
    if let periodical = entry.periodical {
      return periodical.name == entry.title ? BookRules.issue(entry.title) : periodical
    }
    let marks = Set(["magazine", "magazines", "newspaper", "newspapers", "periodical", "news"])
      .union(magazines.map { $0.lowercased() })
    let isMarked =
      entry.subjects.contains { marks.contains($0.lowercased()) }
      || entry.series.map { marks.contains($0.name.lowercased()) } ?? false
      || entry.feed.map { marks.contains($0.lowercased()) } ?? false
    return isMarked ? entry.series ?? BookRules.issue(entry.title) : nil
  }

  private static func issue(_ title: String) -> CatalogEntry.Series {
    let parts = IssueTitle(title)
    return CatalogEntry.Series(name: parts.name, position: parts.issue)
  }
}
