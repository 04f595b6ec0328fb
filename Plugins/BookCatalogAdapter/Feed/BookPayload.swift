import ArchiverCore

/// An entry as text, small enough to be stored with a reference.
///
/// An entry that is too long is shortened and names the page on which `BookFetcher` reads it again.
enum BookPayload {
  /// The maximum length in bytes, below that of `ItemReference.payload`.
  private static let limit = 60 << 10

  /// Returns the payload of an entry, whatever its length. `nil` does not happen: strings and numbers
  /// can always be encoded.
  static func text(_ entry: CatalogEntry) -> String? {
    guard let whole = encoded(entry) else { return nil }
    if whole.utf8.count <= limit { return whole }
    // Each step halves the lengths, so that the last one leaves little more than the names of the keys.
    for step in 0..<12 {
      guard let text = encoded(shortened(entry, step)) else { return nil }
      if text.utf8.count <= limit { return text }
    }
    return nil
  }

  static func entry(_ payload: String?) -> CatalogEntry? {
    guard let payload else { return nil }
    // A payload of another version may not decode; the caller reports it.
    return try? JSONDecoder().decode(CatalogEntry.self, from: Data(payload.utf8))
  }

  private static func encoded(_ entry: CatalogEntry) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(entry)).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let longestDescription = 16 << 10
  private static let longestText = 2_000
  private static let longestAddress = 2_000
  private static let longestPage = 8_000
  private static let mostNames = 24
  private static let leastNames = 6

  private static func shortened(_ whole: CatalogEntry, _ step: Int) -> CatalogEntry {
    let text = longestText >> step
    let address = longestAddress >> max(0, step - 4)
    let names = max(leastNames, mostNames >> step)
    var entry = whole
    entry.isShortened = true
    // What the shortened entry must be recognised by.
    entry.id = whole.identity ?? ""
    entry.title = cut(whole.title, text)
    entry.description = whole.description.map { cut($0, longestDescription >> step) }
    entry.summary = whole.summary.map { cut($0, text) }
    entry.rights = whole.rights.map { cut($0, text) }
    entry.publisher = whole.publisher.map { cut($0, text) }
    entry.feed = whole.feed.map { cut($0, text) }
    for key in [\CatalogEntry.language, \.published, \.added, \.updated, \.rating] {
      entry[keyPath: key] = whole[keyPath: key].map { cut($0, min(200, text)) }
    }
    entry.series = whole.series.map { cut($0, text) }
    entry.periodical = whole.periodical.map { cut($0, text) }
    entry.authors = whole.authors.prefix(names).map { cut($0, text) }
    entry.subjects = whole.subjects.prefix(names).map { cut($0, text) }
    entry.identifiers = whole.identifiers.prefix(names).map { cut($0, text) }
    entry.columns = whole.columns?.prefix(names).map {
      CatalogEntry.Column(name: cut($0.name, text), value: cut($0.value, text))
    }
    // Without it, relative links of the description are resolved against the catalog's address.
    if (whole.base ?? "").utf8.count > longestAddress { entry.base = nil }
    if (whole.page ?? "").utf8.count > longestPage { entry.page = nil }
    entry.links = links(whole.links, names, text, address)
    return entry
  }

  /// Returns links with addresses that are not too long, those of files first.
  ///
  /// An image in a `data:` URL loses its data, so that it counts as missing.
  private static func links(
    _ links: [CatalogLink], _ most: Int, _ text: Int, _ address: Int
  ) -> [CatalogLink] {
    let short = min(200, text)
    let sorted =
      links.filter { $0.isDownload || $0.isOffer } + links.filter { !($0.isDownload || $0.isOffer) }
    return sorted.compactMap { link -> CatalogLink? in
      var link = link
      if link.address.utf8.count > address {
        guard link.address.hasPrefix(CatalogLink.emptyData) else { return nil }
        link.address = CatalogLink.emptyData
      }
      link.title = link.title.map { cut($0, short) }
      link.type = link.type.map { cut($0, short) }
      link.indirectType = link.indirectType.map { cut($0, short) }
      link.price = link.price.map { cut($0, short) }
      link.availability = link.availability.map { cut($0, short) }
      link.relations = link.relations.prefix(leastNames).map { cut($0, short) }
      return link
    }.prefix(most).map(\.self)
  }

  private static func cut(_ series: CatalogEntry.Series, _ most: Int) -> CatalogEntry.Series {
    CatalogEntry.Series(
      name: cut(series.name, most), position: series.position.map { cut($0, min(200, most)) })
  }

  /// Returns the beginning of a text, of this many bytes at most.
  private static func cut(_ text: String, _ most: Int) -> String {
    text.utf8.count <= most ? text : String(decoding: text.utf8.prefix(most), as: UTF8.self)
  }
}
