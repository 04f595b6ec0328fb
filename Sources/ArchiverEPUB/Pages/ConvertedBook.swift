/// What a book was turned into. Paths are those given to the sink.
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
  /// A picture of the cover; `nil` when the book has none.
  package let coverPath: String?
  /// What keeps the book from being read; `nil` when nothing does.
  package let protection: String?
  /// Sentences about what was left out.
  package let notes: [String]
  /// Why the file is taken to have had more than could be read; `nil` where it was read to its end.
  package var damage: String?
}
