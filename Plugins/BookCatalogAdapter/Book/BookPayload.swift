import ArchiverCore

/// An entry as text, small enough to be stored with a reference.
enum BookPayload {
  private static let limit = 60 << 10

  static func text(_ entry: CatalogEntry) -> String? {
    var entry = entry
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for shorten in [keep, cutDescription, cutRest] {
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

  private static func keep(_: inout CatalogEntry) {}

  private static func cutDescription(_ entry: inout CatalogEntry) {
    if (entry.description ?? "").utf8.count > 16 << 10 { entry.description = nil }
    entry.summary = entry.summary.map { String($0.prefix(4_000)) }
  }

  private static func cutRest(_ entry: inout CatalogEntry) {
    entry.description = nil
    entry.subjects = Array(entry.subjects.prefix(20))
    entry.authors = Array(entry.authors.prefix(20))
    entry.identifiers = Array(entry.identifiers.prefix(20))
    entry.links = Array(entry.links.prefix(20)).filter { $0.address.utf8.count < 2_000 }
  }
}
