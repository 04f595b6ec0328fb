import ArchiverCore

/// A book, issue or comic as a catalog lists it; travels as an item's payload.
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

  /// The catalog's own id; empty when it has none.
  var id = ""
  var title = ""
  var authors: [String] = []
  var language: String?
  var publisher: String?
  var summary: String?
  /// HTML, not sanitised.
  var description: String?
  /// When the book came out.
  var published: String?
  /// When the book came into the catalog.
  var added: String?
  /// When the entry changed.
  var updated: String?
  var subjects: [String] = []
  var identifiers: [String] = []
  var series: Series?
  /// The magazine or newspaper that this is an issue of.
  var periodical: Series?
  /// The title of the feed that named it.
  var feed: String?
  var rights: String?
  var rating: String?
  /// Columns that the owner of the catalog added, with their values.
  var columns: [Column]?
  var links: [CatalogLink] = []
  /// What the links and the description are relative to.
  var base: String?

  /// What makes the entry the same one in every feed: its id, else its first file.
  ///
  /// An id is an absolute IRI (RFC 4287 section 4.2.6). Codex gives the path of a page in its place, whose query
  /// is of the view that led there, so that a book has an id in every order and filter: it is left out.
  var identity: String? {
    let raw =
      id.isEmpty ? links.first { $0.isDownload || $0.isOffer }?.address : CatalogEntry.path(id)
    guard let raw, !raw.isEmpty else { return nil }
    if raw.utf8.count <= 1_000 { return raw }
    // Counted in bytes: a single letter may have any number of them.
    let start = String(decoding: raw.utf8.prefix(400), as: UTF8.self)
    return "\(start)#\(Fingerprint.text(raw))"
  }

  private static func path(_ id: String) -> String {
    guard id.hasPrefix("/"), let end = id.firstIndex(of: "?") else { return id }
    return String(id[..<end])
  }

  /// Whether the entry is a book and not a way to another feed.
  var isPublication: Bool {
    links.contains { $0.isDownload || $0.isOffer || $0.has(.stream) || $0.has(.sample) }
  }

  /// Takes an unmarked link to a book for a download, where the entry has no marked one.
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

  /// The complete entry, where this one is partial (OPDS 1.2 section 5.1).
  var completeEntry: String? {
    links.first { link in
      link.media.isEntry
        && (link.has(.alternate) || link.has(.acquisition)
          || (link.has(.own) && link.media.name.hasSuffix("+json")))
    }?.address
  }

  /// Changes whenever the book or what is known of it may have changed.
  var revision: String {
    guard let updated, !updated.isEmpty else { return Fingerprint.of(self) }
    let files = links.filter { $0.isDownload }.map { $0.type ?? $0.address }.sorted()
    return "\(updated) \(Fingerprint.text(files.joined(separator: " ")))"
  }

  /// Adds what another copy of the entry knows and this one does not.
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
    for subject in other.subjects where !subjects.contains(subject) { subjects.append(subject) }
    for identifier in other.identifiers where !identifiers.contains(identifier) {
      identifiers.append(identifier)
    }
    for link in other.links where !links.contains(where: { $0.address == link.address }) {
      links.append(link)
    }
  }
}

/// A feed: books, ways to other feeds, or both.
struct CatalogFeed: Sendable {
  var title = ""
  var id = ""
  /// When the feed changed.
  var updated: String?
  var links: [CatalogLink] = []
  var publications: [CatalogEntry] = []
  /// Entries that lead to other feeds.
  var navigation: [CatalogLink] = []
  /// How many books the feed says it has on all its pages.
  var total: Int?
  /// Whether the document was not well formed, so that books behind the mistake may be missing.
  var isDamaged = false

  /// The next page (RFC 5005).
  var next: String? { links.first { $0.has(.next) }?.address }
}

/// Short marks of content (FNV-1a, 64 bits), for comparing and naming; not for security.
enum Fingerprint {
  static func text(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  static func of(_ entry: CatalogEntry) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Texts and lists of texts always encode.
    let bytes = (try? encoder.encode(entry)) ?? Data()
    return text(String(decoding: bytes, as: UTF8.self))
  }
}
