/// An item with its content, as a source delivered it and before anything was sanitised.
public struct SourceItem: Sendable {
  /// The reference as of this delivery; its revision is the content's.
  public var reference: ItemReference
  public var metadata: ItemMetadata
  public var body: ItemBody
  public var attachments: [Attachment]
  public var annotations: [Annotation]
  /// Items of the same source that this one refers to, besides the links in its body.
  public var links: [ItemLink]
  /// What the source knows of its place among others beyond `links`; `nil` where that is nothing.
  public var graph: ItemGraph?
  /// Under which others link to the item, besides `metadata.url`.
  public var addresses: [String]
  /// The source's own record, as received; stored as `source.json` with credentials and signed queries removed by the adapter.
  public var record: [UInt8]?
  /// Sentences for people about what could not be read or was left out.
  public var notes: [String]
  /// Parts that the source has and that could not be read; the files among `attachments` and the
  /// pictures of the body are not repeated here.
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

/// A part of an item that is not in its bundle.
public struct MissingPart: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The article, or the text of a page.
    case text
    /// A book's file, or another file that the item consists of.
    case mainFile
    /// A file that belongs to the item.
    case file
    case picture
    /// What the source delivers apart: blocks of a page, rows of a database.
    case children
    case comments
    /// Properties and other facts.
    case record
  }

  public var kind: Kind
  /// What it is called or its address, for people. Never a secret.
  public var name: String
  /// Why it is missing, as part of a sentence.
  public var reason: String
  /// Whether asking again cannot help, such as after 404 or for what a rule refuses.
  public var isPermanent: Bool
  /// Whether the item is incomplete as a backup without it: its text, its files, and all that the
  /// source's own server was to deliver.
  public var isEssential: Bool

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
  /// An HTML fragment or document in UTF-8 and the address its references are relative to.
  case html([UInt8], baseURL: WebURL?)
  /// There is none, and why, as a sentence for the reader.
  case none(reason: String)
}

/// What is known about an item.
public struct ItemMetadata: Sendable, Hashable, Codable {
  /// What an item is, for the reader and for filters.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case article, photo, video, audio, document, page, database, book, periodical, comic
  }

  public var kind: Kind
  /// Empty when the source has none.
  public var title: String
  /// Where the original is.
  public var url: String?
  /// The host of the original, or another name of its site.
  public var site: String?
  public var siteName: String?
  public var authors: [String]
  public var summary: String?
  /// BCP 47 tag.
  public var language: String?
  public var direction: TextDirection?
  @BoundedDate public var published: Date?
  /// When the user saved the item.
  @BoundedDate public var added: Date?
  @BoundedDate public var modified: Date?
  public var labels: [String]
  public var isFavourite: Bool
  /// Whether the source says that it stays in the archive whatever a budget or a number to keep says;
  /// `nil` where the source has no such thing.
  public var isPinned: Bool?
  /// Whether the user put it away as done.
  public var isArchived: Bool
  /// Per cent read, 0 to 100.
  @BoundedCount(most: 100) public var readProgress: Int?
  /// Larger numbers become `BoundedCount.most`.
  @BoundedCount public var wordCount: Int?
  /// Minutes.
  @BoundedCount public var readingTime: Int?
  /// The series that a book is of, or the magazine of which it is an issue.
  public var series: ItemSeries?
  /// Further facts in the order to show: publisher, series, identifiers. Nothing is read from them.
  public var properties: [ItemProperty]

  public init(kind: Kind, title: String) {
    self.kind = kind
    self.title = title
    authors = []
    labels = []
    isFavourite = false
    isArchived = false
    properties = []
  }
}

/// A series and a place in it.
public struct ItemSeries: Sendable, Hashable, Codable {
  /// Books of one source with the same name are of one series. Not empty.
  public var name: String
  /// As the source writes it: `2`, `2.5`, `May`. Numbers are ordered, all else comes behind them.
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
public enum TextDirection: String, Sendable, Hashable, Codable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"
}

/// A file that belongs to an item besides the images in its body.
public struct Attachment: Sendable {
  public enum Role: String, Sendable, Hashable, Codable {
    /// Shown with the item in lists and at its head.
    case cover
    /// A small picture that stands for the item or its site.
    case icon
    /// A picture that is the content.
    case image
    /// A file to download or open.
    case file
  }

  public enum Location: Sendable {
    /// To be fetched over the source's client.
    case remote(WebURL)
    /// Already here. In the text of a CSV or JSON file `archived-file:ADDRESS` stands for where the file
    /// of that address lies in the bundle, `assets/1f0c…9a.pdf`; it becomes the address where the bundle
    /// lacks the file. A signature that changes with every delivery is left out of the address.
    case inline([UInt8])
  }

  public var role: Role
  public var location: Location
  /// A file name to suggest. Only a CSV or JSON file that came with the item is kept under it, when it is
  /// made of small letters, digits and hyphens; it never is a path.
  public var name: String?
  /// What the source says it is; the bytes decide.
  public var mediaType: String?
  /// Words that stand for it.
  public var caption: String?
  /// Changes whenever the file at a remote location may have changed; compared for equality only.
  public var revision: String?
  /// Bytes that it will have, as far as the source says; the transfer decides.
  public var byteCount: Int?
  /// Pixels, where known.
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

/// A passage the user marked.
public struct Annotation: Sendable, Hashable, Codable {
  /// The source's id; the body marks its pieces with it.
  public var id: String
  public var text: String
  public var note: String?
  /// A colour word such as `yellow`, or whatever the source has.
  public var color: String?
  @BoundedDate public var created: Date?
  /// Whether the page has no mark of the passage, so that its words alone lead there; set when the
  /// page is made, and `nil` where it has one.
  public var isUnmarked: Bool?

  public init(
    id: String, text: String, note: String? = nil, color: String? = nil, created: Date? = nil
  ) {
    self.id = id
    self.text = text
    self.note = note
    self.color = color
    self.created = created
  }
}

/// A reference from an item to another of the same source.
public struct ItemLink: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable {
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
