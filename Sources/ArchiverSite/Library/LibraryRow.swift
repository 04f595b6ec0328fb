import ArchiverCore
import ArchiverStorage

/// What lists show of an item; small enough that all of an archive's fit in memory.
struct LibraryRow: Sendable, Hashable {
  let key: ItemKey
  let folder: String
  let kind: ItemMetadata.Kind
  let title: String
  let site: String?
  /// The host, by which sites are told apart.
  let host: String?
  let authors: [String]
  let language: String?
  let direction: TextDirection
  let labels: [String]
  /// When the user saved it, else when it was first archived: what "newest first" goes by.
  let saved: Date
  let archived: Date
  let published: Date?
  let minutes: Int
  let wordCount: Int
  let isFavourite: Bool
  let isDone: Bool
  let readProgress: Int
  let isDeleted: Bool
  let thumbnail: CatalogItem.Thumbnail?
  let byteCount: Int
  let missingImages: Int
  let highlightCount: Int
  let contentHash: String
  /// Seconds since 1970 when the bundle was last written.
  let written: Int
  /// Where in a series or magazine it belongs.
  let place: SeriesPlace?
  /// How it stands between source and archive.
  let status: ItemStatus

  init(_ item: CatalogItem, words: Words, state: QueueState? = nil) {
    status = ItemStatus(item, state)
    let metadata = item.metadata
    key = item.key
    folder = item.folder
    kind = metadata.kind
    title = metadata.displayTitle(words)
    site = metadata.displaySite
    host = metadata.site
    authors = metadata.authors.filter { !$0.isEmpty }
    language = metadata.language
    direction = metadata.textDirection
    labels = LibraryRow.distinct(metadata.labels)
    saved = metadata.added ?? item.firstArchived
    archived = item.firstArchived
    published = metadata.published
    // Of a book only the description's words are counted.
    minutes = SeriesPlace.kinds.contains(kind) ? 0 : max(0, metadata.readingTime ?? 0)
    wordCount = max(0, metadata.wordCount ?? 0)
    isFavourite = metadata.isFavourite
    isDone = metadata.isArchived
    readProgress = min(100, max(0, metadata.readProgress ?? 0))
    isDeleted = item.state == .deleted
    thumbnail = item.thumbnail
    byteCount = item.byteCount
    missingImages = item.missingImages
    highlightCount = item.annotations.count
    contentHash = String(item.contentHash.prefix(16))
    written = Int(max(0, min(item.lastArchived.timeIntervalSince1970, 1e12)))
    place = SeriesPlace(metadata)
  }

  /// Newest first; items of the same second by folder, which no two items share.
  static func newestFirst(_ one: LibraryRow, _ other: LibraryRow) -> Bool {
    one.saved != other.saved ? one.saved > other.saved : one.folder < other.folder
  }

  /// In the order in which they came into the archive: new items come last, so that what is
  /// numbered by it stays where it was.
  static func oldestFirst(_ one: LibraryRow, _ other: LibraryRow) -> Bool {
    one.archived != other.archived
      ? one.archived < other.archived
      : (one.key.source, one.key.id) < (other.key.source, other.key.id)
  }

  private static func distinct(_ labels: [String]) -> [String] {
    var seen: Set<String> = []
    return labels.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
