import ArchiverMarkup

/// What entries of Atom feeds may contain.
enum AtomVocabulary {
  /// The maximum number of characters of a name to report.
  static let longestName = 60

  /// Returns the names of an entry's elements that have text, are not read, and are in no vocabulary that
  /// catalogs are known to use.
  static func unknown(in entry: XMLElement) -> [String] {
    entry.children.filter { element in
      !read.contains(element.name) && !ignored.contains(element.name)
        && !isKnown(element.namespace ?? "") && !element.words.isEmpty
    }.map { String($0.name.prefix(longestName)) }
  }

  private static func isKnown(_ namespace: String) -> Bool {
    namespaces.contains { namespace.hasPrefix($0) }
  }

  /// The elements that `AtomReader` reads, in whatever namespace.
  private static let read: Set<String> = [
    "author", "category", "content", "contributor", "creator", "date", "id", "identifier", "issued",
    "language", "link", "meta", "published", "publisher", "rights", "Series", "series",
    "series_index", "seriesPosition", "subject", "summary", "title", "updated",
  ]

  /// The other elements of RFC 4287 and RFC 5023.
  private static let ignored: Set<String> = [
    "edited", "generator", "icon", "logo", "source", "subtitle",
  ]

  /// The beginnings of namespaces in which nothing is missed: Dublin Core, OPDS, OpenSearch, threads,
  /// media, schema.org, and those of servers.
  private static let namespaces = [
    "http://purl.org/dc/", "http://opds-spec.org/", "http://a9.com/-/",
    "http://purl.org/syndication/", "http://search.yahoo.com/mrss", "http://schema.org",
    "https://schema.org", "http://calibre", "https://calibre", "http://vaemendis.net/",
    "http://www.w3.org/2007/app", "http://www.idpf.org/2007/opf", "http://palaceproject.io",
    "http://librarysimplified.org", "http://drafts.opds.io", "http://id.loc.gov/",
  ]
}
