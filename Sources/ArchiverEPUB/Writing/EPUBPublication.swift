package import ArchiverCore

/// A book to write as EPUB 3.
package struct EPUBPublication: Sendable {
  /// A part of the book with an entry in its table of contents.
  package struct Chapter: Sendable {
    package var title: String
    /// BCP 47 tag.
    package var language: String?
    package var direction: TextDirection
    /// Well-formed XHTML for the content of the body. Images are at `../images/NAME`, other
    /// chapters at `EPUBPublication.chapterName`.
    package var body: [UInt8]

    package init(title: String, language: String?, direction: TextDirection, body: [UInt8]) {
      self.title = title
      self.language = language
      self.direction = direction
      self.body = body
    }
  }

  /// An image of the book.
  package struct Picture: Sendable, Hashable {
    /// Of ASCII letters, digits, `.`, `_` and `-`.
    package var name: String
    /// One of `pictureTypes`.
    package var mediaType: String
    /// The path of its content.
    package var file: String

    package init(name: String, mediaType: String, file: String) {
      self.name = name
      self.mediaType = mediaType
      self.file = file
    }
  }

  /// The image formats that every reading system supports (EPUB 3.3, core media types).
  package static let pictureTypes: Set<String> = [
    "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp",
  ]

  /// A URN that is the same for the same book.
  package var identifier: String
  package var title: String
  /// BCP 47 tag; `und` if it is unknown.
  package var language: String
  package var direction = TextDirection.leftToRight
  package var authors: [String] = []
  package var publisher: String?
  package var published: Date?
  package var modified: Date
  package var summary: String?
  package var subjects: [String] = []
  /// The URL of the original.
  package var source: String?
  package var chapters: [Chapter]
  package var pictures: [Picture] = []
  /// The name of the cover image.
  package var cover: String?

  package init(
    identifier: String, title: String, language: String, modified: Date, chapters: [Chapter] = []
  ) {
    self.identifier = identifier
    self.title = title
    self.language = language
    self.modified = modified
    self.chapters = chapters
  }

  /// Returns the file name of a chapter by its index.
  package static func chapterName(_ index: Int) -> String { "chapter-\(index + 1).xhtml" }
}
