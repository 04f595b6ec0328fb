package import ArchiverCore

/// The object that a URL returned when it was last fetched.
package struct CachedAsset: Sendable, Hashable {
  /// The URL without fragment, and without its query if that is a signature.
  package var url: String
  package var object: StoredObject
  package var mediaType: String
  package var width: Int?
  package var height: Int?
  package var etag: String?
  package var lastModified: String?
  /// The end of its freshness lifetime (RFC 9111); `nil` if it must be revalidated.
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
