/// An item with its content as delivered by a source, not sanitised.
public struct SourceItem: Sendable {
  /// The reference at this delivery; its revision is the content's.
  public var reference: ItemReference
  public var metadata: ItemMetadata
  public var body: ItemBody
  public var attachments: [Attachment]
  public var annotations: [Annotation]
  /// Relations to items of the same source, besides the links in its body.
  public var links: [ItemLink]
  /// Further relations that the source knows; `nil` if `links` is complete.
  public var graph: ItemGraph?
  /// Further URLs by which others link to the item, besides `metadata.url`.
  public var addresses: [String]
  /// The source's own record as received, with credentials and presigned queries removed by the
  /// adapter; stored as `source.json`.
  public var record: [UInt8]?
  /// Sentences for people about parts that could not be read or were left out.
  public var notes: [String]
  /// Parts of the item that could not be read, except `attachments` and images of the body.
  public var missing: [MissingPart]

  public init(
    reference: ItemReference, metadata: ItemMetadata, body: ItemBody,
    attachments: [Attachment] = [], annotations: [Annotation] = [], links: [ItemLink] = [],
    addresses: [String] = [], record: [UInt8]? = nil, notes: [String] = [],
    missing: [MissingPart] = []
  ) {
    self.missing = missing
    self.reference = reference
    self.metadata = metadata
    self.body = body
    self.attachments = attachments
    self.annotations = annotations
    self.links = links
    self.addresses = addresses
    self.record = record
    self.notes = notes
  }
}

/// A part of an item that is missing from its bundle.
public struct MissingPart: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The article, or the text of a page.
    case text
    /// A book's file, or another file that is the item.
    case mainFile
    /// A file that belongs to the item.
    case file
    case picture
    /// Parts that the source delivers separately: blocks of a page, rows of a database.
    case children
    case comments
    /// Properties and other metadata.
    case record
  }

  public var kind: Kind
  /// The part's name or URL, for people. Never a secret.
  public var name: String
  /// Why it is missing, as part of a sentence.
  public var reason: String
  /// Whether a retry cannot help, such as after 404 or if a rule denies it.
  public var isPermanent: Bool
  /// Whether a backup without it is incomplete: text, files, and all that the source's own server
  /// should deliver.
  public var isEssential: Bool
  /// Whether the bundle contains the part, although it cannot be read in full; `nil` means no.
  public var isKept: Bool?

  public init(
    _ kind: Kind, name: String, reason: String, isPermanent: Bool = false, isEssential: Bool = true
  ) {
    self.kind = kind
    self.name = name
    self.reason = reason
    self.isPermanent = isPermanent
    self.isEssential = isEssential
  }
}

/// The main content of an item.
public enum ItemBody: Sendable {
  /// An HTML fragment or document in UTF-8, with the base URL of its references.
  case html([UInt8], baseURL: WebURL?)
  /// No content, with the reason as a sentence for the reader.
  case none(reason: String)
}

/// The metadata of an item.
public struct ItemMetadata: Sendable, Hashable, Codable {
  /// The kind of an item, for readers and filters.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case article, photo, video, audio, document, page, database, book, periodical, comic
  }

  public var kind: Kind
  /// The title; empty if the source has none.
  public var title: String
  /// The URL of the original.
  public var url: String?
  /// The host of the original, or another name of its site.
  public var site: String?
  public var siteName: String?
  public var authors: [String] = []
  public var summary: String?
  /// A BCP 47 tag.
  public var language: String?
  public var direction: TextDirection?
  @BoundedDate public var published: Date?
  /// When the user saved the item.
  @BoundedDate public var added: Date?
  @BoundedDate public var modified: Date?
  public var labels: [String] = []
  public var isFavourite = false
  /// Whether the source marks the item as exempt from budget and retention; `nil` if the source has
  /// no such mark.
  public var isPinned: Bool?
  /// Whether the user archived it at the source.
  public var isArchived = false
  /// Reading progress in per cent, 0 to 100.
  @BoundedCount(most: 100) public var readProgress: Int?
  /// The number of words, clamped to `BoundedCount.most`.
  @BoundedCount public var wordCount: Int?
  /// The reading time in minutes.
  @BoundedCount public var readingTime: Int?
  /// The series of a book, or the magazine of an issue.
  public var series: ItemSeries?
  /// Further facts in the order to show: publisher, series, identifiers. For display only.
  public var properties: [ItemProperty] = []

  public init(kind: Kind, title: String) {
    self.kind = kind
    self.title = title
  }
}

