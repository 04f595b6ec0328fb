import ArchiverCore
import ArchiverStorage

/// An item as lists show it. Only rows that are being processed are in memory; see `RowList`.
///
/// The fields that every update counts are decoded. Texts stay encoded until they are used, as an
/// update shows few of the rows.
final class LibraryRow: Sendable {
  let origin: RowOrigin
  let labelling: RowLabels
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
  /// Seconds since 1970 when the bundle was last written.
  let written: Int
  let marks: Marks
  /// A hash of everything that the catalog has of the item.
  let fingerprint: UInt64
  /// The item's status.
  let status: ItemStatus
  let texts: RowText

  /// Hashes of parts of an item.
  struct Marks: Sendable, Hashable {
    /// The hash of source and id.
    let key: UInt64
    /// The hash of what the bundle was rendered from.
    let content: UInt64
    /// The hash of what `SearchIndex` has of the item, except its text.
    let indexed: UInt64
    /// The hash of what `CatalogIndex` has of the item, except its text.
    let cataloged: UInt64
  }

  /// Creates the row of an item that has no entry in the queue.
  init(_ item: CatalogItem, words: Words, fingerprint: UInt64 = 0) {
    status = .complete
    self.fingerprint = fingerprint
    let metadata = item.metadata
    origin = RowOrigin(item)
    labelling = RowLabels(metadata.labels)
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
    texts = RowText(item, words)
    marks = Marks(item, origin, texts, saved: saved)
  }

  /// Decodes what `encode` wrote.
  init(
    _ reader: inout RowReader, _ bytes: RowBytes, origin: RowOrigin, labels: RowLabels,
    fingerprint: UInt64, status: ItemStatus = .complete
  ) {
    self.status = status
    self.fingerprint = fingerprint
    self.origin = origin
    labelling = labels
    saved = reader.date()
    archived = reader.date()
    published = reader.bool() ? reader.date() : nil
    minutes = reader.int()
    wordCount = reader.int()
    isFavourite = reader.bool()
    isDone = reader.bool()
    readProgress = reader.int()
    byteCount = reader.int()
    missingParts = reader.int()
    highlightCount = reader.int()
    written = reader.int()
    marks = Marks(
      key: reader.number(), content: reader.number(), indexed: reader.number(),
      cataloged: reader.number())
    texts = RowText(bytes, reader.place)
  }

  /// Encodes everything except the fingerprint, the status and the shared attributes. The two times
  /// come first (`RowRecord.savedPlace`).
  func encode(to writer: inout RowWriter) {
    writer.put(saved)
    writer.put(archived)
    writer.put(published != nil)
    if let published { writer.put(published) }
    writer.put(minutes)
    writer.put(wordCount)
    writer.put(isFavourite)
    writer.put(isDone)
    for number in [readProgress, byteCount, missingParts, highlightCount, written] {
      writer.put(number)
    }
    for mark in [marks.key, marks.content, marks.indexed, marks.cataloged] { writer.put(mark) }
    texts.encode(to: &writer)
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

// Shared attributes, and fields that are decoded on access.
extension LibraryRow {
  var source: String { origin.source }
  var kind: ItemMetadata.Kind { origin.kind }
  var direction: TextDirection { origin.direction }
  var standing: ItemState { origin.standing }
  var language: String? { origin.language }
  var site: String? { origin.site }
  var host: String? { origin.host }
  var labels: [String] { labelling.names }

  var key: ItemKey { ItemKey(source: source, id: texts[.id]) }
  var folder: String { texts[.folder] }
  var title: String { texts[.title] }
  /// The first 16 hexadecimal digits of the URL's hash.
  var contentHash: String { texts[.contentHash] }
  var authors: [String] { texts.authors }
  var thumbnail: CatalogItem.Thumbnail? { texts.thumbnail }
  /// The item's series or magazine and its position there.
  var place: SeriesPlace? { texts.place }

  /// The item's name in `GraphStore`: source and id, percent-encoded.
  var stateKey: String {
    let key = key
    return "\(SiteText.path(key.source))\t\(SiteText.path(key.id))"
  }

  /// Returns the hash of an item's source and id.
  static func mark(_ key: ItemKey) -> UInt64 { Fingerprint.of("\(key.source)\u{0}\(key.id)") }

  /// The prefix of the names of the item's text files.
  var textName: String { String(Fingerprint.text(marks.key).prefix(14)) }
}

extension LibraryRow.Marks {
  /// Returns the hash of what an item's bundle was rendered from, with later titles of its links.
  static func content(of item: CatalogItem) -> UInt64 {
    let rendered = WordHash.of(item.contentHash)
    return item.titleUpdates.map { WordHash.add(UInt64(clamping: $0), to: rendered) } ?? rendered
  }

  fileprivate init(
    _ item: CatalogItem, _ origin: RowOrigin, _ texts: RowText, saved: Date
  ) {
    key = LibraryRow.mark(item.key)
    content = LibraryRow.Marks.content(of: item)
    indexed = SearchFields(item, title: texts[.title]).hash(from: key)
    var hash = indexed
    for date in [item.firstArchived, saved] {
      hash = WordHash.add(date.timeIntervalSince1970.bitPattern, to: hash)
    }
    for text in [origin.kind.rawValue, origin.site ?? "", origin.host ?? ""] {
      hash = WordHash.of(text, from: hash)
    }
    cataloged = hash
  }
}
