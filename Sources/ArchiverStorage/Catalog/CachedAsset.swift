package import ArchiverCore

/// A file of the object pool, named by its content.
package struct StoredObject: Sendable, Hashable, Codable {
  /// SHA-256 in lower-case hex.
  package let sha256: String
  package let byteCount: Int

  package init(sha256: String, byteCount: Int) {
    self.sha256 = sha256
    self.byteCount = byteCount
  }
}

/// What a web address gave when it was last fetched.
package struct CachedAsset: Sendable, Hashable, Codable {
  /// The address without fragment, and without query where the query is a signature.
  package var url: String
  package var object: StoredObject
  package var mediaType: String
  package var width: Int?
  package var height: Int?
  package var etag: String?
  package var lastModified: String?
  /// Until when it need not be asked for again (RFC 9111); `nil` when it must be revalidated.
  package var freshUntil: Date?

  package init(
    url: String, object: StoredObject, mediaType: String, width: Int? = nil, height: Int? = nil,
    etag: String? = nil, lastModified: String? = nil, freshUntil: Date? = nil
  ) {
    self.url = url
    self.object = object
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.etag = etag
    self.lastModified = lastModified
    self.freshUntil = freshUntil
  }
}

/// In an intent an asset is a list of its fields in their order: a bundle has dozens of assets, and
/// their keys cost more than all else that is announced.
extension CachedAsset {
  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(url)
    try list.encode(object.sha256)
    try list.encode(object.byteCount)
    try list.encode(mediaType)
    try list.encode(width)
    try list.encode(height)
    try list.encode(etag)
    try list.encode(lastModified)
    try list.encode(freshUntil)
  }

  package init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init(
      url: try list.decode(String.self),
      object: StoredObject(
        sha256: try list.decode(String.self), byteCount: try list.decode(Int.self)),
      mediaType: try list.decode(String.self), width: try list.decode(Int?.self),
      height: try list.decode(Int?.self), etag: try list.decode(String?.self),
      lastModified: try list.decode(String?.self), freshUntil: try list.decode(Date?.self))
  }
}
