package import ArchiverCore

/// A bucket of an S3-compatible storage, how to reach it and the prefix of the archive's keys in it.
///
/// Addresses are of the path style (`https://host/BUCKET/KEY`), which needs no DNS name and no
/// certificate per bucket.
package struct S3Location: Sendable, Hashable {
  /// The address of the service; its path is a prefix of all paths.
  package var endpoint: WebURL
  package var bucket: String
  /// The start of every key: empty, or ends with a slash.
  package var prefix: String
  package var region: String

  /// - Parameters:
  ///   - endpoint: The address of the service; `nil` for Amazon's in the region.
  ///   - bucket: The name of the bucket.
  ///   - prefix: A folder in the bucket; empty for all of it.
  ///   - region: The region that requests are signed for.
  package init?(endpoint: WebURL?, bucket: String, prefix: String, region: String) {
    guard S3Location.isBucket(bucket), S3Location.isRegion(region),
      let endpoint = endpoint ?? WebURL("https://s3.\(region).amazonaws.com/"),
      endpoint.query == nil, endpoint.fragment == nil
    else { return nil }
    let parts = prefix.split(separator: "/")
    guard !parts.contains(where: { $0 == "." || $0 == ".." }) else { return nil }
    self.endpoint = endpoint
    self.bucket = bucket
    self.prefix = parts.map { $0 + "/" }.joined()
    self.region = region
  }

  /// Splits `s3://BUCKET/PREFIX`; `nil` for anything else.
  package static func parts(_ address: String) -> (bucket: String, prefix: String)? {
    guard address.hasPrefix("s3://") else { return nil }
    let rest = address.dropFirst(5)
    let bucket = String(rest.prefix { $0 != "/" })
    guard isBucket(bucket) else { return nil }
    return (bucket, String(rest.dropFirst(bucket.count)))
  }

  private static func isBucket(_ name: String) -> Bool {
    name.utf8.count >= 3 && name.utf8.count <= 255 && name.utf8.allSatisfy(isPlain)
      && !name.hasPrefix(".")
  }

  private static func isRegion(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy(isPlain)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  /// The address, for messages: `s3://bucket/prefix`.
  package var name: String { String("s3://\(bucket)/\(prefix)".dropLast()) }

  /// The address and the service, which together identify a journal.
  package var identity: String { "\(endpoint.absoluteString) \(bucket) \(prefix)" }

  /// Returns the path of an object or, without a key, of the bucket: percent-encoded strictly, so that
  /// the same text is requested and signed.
  func path(_ key: String?) -> String {
    let base = endpoint.path.hasSuffix("/") ? String(endpoint.path.dropLast()) : endpoint.path
    let bucket = "\(base)/\(WebURL.percentEncoded(bucket))"
    guard let key else { return bucket }
    let parts = (prefix + key).split(separator: "/", omittingEmptySubsequences: false)
    return "\(bucket)/\(parts.map { WebURL.percentEncoded(String($0)) }.joined(separator: "/"))"
  }
}