/// A series and a position in it.
public struct ItemSeries: Sendable, Hashable, Codable {
  /// Books of one source with the same name belong to one series. Not empty.
  public var name: String
  /// The position as the source writes it: `2`, `2.5`, `May`. Numbers are sorted; everything else
  /// follows them.
  public var position: String?

  public init(_ name: String, position: String? = nil) {
    self.name = name
    self.position = position
  }
}

/// A named fact of an item.
public struct ItemProperty: Sendable, Hashable, Codable {
  public let name: String
  public let value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The base direction of text.
public enum TextDirection: String, Sendable, Hashable, Codable, CaseIterable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// A file that belongs to an item besides the images in its body.
public struct Attachment: Sendable {
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    /// An image shown with the item in lists and at its head.
    case cover
    /// A small image for the item or its site.
    case icon
    /// An image that is the content.
    case image
    /// A file to download or open.
    case file
  }

  public enum Location: Sendable {
    /// A URL to fetch with the source's client.
    case remote(WebURL)
    /// The bytes themselves. In a CSV or JSON file, `archived-file:URL` is a placeholder for the
    /// path of the file of that URL in the bundle, `assets/1f0c…9a.pdf`, or for the URL if the
    /// bundle lacks the file. The URL is given without a signature that changes with every
    /// delivery.
    case inline([UInt8])
  }

  public var role: Role
  public var location: Location
  /// The URL by which the content refers to a file whose bytes came with the item; `nil` if it does
  /// not. It is not requested.
  public var address: WebURL?
  /// A suggested file name, never a path. Only a CSV or JSON file that came with the item keeps it,
  /// if it consists of small letters, digits and hyphens.
  public var name: String?
  /// The type declared by the source, if known; the file's bytes take precedence.
  public var mediaType: String?
  /// A caption or alternative text.
  public var caption: String?
  /// A text that changes whenever the file at a remote location may have changed; compared for equality only.
  public var revision: String?
  /// The declared size in bytes, if known; the downloaded file may differ.
  public var byteCount: Int?
  /// The exact size in bytes of the file that the server would send now, if the server gives no other
  /// sign of a change. An archived file of another size is downloaded again, whatever the revision.
  public var servedByteCount: Int?
  /// The width in pixels, if known.
  @BoundedCount public var width: Int?
  @BoundedCount public var height: Int?

  public init(
    _ role: Role, _ location: Location, name: String? = nil, mediaType: String? = nil,
    caption: String? = nil, width: Int? = nil, height: Int? = nil, revision: String? = nil
  ) {
    self.role = role
    self.location = location
    self.name = name
    self.mediaType = mediaType
    self.caption = caption
    self.width = width
    self.height = height
    self.revision = revision
  }
}

/// A passage that the user highlighted.
public struct Annotation: Sendable, Hashable, Codable {
  /// The source's id, with which the body marks the passage.
  public var id: String
  public var text: String
  public var note: String?
  /// A colour name such as `yellow`, or any other value of the source.
  public var color: String?
  @BoundedDate public var created: Date?
  /// The start and end of the passage in the text as delivered; `nil` if the source does not report them.
  public var start: Position?
  public var end: Position?
  /// Whether the page has no mark of the passage, so that only its words can be linked to; set when
  /// the page is rendered, `nil` if it has one.
  public var isUnmarked: Bool?

  /// A position in the delivered text.
  public struct Position: Sendable, Hashable, Codable {
    /// The path of an element, in the form of the source: `section/p[2]` (XPath 1.0) for Readeck.
    public var selector: String
    /// The number of characters before the position, from the start of the element. Counted as the
    /// source counts them: in Unicode scalar values for Readeck.
    public var offset: Int

    /// - Parameters:
    ///   - selector: The path of an element.
    ///   - offset: The number of characters from its start; negative values count as 0.
    public init(selector: String, offset: Int) {
      self.selector = selector
      self.offset = max(0, offset)
    }
  }

  public init(
    id: String, text: String, note: String? = nil, color: String? = nil, created: Date? = nil,
    start: Position? = nil, end: Position? = nil
  ) {
    self.id = id
    self.text = text
    self.note = note
    self.color = color
    self.created = created
    self.start = start
    self.end = end
  }
}

/// A relation of an item to another of the same source.
public struct ItemLink: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case parent, link, mention, relation
  }

  public var kind: Kind
  /// The id of the other item.
  public var target: String

  public init(_ kind: Kind, target: String) {
    self.kind = kind
    self.target = target
  }
}
