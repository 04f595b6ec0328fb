import ArchiverCore
import ArchiverStorage

/// A record of a WARC file (ISO 28500:2017).
struct WARCRecord {
  enum Kind: String {
    case info = "warcinfo"
    /// A stored file under its address, without the HTTP message that delivered it.
    case resource, metadata
  }

  let kind: Kind
  /// An absolute URI; `nil` for `info`.
  let address: String?
  let date: Date
  let mediaType: String
  let content: [UInt8]
  /// The id of the record that a `metadata` record describes.
  let subject: String?
  /// The digest of the content: `sha256:` and lower-case hex.
  let digest: String

  init(
    _ kind: Kind, address: String?, date: Date, mediaType: String, content: [UInt8],
    subject: String? = nil
  ) {
    self.kind = kind
    self.address = address
    self.date = date
    self.mediaType = mediaType
    self.content = content
    self.subject = subject
    digest = "sha256:" + Digest.sha256Hex(content)
  }

  /// A URN that is equal for equal records, so that equal items give equal files.
  var id: String {
    let seed = "\(kind.rawValue) \(address ?? "") \(UTCTime.text(date)) \(digest)"
    return "<urn:uuid:\(Digest.uuid(seed))>"
  }

  /// Returns the record as a member of a gzip file.
  func compressed() throws(StorageError) -> [UInt8] {
    var lines = [
      "WARC/1.1", "WARC-Type: \(kind.rawValue)", "WARC-Record-ID: \(id)",
      "WARC-Date: \(UTCTime.text(date))",
    ]
    if let address { lines.append("WARC-Target-URI: \(address)") }
    if let subject { lines.append("WARC-Refers-To: \(subject)") }
    lines += [
      "WARC-Block-Digest: \(digest)", "WARC-Payload-Digest: \(digest)",
      "Content-Type: \(mediaType)", "Content-Length: \(content.count)", "", "",
    ]
    return try GZip.compressed(
      Array(lines.joined(separator: "\r\n").utf8) + content + Array("\r\n\r\n".utf8))
  }
}

extension Digest {
  /// Returns a UUID of version 8 (RFC 9562 section 5.8) derived from a text.
  static func uuid(_ seed: String) -> String {
    var digits = Array(sha256Hex(seed).prefix(32))
    digits[12] = "8"
    digits[16] = "8"
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }
}
