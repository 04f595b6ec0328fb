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
  /// The members that have a value of a wrong type, such as `labels` or `resources.image`.
  let unreadable: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    guard !id.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: container, debugDescription: "it is empty")
    }
    var members = MemberReader(container)
    href = members.value(.href)
    created = members.value(.created)
    updated = members.value(.updated)
    rawUpdated = container.lenient(.updated)
    state = members.value(.state, as: Int.self).flatMap(State.init)
    isLoaded = members.value(.loaded) ?? (state != .loading)
    url = members.value(.url)
    title = members.value(.title) ?? ""
    siteName = members.value(.siteName)
    site = members.value(.site)
    published = members.value(.published)
    authors = members.texts(.authors)
    language = members.value(.lang)
    textDirection = members.value(.textDirection)
    type = members.value(.type)
    description = members.value(.description)
    omitsDescription = members.value(.omitDescription) ?? false
    isMarked = members.value(.isMarked) ?? false
    isArchived = members.value(.isArchived) ?? false
    labels = members.texts(.labels)
    readProgress = members.value(.readProgress)
    wordCount = members.value(.wordCount)
    readingTime = members.value(.readingTime)
    let resources = members.value(.resources, as: Resources.self)
    icon = resources?.icon
    image = resources?.image
    thumbnail = resources?.thumbnail
    hasArticle = members.value(.hasArticle) ?? resources?.hasArticle ?? false
    embed = members.value(.embed)
    embedDomain = members.value(.embedDomain)
    errors = members.texts(.errors)
    unreadable = members.unreadable + (resources?.unreadable ?? []).map { "resources.\($0)" }
  }

  /// The revision of a bookmark, independent of how it was listed.
  var revision: String { updated?.canonical ?? rawUpdated ?? "" }

  private struct Resources: Decodable {
    let icon: Picture?
    let image: Picture?
    let thumbnail: Picture?
    let hasArticle: Bool
    let unreadable: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      var members = MemberReader(container)
      icon = members.value(.icon)
      image = members.value(.image)
      thumbnail = members.value(.thumbnail)
      hasArticle = container.contains(.article)
      unreadable = members.unreadable
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
