import ArchiverCore

/// A bookmark from `GET /api/bookmarks`, its detail or the sync API.
///
/// Only `id` is required; every other member is absent from one version or another.
struct Bookmark: Sendable, Decodable {
  /// The values of `state`.
  enum State: Int, Sendable {
    case loaded, error, loading
  }

  /// An image that the server stores for a bookmark.
  struct Picture: Sendable, Decodable {
    let source: String
    let width: Int?
    let height: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      source = try container.decode(String.self, forKey: .src)
      width = container.lenient(.width)
      height = container.lenient(.height)
    }

    private enum Key: String, CodingKey { case src, width, height }
  }

  let id: String
  let href: String?
  let created: Timestamp?
  let updated: Timestamp?
  /// `updated` as received, if it is not a valid time.
  let rawUpdated: String?
  let state: State?
  let isLoaded: Bool
  let url: String?
  let title: String
  let siteName: String?
  let site: String?
  let published: Timestamp?
  let authors: [String]
  let language: String?
  let textDirection: String?
  /// `article`, `photo`, `video`, or a value of a later version.
  let type: String?
  let hasArticle: Bool
  let description: String?
  /// Whether the description repeats the article's first words.
  let omitsDescription: Bool
  let isMarked: Bool
  let isArchived: Bool
  let labels: [String]
  let readProgress: Int?
  let wordCount: Int?
  let readingTime: Int?
  let icon: Picture?
  let image: Picture?
  let thumbnail: Picture?
  /// The HTML of a video's player.
  let embed: String?
  let embedDomain: String?
  /// Why extraction failed; present in the detail only.
  let errors: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    guard !id.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: container, debugDescription: "it is empty")
    }
    href = container.lenient(.href)
    created = container.lenient(.created)
    updated = container.lenient(.updated)
    rawUpdated = container.lenient(.updated)
    state = container.lenient(.state, as: Int.self).flatMap(State.init)
    isLoaded = container.lenient(.loaded) ?? (state != .loading)
    url = container.lenient(.url)
    title = container.lenient(.title) ?? ""
    siteName = container.lenient(.siteName)
    site = container.lenient(.site)
    published = container.lenient(.published)
    authors = container.lenient(.authors) ?? []
    language = container.lenient(.lang)
    textDirection = container.lenient(.textDirection)
    type = container.lenient(.type)
    description = container.lenient(.description)
    omitsDescription = container.lenient(.omitDescription) ?? false
    isMarked = container.lenient(.isMarked) ?? false
    isArchived = container.lenient(.isArchived) ?? false
    labels = container.lenient(.labels) ?? []
    readProgress = container.lenient(.readProgress)
    wordCount = container.lenient(.wordCount)
    readingTime = container.lenient(.readingTime)
    let resources = container.lenient(.resources, as: Resources.self)
    icon = resources?.icon
    image = resources?.image
    thumbnail = resources?.thumbnail
    hasArticle = container.lenient(.hasArticle) ?? resources?.hasArticle ?? false
    embed = container.lenient(.embed)
    embedDomain = container.lenient(.embedDomain)
    errors = container.lenient(.errors) ?? []
  }

  /// The revision of a bookmark, independent of how it was listed.
  var revision: String { updated?.canonical ?? rawUpdated ?? "" }

  private struct Resources: Decodable {
    let icon: Picture?
    let image: Picture?
    let thumbnail: Picture?
    let hasArticle: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      icon = container.lenient(.icon)
      image = container.lenient(.image)
      thumbnail = container.lenient(.thumbnail)
      hasArticle = container.contains(.article)
    }

    private enum Key: String, CodingKey { case icon, image, thumbnail, article }
  }

  private enum Key: String, CodingKey {
    case id, href, created, updated, state, loaded, url, title, site, published, authors, lang
    case type, description, labels, resources, embed, errors
    case siteName = "site_name"
    case textDirection = "text_direction"
    case hasArticle = "has_article"
    case omitDescription = "omit_description"
    case isMarked = "is_marked"
    case isArchived = "is_archived"
    case readProgress = "read_progress"
    case wordCount = "word_count"
    case readingTime = "reading_time"
    case embedDomain = "embed_domain"
  }
}
