package import ArchiverCore

extension FakeReadeck {
  /// A bookmark without its times, which the server adds.
  package struct Bookmark: Sendable {
    /// The values of `state`.
    package enum State: Int, Sendable {
      case loaded, error, loading
    }

    /// A file of the article; its HTML refers to it as `./_resources/NAME`.
    package struct Resource: Sendable {
      package var name: String
      package var mediaType: String
      package var bytes: [UInt8]

      package init(_ name: String, _ mediaType: String, _ bytes: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
      }
    }

    /// The image of a bookmark.
    package struct Picture: Sendable {
      /// The file's name, such as `image.jpeg`.
      package var name: String
      package var mediaType: String
      package var bytes: [UInt8]
      package var width: Int
      package var height: Int

      package init(
        _ name: String, _ mediaType: String, _ bytes: [UInt8], width: Int = 0, height: Int = 0
      ) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
        self.width = width
        self.height = height
      }
    }

    /// A highlight. It is marked in the HTML if its text occurs there without a tag inside it.
    package struct Highlight: Sendable {
      /// Assigned by the server if empty.
      package var id = ""
      package var text: String
      package var color = "yellow"
      package var note = ""
      /// Assigned by the server if empty.
      package var created = ""

      package init(_ text: String, color: String = "yellow", note: String = "") {
        self.text = text
        self.color = color
        self.note = note
      }
    }

    /// Assigned by the server if empty.
    package var id = ""
    /// When it was saved and last changed, in RFC 3339; the server's time if empty. The list is in
    /// order of addition, so add the oldest first.
    package var created = ""
    package var url: String
    package var title: String
    package var siteName = ""
    /// By default the host of `url`.
    package var site = ""
    package var type = "article"
    package var documentType = "article"
    /// The article as an HTML fragment; `nil` without one.
    package var html: String?
    package var description = ""
    package var omitsDescription = false
    /// `nil` is sent as `null`.
    package var authors: [String]? = []
    package var language = ""
    /// `ltr`, `rtl` or nothing.
    package var textDirection = ""
    /// The value to send, unchanged.
    package var published = ""
    package var labels: [String] = []
    package var isMarked = false
    package var isArchived = false
    /// Scheduled for deletion.
    package var isDeleted = false
    package var readProgress = 0
    package var wordCount = 0
    package var readingTime = 0
    package var resources: [Resource] = []
    package var icon: Picture?
    package var image: Picture?
    package var thumbnail: Picture?
    package var embed = ""
    package var embedDomain = ""
    package var errors: [String] = []
    package var state = State.loaded
    package var highlights: [Highlight] = []

    package init(url: String, title: String, html: String? = nil) {
      self.url = url
      self.title = title
      self.html = html
    }
  }

  /// A saved filter.
  package struct Collection: Sendable {
    package var id = ""
    package var name: String
    /// In the search syntax of `labels`.
    package var labels = ""
    package var isMarked: Bool?
    package var isArchived: Bool?
    /// Other members of its record, by their names, as JSON.
    package var others: [String: JSONValue] = [:]
    package var isPinned = false

    package init(_ name: String, labels: String = "") {
      self.name = name
      self.labels = labels
    }
  }
}
