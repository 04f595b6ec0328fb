import ArchiverCore

/// Which files of a book are fetched, and which books are issues of a magazine.
struct BookRules: Sendable {
  let formats: [BookFormat]
  let takesAll: Bool
  let magazines: [String]

  /// The maximum number of alternatives of a book that are tried.
  private static let mostTried = 20
  /// The maximum number of parts of an audiobook.
  private static let mostParts = 1_000

  /// Returns the files to fetch, preferred first.
  func files(of entry: CatalogEntry) -> [CatalogLink] {
    let candidates = candidates(of: entry)
    return takesAll ? Array(candidates.joined()) : candidates.first ?? []
  }

  /// Returns the alternatives to try, preferred first: the first of each format if every format is
  /// wanted, else those of which the first available one is taken.
  func candidates(of entry: CatalogEntry) -> [[CatalogLink]] {
    let alternatives = alternatives(of: entry)
    guard takesAll else { return Array(alternatives.prefix(BookRules.mostTried)) }
    var formats = Set<String>()
    return alternatives.filter { files in
      guard let link = files.first else { return false }
      return formats.insert(BookFormat(link)?.rawValue ?? link.address).inserted
    }
  }

  /// Returns all that may be fetched, preferred first. Each alternative is one file, or the files of one
  /// format of an audiobook, which are its parts.
  private func alternatives(of entry: CatalogEntry) -> [[CatalogLink]] {
    let ranked = BookRules.downloads(of: entry).enumerated().sorted { one, other in
      (rank(one.element), one.offset) < (rank(other.element), other.offset)
    }.map(\.element)
    var alternatives: [[CatalogLink]] = []
    var audiobooks: [String: Int] = [:]
    for link in ranked {
      guard BookRules.isPart(link) else {
        alternatives.append([link])
        continue
      }
      let format = BookRules.format(of: link)
      if let place = audiobooks[format] {
        if alternatives[place].count < BookRules.mostParts { alternatives[place].append(link) }
      } else {
        audiobooks[format] = alternatives.count
        alternatives.append([link])
      }
    }
    return alternatives
  }

  /// Returns the files that are left out because others of the same format are taken.
  func omitted(besides files: [CatalogLink], of entry: CatalogEntry) -> [CatalogLink] {
    let formats = Set(files.map(BookRules.format))
    let taken = Set(files.map(\.address))
    return BookRules.downloads(of: entry).filter { link in
      formats.contains(BookRules.format(of: link)) && !taken.contains(link.address)
    }
  }

  /// Returns the downloads with `http` or `https` URLs, each URL once.
  private static func downloads(of entry: CatalogEntry) -> [CatalogLink] {
    var addresses = Set<String>()
    return entry.links.filter { link in
      link.isDownload && WebURL(link.address) != nil && addresses.insert(link.address).inserted
    }
  }

  /// Returns the name of a file's format; the media type of another than a book's.
  static func format(of link: CatalogLink) -> String {
    BookFormat(link)?.rawValue ?? link.media.name
  }

  /// Whether a file belongs to an audiobook, whose files of one format are its parts.
  private static func isPart(_ link: CatalogLink) -> Bool {
    guard let format = BookFormat(link) else { return link.media.name.hasPrefix("audio/") }
    return format == .mp3 || format == .m4b
  }

  /// Whether a file is a part of the audiobook that consists of these files.
  static func isPart(_ link: CatalogLink, of files: [CatalogLink]) -> Bool {
    isPart(link) && files.contains { format(of: $0) == format(of: link) }
  }

  /// Returns the downloads whose links are no `http` or `https` URLs.
  func unreachable(in entry: CatalogEntry) -> [CatalogLink] {
    entry.links.filter { $0.isDownload && WebURL($0.address) == nil }
  }

  /// Returns a mark of the files to fetch if they are others than the one of the default settings, else
  /// an empty string. As part of the revision it makes a change of settings, or of the parts of an
  /// audiobook, a change of the affected books.
  func mark(of entry: CatalogEntry) -> String {
    let usual = BookRules(formats: BookFormat.preferred, takesAll: false, magazines: [])
    let taken = files(of: entry).map(\.address)
    if taken == usual.files(of: entry).prefix(1).map(\.address) { return "" }
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
