/// The result of a conversion. Paths are those passed to the sink.
package struct ConvertedBook: Sendable {
  package struct Page: Sendable, Hashable {
    package let path: String
    package let title: String
  }

  package let metadata: BookMetadata
  /// In reading order; empty for a protected book.
  package let pages: [Page]
  /// The page with the table of contents; `nil` for a protected book.
  package let contentsPath: String?
  /// A cover image; `nil` without one.
  package let coverPath: String?
  /// Why the book cannot be read; `nil` if it can.
  package let protection: String?
  /// Sentences about parts that were left out.
  package let notes: [String]
  /// Why the file is assumed to be incomplete; `nil` if it was read to its end.
  package var damage: String?
}
