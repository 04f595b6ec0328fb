import ArchiverCore

/// What a reference tells `item` about what it names.
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
      // Anything else is a payload of another version: `item` finds out by itself.
      let read = try? JSONDecoder().decode(ReferencePayload.self, from: Data(text.utf8))
    else { return nil }
    self = read
  }

  var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Texts always encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }

  var sourceIDs: [NotionID] { (sources ?? []).compactMap { NotionID($0) } }
}
