package import ArchiverStorage

/// The content of a reading page. Paths are relative to the page and separated by `/`, as in a
/// bundle.
package struct ReadingPageContent: Sendable {
  /// The main content.
  package enum Body: Sendable {
    /// Sanitised HTML with local references.
    case html([UInt8])
    /// No content; the reason is a sentence.
    case none(reason: String)
  }

  /// A heading of the body with an id.
  package struct Heading: Sendable, Hashable {
    /// The level, 1 to 6.
    package let level: Int
    package let id: String
    package let text: String

    package init(level: Int, id: String, text: String) {
      self.level = level
      self.id = id
      self.text = text
    }
  }

  /// An image of the bundle.
  package struct Picture: Sendable, Hashable {
    package let path: String
    package let width: Int?
    package let height: Int?
    package let alt: String

    package init(path: String, width: Int? = nil, height: Int? = nil, alt: String = "") {
      self.path = path
      self.width = width
      self.height = height
      self.alt = alt
    }
  }

  /// A file to open or download.
  package struct File: Sendable, Hashable {
    package let path: String
    package let name: String
    package let mediaType: String
    package let byteCount: Int
    /// The digest in lower-case hex; `nil` if unknown.
    package let sha256: String?
    /// The URL of its origin for display; `nil` for a file that was part of its item.
    package let origin: String?

    package init(
      path: String, name: String, mediaType: String, byteCount: Int, sha256: String? = nil,
      origin: String? = nil
    ) {
      self.sha256 = sha256
      self.origin = origin
      self.path = path
      self.name = name
      self.mediaType = mediaType
      self.byteCount = byteCount
    }
  }

  /// A missing image.
  package struct MissingImage: Sendable, Hashable {
    package let url: String
    package let reason: String

    package init(url: String, reason: String) {
      self.url = url
      self.reason = reason
    }
  }

  /// A link to another page.
  package struct Link: Sendable, Hashable {
    package let path: String
    package let title: String

    package init(path: String, title: String) {
      self.path = path
      self.title = title
    }
  }

  /// The item's neighbour in its series.
  package struct Neighbour: Sendable, Hashable {
    package enum Side: Sendable {
      case previous, next
    }

    package let side: Side
    package let path: String
    package let title: String
    package let position: String?

    package init(side: Side, path: String, title: String, position: String?) {
      self.side = side
      self.path = path
      self.title = title
      self.position = position
    }
  }

  package var item: CatalogItem
  package var body: Body
  package var headings: [Heading] = []
  /// The image above the body; `nil` if the body begins with it.
  package var cover: Picture?
  /// The site's icon.
  package var iconPath: String?
  /// The first page of a book that was converted to pages, and its table of contents.
  package var readPath: String?
  package var contentsPath: String?
  package var files: [File] = []
  package var missingImages: [MissingImage] = []
  /// Sentences about parts that were left out.
  package var notes: [String] = []
  /// The library's start page.
  package var libraryPath = "../../index.html"
  /// The page of the current version, if this is a worse copy that is held back in favour of it.
  package var currentVersionPath: String?
  /// CSS rules for classes in the body, in addition to the page's own.
  package var style = ""
  /// Backlinks: pages that link to this one.
  package var backlinks: [Link] = []

  package init(item: CatalogItem, body: Body) {
    self.item = item
    self.body = body
  }
}
