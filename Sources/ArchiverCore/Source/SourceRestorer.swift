/// A source whose items can be put back into an empty server from what the archive keeps.
public protocol RestorableSource: SourceAdapter {
  /// What writes the files that the server reads.
  static var restorer: any SourceRestorer { get }
}

/// Writes kept items in the form that a server of their kind takes in. It asks nothing of any server, and
/// the same items give the same files.
public protocol SourceRestorer: Sendable {
  /// How the files get into the server, as a sentence for people.
  var advice: String { get }

  /// Returns the files of one item. Throws `AdapterError` for one that cannot be put back.
  func files(of item: KeptItem) throws(AdapterError) -> RestoredItem

  /// Returns the files that stand for all of them.
  ///
  /// - Parameters:
  ///   - ids: Of the items, in their order.
  ///   - user: Whose they will be.
  func index(of ids: [String], user: String) throws(AdapterError) -> [RestoredFile]
}

/// An item as the archive keeps it.
public struct KeptItem: Sendable {
  /// A file of the bundle.
  public struct File: Sendable {
    public var role: Attachment.Role?
    /// Its address at the source, without fragment and signature.
    public var url: String?
    /// Where it lies on this disk.
    public var path: String
    public var mediaType: String
    public var width: Int?
    public var height: Int?

    public init(
      role: Attachment.Role?, url: String?, path: String, mediaType: String, width: Int?,
      height: Int?
    ) {
      self.role = role
      self.url = url
      self.path = path
      self.mediaType = mediaType
      self.width = width
      self.height = height
    }
  }

  public var id: String
  public var metadata: ItemMetadata
  public var annotations: [Annotation]
  /// The source's own record; `nil` where the archive has none.
  public var record: [UInt8]?
  /// The HTML as the source delivered it; `nil` where the item has no text.
  public var html: [UInt8]?
  public var files: [File]

  public init(
    id: String, metadata: ItemMetadata, annotations: [Annotation], record: [UInt8]?, html: [UInt8]?,
    files: [File]
  ) {
    self.id = id
    self.metadata = metadata
    self.annotations = annotations
    self.record = record
    self.html = html
    self.files = files
  }
}

/// A file for a server.
public struct RestoredFile: Sendable {
  public enum Content: Sendable {
    case bytes([UInt8])
    /// The file that lies at this path.
    case file(String)
  }

  /// Relative, with slashes.
  public var name: String
  public var content: Content

  public init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}

/// The files of an item, and what could not be put into them.
public struct RestoredItem: Sendable {
  public var files: [RestoredFile]
  /// What is lost, each as a word or two, such as `highlight` or `picture`; once for each.
  public var losses: [String]

  public init(files: [RestoredFile] = [], losses: [String] = []) {
    self.files = files
    self.losses = losses
  }
}
