import ArchiverCore
import ArchiverStorage

/// An item as lists show it. Only rows that are being processed are in memory; see `RowList`.
final class LibraryRow: Sendable {
  let origin: RowOrigin
  /// The labels in composed form, without duplicates, in the source's order.
  let labels: [String]
  /// The time at which the user saved the item, or else that of its first archiving; the date for
  /// "newest first".
  let saved: Date
  let archived: Date
  let published: Date?
  let minutes: Int
  let wordCount: Int
  let isFavourite: Bool
  let isDone: Bool
  let readProgress: Int
  let byteCount: Int
  /// The number of missing parts, including images.
  let missingParts: Int
  let highlightCount: Int
  /// The time of the last writing of the bundle, in seconds since 1970.
  let written: Int
  let marks: Marks
  /// A hash of the item's record in the catalog.
  let fingerprint: UInt64
  /// The item's status.
  let status: ItemStatus
  let id: String
  let folder: String
  let title: String
  /// The first 16 hexadecimal digits of the URL's hash.
  let contentHash: String
  let thumbnail: CatalogItem.Thumbnail?
  /// The authors and the position in a series as JSON, which few lists show.
  private let authorList: String
  private let placeRecord: String?

  /// Hashes of parts of an item.
  struct Marks: Sendable, Hashable {
    /// The hash of source and id.
    let key: UInt64
    /// The hash of the input from which the bundle was rendered.
    let content: UInt64
    /// The hash of the item's data in the search index, except its text.
    let indexed: UInt64
  }

  /// Flags of properties that few items have and that some pages list.
  enum Traits {
    static let highlighted = 1
    static let incomplete = 2
    static let deleted = 4
    static let withheld = 8
    static let book = 16
    /// Pages are in the graph even without links.
    static let page = 32
  }

  /// Creates the row of an item that has no entry in the queue.
  init(_ item: CatalogItem, words: Words, fingerprint: UInt64 = 0) {
    status = .complete
    self.fingerprint = fingerprint
    let metadata = item.metadata
    origin = RowOrigin(item)
    labels = LibraryRow.labels(metadata.labels)
    saved = metadata.added ?? item.firstArchived
    archived = item.firstArchived
    published = metadata.published
    // For a book, only the description's words would be counted.
    minutes =
      SeriesPlace.kinds.contains(metadata.kind) ? 0 : max(0, metadata.readingTime ?? 0)
    wordCount = max(0, metadata.wordCount ?? 0)
    isFavourite = metadata.isFavourite
    isDone = metadata.isArchived
    readProgress = min(100, max(0, metadata.readProgress ?? 0))
    byteCount = max(0, item.byteCount)
    missingParts = max(0, item.losses?.total ?? item.missingImages)
    highlightCount = item.annotations.count
    written = Int(max(0, min(item.lastArchived.timeIntervalSince1970, 1e12)))
    id = item.key.id
    folder = item.folder
    title = metadata.displayTitle(words)
    contentHash = String(item.contentHash.prefix(16))
    thumbnail = item.thumbnail
    authorList = StoredJSON.text(metadata.authors.filter { !$0.isEmpty })
    placeRecord = SeriesPlace(metadata).map(StoredJSON.text)
    marks = Marks(item, title: title)
  }

  /// Reads a row of `columns`.
  init(_ row: Statement, origin: RowOrigin, labels: [String], status: ItemStatus) {
    self.origin = origin
    self.labels = labels
    self.status = status
    fingerprint = row.number(2)
    saved = row.date(3)
    archived = row.date(4)
    published = row.optionalDate(5)
    minutes = row.int(6)
    highlightCount = row.int(7)
    isFavourite = row.bool(8)
    isDone = row.bool(9)
    readProgress = row.int(10)
    wordCount = row.int(11)
    byteCount = row.int(12)
    missingParts = row.int(13)
    written = row.int(14)
    marks = Marks(key: row.number(15), content: row.number(16), indexed: row.number(17))
    id = row.text(18)
    folder = row.text(19)
    title = row.text(20)
    contentHash = row.text(21)
    thumbnail = row.optionalText(22).map {
      CatalogItem.Thumbnail(path: $0, width: row.optionalInt(23), height: row.optionalInt(24))
    }
    authorList = row.text(25)
    placeRecord = row.optionalText(26)
  }

