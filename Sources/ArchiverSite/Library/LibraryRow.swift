import ArchiverCore
import ArchiverStorage

/// What lists show of an item; small enough that all of an archive's fit in memory.
final class LibraryRow: Sendable {
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
  /// Whether the source still has it and lets it be read.
  let standing: ItemState
  let thumbnail: CatalogItem.Thumbnail?
  let byteCount: Int
  let missingImages: Int
  let highlightCount: Int
  let contentHash: String
  /// Seconds since 1970 when the bundle was last written.
  let written: Int
  /// Where in a series or magazine it belongs.
  let place: SeriesPlace?
  /// The item's name in `TextState`.
  let stateKey: String
  /// Names the item's text files.
  let textName: String
  /// Differs when anything that the pages show of the item differs.
  let fingerprint: UInt64
  /// How it stands between source and archive.
  let status: ItemStatus

  /// `fingerprint` is the item's own.
  init(_ item: CatalogItem, words: Words, state: QueueState? = nil, fingerprint: UInt64 = 0) {
    let status = ItemStatus(item, state)
    self.status = status
    self.fingerprint =
      status == .complete ? fingerprint : WordHash.of(status.rawValue, from: fingerprint)
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
    standing = item.state
    thumbnail = item.thumbnail
    byteCount = item.byteCount
    missingImages = item.missingImages
    highlightCount = item.annotations.count
    contentHash = String(item.contentHash.prefix(16))
    written = Int(max(0, min(item.lastArchived.timeIntervalSince1970, 1e12)))
    place = SeriesPlace(metadata)
    stateKey = "\(SiteText.path(item.key.source))\t\(SiteText.path(item.key.id))"
    textName = String(
      Fingerprint.text(Fingerprint.of("\(item.key.source)\u{0}\(item.key.id)")).prefix(14))
  }

  /// Reads what `encode` wrote of an item of which the queue knows nothing; `nil` when it is not whole.
  init?(_ reader: inout RowReader, fingerprint: UInt64) {
    status = .complete
    self.fingerprint = fingerprint
    key = ItemKey(source: reader.text(), id: reader.text())
    folder = reader.text()
    guard let kind = ItemMetadata.Kind(rawValue: reader.text()) else { return nil }
    self.kind = kind
    title = reader.text()
    site = reader.optionalText()
    host = reader.optionalText()
    authors = reader.list { $0.text() }
    language = reader.optionalText()
    guard let direction = TextDirection(rawValue: reader.text()) else { return nil }
    self.direction = direction
    labels = reader.list { $0.text() }
    saved = reader.date()
    archived = reader.date()
    published = reader.bool() ? reader.date() : nil
    minutes = reader.int()
    wordCount = reader.int()
    isFavourite = reader.bool()
    isDone = reader.bool()
    readProgress = reader.int()
    guard let standing = ItemState(rawValue: reader.text()) else { return nil }
    self.standing = standing
    thumbnail =
      reader.bool()
      ? CatalogItem.Thumbnail(
        path: reader.text(), width: reader.optionalInt(), height: reader.optionalInt()) : nil
    byteCount = reader.int()
    missingImages = reader.int()
    highlightCount = reader.int()
    contentHash = reader.text()
    written = reader.int()
    place = reader.bool() ? SeriesPlace(&reader) : nil
    stateKey = reader.text()
    textName = reader.text()
    guard reader.isAtEnd else { return nil }
  }

  /// Writes everything but the fingerprint and the status.
  func encode(to writer: inout RowWriter) {
    for text in [key.source, key.id, folder, kind.rawValue, title] { writer.put(text) }
    writer.put(site)
    writer.put(host)
    writer.put(authors) { $0.put($1) }
    writer.put(language)
    writer.put(direction.rawValue)
    writer.put(labels) { $0.put($1) }
    writer.put(saved)
    writer.put(archived)
    writer.put(published != nil)
    if let published { writer.put(published) }
    writer.put(minutes)
    writer.put(wordCount)
    writer.put(isFavourite)
    writer.put(isDone)
    writer.put(readProgress)
    writer.put(standing.rawValue)
    writer.put(thumbnail != nil)
    if let thumbnail {
      writer.put(thumbnail.path)
      writer.put(thumbnail.width)
      writer.put(thumbnail.height)
    }
    for number in [byteCount, missingImages, highlightCount] { writer.put(number) }
    writer.put(contentHash)
    writer.put(written)
    writer.put(place != nil)
    place?.encode(to: &writer)
    writer.put(stateKey)
    writer.put(textName)
  }

  /// The key of the words that say where it is no more; `nil` while the source has it.
  var standingWord: String? {
    switch standing {
    case .archived: nil
    case .deleted: "gone"
    case .withheld: "withheld"
    }
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
