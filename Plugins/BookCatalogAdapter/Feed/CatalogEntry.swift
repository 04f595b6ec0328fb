import ArchiverCore

/// A book, issue or comic as listed by a catalog; stored as the payload of an item's reference.
struct CatalogEntry: Codable, Sendable, Hashable {
  struct Series: Codable, Sendable, Hashable {
    var name: String
    /// `2` or `2.5`.
    var position: String?
  }

  struct Column: Codable, Sendable, Hashable {
    var name: String
    var value: String
  }

  /// The catalog's id; empty if it has none.
  var id = ""
  var title = ""
  var authors: [String] = []
  var language: String?
  var publisher: String?
  var summary: String?
  /// HTML, not sanitised.
  var description: String?
  /// The date of publication.
  var published: String?
  /// When the book was added to the catalog.
  var added: String?
  /// When the entry changed.
  var updated: String?
  var subjects: [String] = []
  var identifiers: [String] = []
  var series: Series?
  /// The magazine or newspaper of which this is an issue.
  var periodical: Series?
  /// The title of the feed that listed the book.
  var feed: String?
  /// The URL of the document that listed the book, after redirects.
  var page: String?
  var rights: String?
  var rating: String?
  /// The library's custom columns with their values.
  var columns: [Column]?
  /// Whether parts were left out because the entry is too long for a payload.
  var isShortened: Bool?
  var links: [CatalogLink] = []
  /// The base URL of links and description.
  var base: String?

  /// The identity of the entry across feeds: its id, or else the URL of its first file or of the complete entry.
  ///
  /// An id is an absolute IRI (RFC 4287 section 4.2.6). Codex sends the path of the book's page instead, with a
  /// query that depends on the view in which it is listed. The query of such a path is dropped.
  var identity: String? {
    let raw =
      id.isEmpty
      ? links.first { $0.isDownload || $0.isOffer }?.address ?? completeEntry
      : CatalogEntry.path(id)
    guard let raw, !raw.isEmpty else { return nil }
    if raw.utf8.count <= 1_000 { return raw }
    // The limit is in bytes: a single character may have any number of them.
    let start = String(decoding: raw.utf8.prefix(400), as: UTF8.self)
    return "\(start)#\(Fingerprint.text(raw))"
  }

  private static func path(_ id: String) -> String {
    guard id.hasPrefix("/"), let end = id.firstIndex(of: "?") else { return id }
    return String(id[..<end])
  }

  /// The links that tell the book from others: its files, or if it has none, where it is read or bought.
  var ownLinks: [CatalogLink] {
    let files = links.filter(\.isDownload)
    return files.isEmpty
      ? links.filter { $0.isOffer || $0.has(.stream) || $0.has(.sample) } : files
  }

  /// Whether the entry is a book rather than a link to another feed.
  var isPublication: Bool {
    !ownLinks.isEmpty || isWithoutFile
  }

  /// Whether the entry is a book of which the catalog offers no file: calibre, for one, lists books without
  /// files, and has no links to those in formats that it has no media type for. Such an entry has authors or
  /// a cover and leads to no feed.
  private var isWithoutFile: Bool {
    let isBook = !authors.isEmpty || links.contains { $0.has(.image) || $0.has(.thumbnail) }
    return isBook && !id.isEmpty && links.allSatisfy { FeedWay($0) == .nothing }
  }

  /// Whether an entry that is not a book has neither a way to a feed nor a search or an order of a feed,
  /// which are not followed.
  var leadsNowhere: Bool {
    links.allSatisfy { FeedWay($0) == .nothing && !$0.has(.search) && !$0.has(.facet) }
  }

  /// Treats links to book files without a relation as downloads if the entry has no other
  /// downloads.
  mutating func markDownloads() {
    if links.contains(where: { $0.has(.acquisition) || $0.isOffer || $0.has(.stream) }) { return }
    for index in links.indices where BookFormat(unmarked: links[index]) != nil {
      let isPlain = links[index].relations.allSatisfy {
        [.other, .alternate, .own].contains(LinkRelation($0))
      }
      if isPlain, !links[index].address.contains("{") {
        links[index].relations.append("http://opds-spec.org/acquisition")
      }
    }
  }

  /// The URL of the complete entry, if this one is partial (OPDS 1.2 section 5.1).
  var completeEntry: String? {
    links.first { link in
      link.media.isEntry
        && (link.has(.alternate) || link.has(.acquisition)
          || (link.has(.own) && link.media.name.hasSuffix("+json")))
    }?.address
  }

  /// A revision that changes whenever the book or its metadata may have changed.
  var revision: String {
    guard let updated, !updated.isEmpty else { return Fingerprint.of(self) }
    let files = links.filter { $0.isDownload }.map { $0.type ?? $0.address }.sorted()
    return "\(updated) \(Fingerprint.text(files.joined(separator: " ")))"
  }

  /// Adds metadata of another copy of the entry that this one lacks.
  mutating func complete(with other: CatalogEntry) {
    if title.isEmpty { title = other.title }
    if authors.isEmpty { authors = other.authors }
    language = language ?? other.language
    publisher = publisher ?? other.publisher
    summary = summary ?? other.summary
    description = description ?? other.description
    published = published ?? other.published
    added = added ?? other.added
    series = series ?? other.series
    periodical = periodical ?? other.periodical
    rights = rights ?? other.rights
    rating = rating ?? other.rating
    columns = columns ?? other.columns
    for subject in other.subjects where !subjects.contains(subject) { subjects.append(subject) }
    for identifier in other.identifiers where !identifiers.contains(identifier) {
      identifiers.append(identifier)
    }
    for link in other.links where !links.contains(where: { $0.address == link.address }) {
      links.append(link)
    }
  }
}

/// A feed of books, links to other feeds, or both.
struct CatalogFeed: Sendable {
  var title = ""
  /// When the feed changed.
  var updated: String?
  var links: [CatalogLink] = []
  var publications: [CatalogEntry] = []
  /// Entries that lead to other feeds.
  var navigation: [CatalogLink] = []
  /// The total number of books on all pages, as declared by the feed.
  var total: Int?
  /// The number of entries on this page, whatever they are.
  var entryCount = 0
  /// The titles of entries that are neither books nor lead to a feed.
  var idle: [String] = []
  /// The names of what its books have and what is not read.
  var unread: Set<String> = []
  /// Whether the document was not well-formed, so that books after the error may be missing.
  var isDamaged = false

  /// The next page (RFC 5005). Kavita escapes the separator of its parameters twice.
  ///
  /// A web page with the same relation is the next page for browsers.
  var next: String? {
    let pages = links.filter { $0.has(.next) && !$0.address.isEmpty }
    let feed = pages.first { !$0.media.name.contains("html") } ?? pages.first
    return feed?.address.replacing("&amp;", with: "&")
  }

  /// Whether the feed has a link to the next page, but without an address.
  var continuesNowhere: Bool { next == nil && links.contains { $0.has(.next) } }
}

/// Digests (FNV-1a, 64 bits) for comparison and names, not for security.
enum Fingerprint {
  static func text(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  static func of(_ entry: CatalogEntry) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Strings and arrays of strings can always be encoded.
    let bytes = (try? encoder.encode(entry)) ?? Data()
    return text(String(decoding: bytes, as: UTF8.self))
  }
}
