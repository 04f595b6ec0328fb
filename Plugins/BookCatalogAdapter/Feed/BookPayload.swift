import ArchiverCore

/// An entry as text, small enough to be stored with a reference.
enum BookPayload {
  private static let limit = 60 << 10

  static func text(_ entry: CatalogEntry) -> String? {
    var entry = entry
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for shorten in [keep, cutPictures, cutDescription, cutRest] {
      shorten(&entry)
      // Strings and numbers can always be encoded; otherwise the reference has no payload.
      guard let bytes = try? encoder.encode(entry) else { return nil }
      if bytes.count <= limit { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  static func entry(_ payload: String?) -> CatalogEntry? {
    guard let payload else { return nil }
    // A payload of another version may not decode; the caller reports it.
    return try? JSONDecoder().decode(CatalogEntry.self, from: Data(payload.utf8))
  }

  private static let longestDescription = 16 << 10
  private static let longestSummary = 4_000
  private static let longestAddress = 2_000
  private static let mostNames = 20

  private static func keep(_: inout CatalogEntry) {}

  /// Removes images in `data:` URLs, whose links are then counted as missing.
  private static func cutPictures(_ entry: inout CatalogEntry) {
    for index in entry.links.indices
    where entry.links[index].address.utf8.count > longestAddress
      && entry.links[index].address.hasPrefix(CatalogLink.emptyData)
    {
      entry.links[index].address = CatalogLink.emptyData
    }
  }

  private static func cutDescription(_ entry: inout CatalogEntry) {
    let isLong = (entry.description ?? "").utf8.count > longestDescription
    let isLongToo = (entry.summary ?? "").utf8.count > longestSummary
    guard isLong || isLongToo else { return }
    entry.description = entry.description.map { cut($0, longestDescription) }
    entry.summary = entry.summary.map { cut($0, longestSummary) }
    entry.cuts = ["The catalog's description of this book is too long; its end was left out."]
  }

  private static func cutRest(_ entry: inout CatalogEntry) {
    if entry.description != nil {
      entry.cuts = ["The catalog's description of this book is too long; it was left out."]
      entry.description = nil
    }
    let links = entry.links.count
    entry.links = Array(entry.links.prefix(mostNames)).filter {
      $0.address.utf8.count < longestAddress
    }
    let lists = [entry.subjects, entry.authors, entry.identifiers]
    if entry.links.count < links || lists.contains(where: { $0.count > mostNames }) {
      entry.cuts =
        (entry.cuts ?? []) + [
          "The catalog's entry of this book is too long; some of its names and links were left out."
        ]
    }
    entry.subjects = Array(entry.subjects.prefix(mostNames))
    entry.authors = Array(entry.authors.prefix(mostNames))
    entry.identifiers = Array(entry.identifiers.prefix(mostNames))
  }

  /// Returns the beginning of a text, of this many bytes at most.
  private static func cut(_ text: String, _ most: Int) -> String {
    text.utf8.count <= most ? text : String(decoding: text.utf8.prefix(most), as: UTF8.self)
  }
}
