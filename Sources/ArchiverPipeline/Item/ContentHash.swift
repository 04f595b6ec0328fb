import ArchiverCore
import ArchiverStorage

/// A fingerprint of what a bundle is rendered from.
///
/// 64 hex digits: the first 32 are of the body and its files, the last 32 of everything else. Equal
/// fingerprints mean there is nothing to write; an equal first half means that only labels or the
/// like changed, which makes no new version.
struct ContentHash: Sendable, Hashable {
  let text: String

  private static let halfLength = 32

  init(body: [UInt8], item: SourceItem) {
    var content = body
    for attachment in item.attachments where attachment.role != .icon {
      content.append(0)
      content += attachment.role.rawValue.utf8
      content += (attachment.revision ?? "").utf8
      switch attachment.location {
      case .remote(let url): content += url.withoutQuery.absoluteString.utf8
      case .inline(let bytes): content += Digest.sha256Hex(bytes).utf8
      }
    }
    text = ContentHash.half(content) + ContentHash.half(ContentHash.surroundings(item))
  }

  init(text: String) {
    self.text = text
  }

  /// Whether the other was made from the same body and files.
  func hasSameContent(as other: ContentHash) -> Bool {
    text.prefix(ContentHash.halfLength) == other.text.prefix(ContentHash.halfLength)
  }

  private static func half(_ bytes: [UInt8]) -> String {
    String(Digest.sha256Hex(bytes).prefix(halfLength))
  }

  /// What a bundle shows besides its body, in a form that is equal when it is.
  private static func surroundings(_ item: SourceItem) -> [UInt8] {
    var metadata = item.metadata
    // When the source touched its record says nothing about what a reader sees.
    metadata.modified = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    do {
      return [UInt8](try encoder.encode(metadata)) + [UInt8](try encoder.encode(item.annotations))
        + [UInt8](try encoder.encode(item.notes))
    } catch {
      // Only a number that JSON cannot hold fails to encode, and there is none in these types.
      preconditionFailure("metadata does not encode: \(error)")
    }
  }
}