  /// The columns of `items` that a row is read from; `values` are written to them.
  static let columns = [
    "origin", "labels", "fingerprint", "saved", "archived", "published", "minutes", "highlights",
    "favourite", "done", "progress", "words", "bytes", "missing", "written", "key", "content",
    "indexed", "id", "folder", "title", "hash", "picture", "width", "height",
    "authors", "place",
  ]

  /// The values of `columns`, with the numbers of the shared attributes.
  func values(origin: Int, labels: Int) -> [any SQLValue] {
    [
      origin, labels, fingerprint, saved, archived, published, minutes, highlightCount,
      isFavourite, isDone, readProgress, wordCount, byteCount, missingParts, written, marks.key,
      marks.content, marks.indexed, id, folder, title, contentHash,
      thumbnail?.path, thumbnail?.width, thumbnail?.height, authorList, placeRecord,
    ]
  }

  /// The item's flags of `Traits`.
  var traits: Int {
    var traits = highlightCount > 0 ? Traits.highlighted : 0
    if missingParts > 0 { traits |= Traits.incomplete }
    if standing == .deleted { traits |= Traits.deleted }
    if standing == .withheld { traits |= Traits.withheld }
    if SeriesPlace.kinds.contains(kind) { traits |= Traits.book }
    if kind == .page || kind == .database { traits |= Traits.page }
    return traits
  }

  var authors: [String] { StoredJSON.value([String].self, authorList) ?? [] }

  /// The item's series or magazine and its position there.
  var place: SeriesPlace? { placeRecord.flatMap { StoredJSON.value(SeriesPlace.self, $0) } }

  /// Returns labels in composed form, without duplicates and empty ones.
  static func labels(_ names: [String]) -> [String] {
    var seen: Set<ByteKey> = []
    return names.map(NormalForms.shared.composed).filter {
      !$0.isEmpty && seen.insert(ByteKey($0)).inserted
    }
  }

  /// The key of the localised string for an item deleted or withheld at the source; `nil` if the
  /// source has it.
  var standingWord: String? {
    switch standing {
    case .archived: nil
    case .deleted: "gone"
    case .withheld: "withheld"
    }
  }
}

// The shared attributes.
extension LibraryRow {
  var source: String { origin.source }
  var kind: ItemMetadata.Kind { origin.kind }
  var direction: TextDirection { origin.direction }
  var standing: ItemState { origin.standing }
  var language: String? { origin.language }
  var site: String? { origin.site }
  var host: String? { origin.host }
  var key: ItemKey { ItemKey(source: source, id: id) }

  /// Returns the hash of an item's source and id.
  static func mark(_ key: ItemKey) -> UInt64 { Fingerprint.of("\(key.source)\u{0}\(key.id)") }

  /// The prefix of the names of the item's text files.
  var textName: String { LibraryRow.textName(marks.key) }

  /// The number of hexadecimal digits of such a prefix.
  static let textNameLength = 14

  static func textName(_ key: UInt64) -> String {
    String(Fingerprint.text(key).prefix(textNameLength))
  }
}

extension LibraryRow.Marks {
  /// Returns the hash of the input from which an item's bundle was rendered, including later titles of its links.
  static func content(of item: CatalogItem) -> UInt64 {
    let rendered = WordHash.of(item.contentHash)
    return item.titleUpdates.map { WordHash.add(UInt64(clamping: $0), to: rendered) } ?? rendered
  }

  fileprivate init(_ item: CatalogItem, title: String) {
    key = LibraryRow.mark(item.key)
    content = LibraryRow.Marks.content(of: item)
    indexed = SearchFields(item, title: title).hash(from: key)
  }
}

/// Attributes that many items share: stored, counted and decoded once.
final class RowOrigin: Sendable, Codable {
  let source: String
  let kind: ItemMetadata.Kind
  let direction: TextDirection
  /// Whether the source still has the item and permits reading it.
  let standing: ItemState
  let language: String?
  let site: String?
  /// The host, which identifies the site.
  let host: String?

  init(_ item: CatalogItem) {
    let metadata = item.metadata
    source = item.key.source
    kind = metadata.kind
    direction = metadata.textDirection
    standing = item.state
    language = metadata.language
    site = metadata.displaySite.map(NormalForms.shared.composed)
    host = metadata.site.map(NormalForms.shared.composed)
  }
}
