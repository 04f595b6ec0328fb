import ArchiverCore
import ArchiverStorage

/// A digest of the whole item as delivered.
///
/// 64 hex digits: the first 32 cover the text and the set of its files, the last 32 everything. If
/// all are equal, there is nothing to write. If the first half is equal, only labels, highlights,
/// progress or the record changed, which makes no new version.
struct ContentHash: Sendable, Hashable {
  let text: String

  private static let halfLength = 32

  /// - Parameter body: The sanitised HTML without signatures in URLs.
  /// - Parameter origin: The source's own, removed from URLs of its files: a server that moves changes nothing.
  /// - Parameter secrets: Secrets to remove from URLs.
  /// - Parameter remarks: The class of the element at the end that holds remarks.
  init(
    body: [UInt8], item: SourceItem, origin: Origin?, secrets: AddressSecrets = AddressSecrets(),
    remarks: String? = nil
  ) {
    var content = ContentHash.withoutMarks(ContentHash.withoutRemarks(body, remarks))
    for attachment in item.attachments where attachment.role != .icon {
      content.append(0)
      content += attachment.role.rawValue.utf8
      content += secrets.hidden(attachment.place).utf8
    }
    if let origin { content = content.replacing("\(origin)", with: "") }
    let first = ContentHash.half(content)
    text = first + ContentHash.half(Array(first.utf8) + ContentHash.everything(body, item, secrets))
  }

  init(text: String) {
    self.text = text
  }

  /// Whether text and files are the same.
  func hasSameContent(as other: ContentHash) -> Bool {
    text.prefix(ContentHash.halfLength) == other.text.prefix(ContentHash.halfLength)
  }

  private static func half(_ bytes: [UInt8]) -> String {
    String(Digest.sha256Hex(bytes).prefix(halfLength))
  }

  /// Encodes every member of an item, equal for equal items. Add new members of `SourceItem` here.
  private static func everything(
    _ body: [UInt8], _ item: SourceItem, _ secrets: AddressSecrets
  ) -> [UInt8] {
    var metadata = item.metadata
    // When the source touched its record is not visible to readers.
    metadata.modified = nil
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    var bytes = body
    for attachment in item.attachments {
      let place = secrets.hidden(attachment.place)
      bytes += "\0\(attachment.role.rawValue) \(place) \(attachment.revision ?? "")".utf8
      bytes += "\0\(attachment.name ?? "")\0\(attachment.caption ?? "")".utf8
      if let address = attachment.address { bytes += "\0\(address.absoluteString)".utf8 }
    }
    for part in [
      json(metadata, encoder), list(item.annotations, encoder), list(item.notes, encoder),
      list(item.links, encoder), item.graph.map { json($0, encoder) } ?? Array("null".utf8),
      list(item.addresses, encoder), list(item.missing, encoder), item.record ?? [],
    ] {
      bytes.append(0)
      bytes += part
    }
    return bytes
  }

  /// Encodes an array; most items have none of a kind, and an encoder takes longer than the digest.
  private static func list(_ values: [some Encodable], _ encoder: JSONEncoder) -> [UInt8] {
    values.isEmpty ? Array("[]".utf8) : json(values, encoder)
  }

  private static func json(_ value: some Encodable, _ encoder: JSONEncoder) -> [UInt8] {
    do {
      return [UInt8](try encoder.encode(value))
    } catch {
      // Encoding fails only for numbers that JSON cannot represent, and these types contain none.
      preconditionFailure("an item does not encode: \(error)")
    }
  }

  /// Returns canonical HTML up to the last element of a class.
  private static func withoutRemarks(_ html: [UInt8], _ name: String?) -> [UInt8] {
    guard let name, let start = Remarks.start(of: name, in: html) else { return html }
    // Without white space before the remarks, so that the first remark changes nothing.
    return html[..<start].reversed().drop { $0 <= 0x20 }.reversed()
  }

  /// Returns canonical HTML without the marks of highlights and of their notes.
  private static func withoutMarks(_ html: [UInt8]) -> [UInt8] {
    let note = Array("<sup class=\"hl-note\"".utf8)
    let tags = [Array("<mark".utf8), Array("</mark".utf8)]
    guard html.firstIndex(of: "<mark") != nil else { return html }
    var result: [UInt8] = []
    result.reserveCapacity(html.count)
    var rest = html[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      result += rest[..<start]
      rest = rest[start...]
      if rest.starts(with: note), let end = rest.firstRange(of: "</sup>".utf8) {
        rest = rest[end.upperBound...]
      } else if tags.contains(where: { rest.starts(with: $0) }),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }
}

extension Attachment {
  /// The URL by which the content refers to the file; `nil` if it has none.
  var url: WebURL? {
    switch location {
    case .remote(let url): url
    case .inline: address
    }
  }

  /// The location of the file: its URL without what changes with every delivery, or its digest.
  fileprivate var place: String {
    switch location {
    case .remote(let url): Redaction.text(url.withoutQuery.absoluteString)
    case .inline(let bytes): Digest.sha256Hex(bytes)
    }
  }
}
