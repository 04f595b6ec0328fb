import ArchiverCore

/// The payload of a reference, which `item` receives.
struct ReferencePayload: Codable, Sendable, Equatable {
  enum Kind: String, Codable, Sendable {
    case page, database
  }

  var kind: Kind
  /// The data sources of a database, as 32 digits each.
  var sources: [String]?

  init(kind: Kind, sources: [NotionID] = []) {
    self.kind = kind
    self.sources = sources.isEmpty ? nil : sources.map(\.hex)
  }

  init?(_ text: String?) {
    guard let text,
      // Any other payload was written by another version; `item` requests what it lacks.
      let read = try? JSONDecoder().decode(ReferencePayload.self, from: Data(text.utf8))
    else { return nil }
    self = read
  }

  var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Strings can always be encoded.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }

  var sourceIDs: [NotionID] { (sources ?? []).compactMap { NotionID($0) } }
}
