package import ArchiverCore

/// The parts of a delivered item, besides its HTML, that the bundle's page does not contain. With
/// them the page can be rebuilt without the source.
package struct DeliveredContent: Sendable, Hashable, Codable {
  /// The bundle's file with the HTML as delivered, compressed.
  package static let htmlFile = "source.html.gz"

  /// An attachment.
  package struct File: Sendable, Hashable, Codable {
    package var role: Attachment.Role
    /// The URL without secrets. For bytes that came with the item, the URL in the HTML, if there is
    /// one.
    package var url: String?
    /// The SHA-256 of bytes that came with the item; absent if it was fetched.
    package var sha256: String?
    package var name: String?
    package var mediaType: String?
    package var caption: String?
    package var revision: String?
    package var byteCount: Int?
    package var width: Int?
    package var height: Int?
  }

  /// The base URL of references in the HTML.
  package var base: String?
  /// Why there is no HTML; absent if there is.
  package var noText: String?
  package var files: [File]
  /// The metadata as delivered, if the bundle's differ: completed from the book or by counting.
  package var metadata: ItemMetadata?
  package var annotations: [Annotation]?
  package var notes: [String]
  /// Parts that the source could not deliver.
  package var missing: [MissingPart]
  /// The source's own origin at the time.
  package var origin: String?

  package init(
    base: String?, noText: String?, files: [File], metadata: ItemMetadata?,
    annotations: [Annotation]?, notes: [String], missing: [MissingPart], origin: String?
  ) {
    self.base = base
    self.noText = noText
    self.files = files
    self.metadata = metadata
    self.annotations = annotations
    self.notes = notes
    self.missing = missing
    self.origin = origin
  }
}

extension DeliveredContent.File {
  /// Describes an attachment. `url` and `sha256` are given, as redaction and hashing are done
  /// elsewhere.
  package init(_ attachment: Attachment, url: String?, sha256: String?) {
    self.init(
      role: attachment.role, url: url, sha256: sha256, name: attachment.name,
      mediaType: attachment.mediaType, caption: attachment.caption, revision: attachment.revision,
      byteCount: attachment.byteCount, width: attachment.width, height: attachment.height)
  }
}
