/// A source whose archived items can be restored to an empty server.
public protocol RestorableSource: SourceAdapter {
  /// Writes the files that the server imports.
  static var restorer: any SourceRestorer { get }
}

/// Writes archived items in the import format of their server. Makes no requests; equal items give
/// equal files.
public protocol SourceRestorer: Sendable {
  /// How to import the files, as a sentence for the user.
  var advice: String { get }

  /// Returns the files of one item. Throws `AdapterError` for one that cannot be restored.
  func files(of item: KeptItem) throws(AdapterError) -> RestoredItem

  /// Returns the files that describe all items and their account.
  ///
  /// - Parameters:
  ///   - ids: The ids of the items, in order.
  ///   - owner: The account of the restored items.
  func index(of ids: [String], owner: RestoredOwner) throws(AdapterError) -> RestoredItem
}

/// The account that owns restored items.
public struct RestoredOwner: Sendable {
  /// The name by which it logs in.
  public var name: String
  /// The results of `Source.accountRecord` of the sources whose items are restored.
  public var records: [JSONValue]
  /// Settings, in the source's own format, that replace those of the records; `nil` to use the records'.
  public var settings: JSONValue?

  public init(name: String, records: [JSONValue] = [], settings: JSONValue? = nil) {
    self.name = name
    self.records = records
    self.settings = settings
  }
}

/// A source whose server can replace an account by a file of the kind's `SourceRestorer`.
public protocol AccountReplacing: Source {
  /// Returns the account that `replace` would replace. Throws `.configuration` if the server cannot import.
  func replaceableAccount() async throws(AdapterError) -> ReplaceableAccount

  /// Sends the file at `path`, a ZIP file whose index names this account, and waits until the server has imported it.
  ///
  /// If it throws, the account is unchanged, except after `.unavailable`: its state is then unknown.
  func replace(_ account: ReplaceableAccount, byFile path: String) async throws(AdapterError)
}

/// An account that can be replaced.
public struct ReplaceableAccount: Sendable {
  /// The name by which it logs in.
  public var name: String
  /// The number of its items; `nil` if the server does not report it.
  public var items: Int?
  /// The present settings, for `RestoredOwner.settings`; `nil` if the server does not report them.
  public var settings: JSONValue?

  public init(name: String, items: Int?, settings: JSONValue?) {
    self.name = name
    self.items = items
    self.settings = settings
  }
}

/// A source whose server takes archived items one by one.
public protocol RestoreTarget: Source {
  /// Lists the account's items and returns a `Restoration` that adds items to the account.
  func restoration() async throws(AdapterError) -> any Restoration
}

/// Adds archived items to the account of a server. Used by one task at a time.
public protocol Restoration: Sendable {
  /// Whether the account has the complete item. Makes no request. Throws as `add` for one that cannot be restored.
  func has(_ item: KeptItem) throws(AdapterError) -> Bool

  /// Adds an item unless the account has it, so that a second call changes nothing. An item that an earlier call left
  /// incomplete is completed.
  ///
  /// Throws `.malformed`, `.tooLarge` or `.notFound` for an item that cannot be restored; any other error concerns the
  /// server.
  func add(_ item: KeptItem) async throws(AdapterError) -> AddedItem

  /// Adds an account's data besides its items, from a result of `Source.accountRecord`, unless this account has the
  /// same. A second call changes nothing.
  ///
  /// - Parameters:
  ///   - accountRecord: The archived record.
  ///   - isDry: Whether only to count.
  func add(accountRecord: JSONValue, isDry: Bool) async throws(AdapterError) -> AddedParts
}

/// The result of adding an account's data besides its items.
public struct AddedParts: Sendable {
  /// The number of parts that the account did not have.
  public var added: Int
  /// The number of parts that the account already had.
  public var present: Int
  /// The losses, as in `RestoredItem`.
  public var losses: [String]

  public init(added: Int = 0, present: Int = 0, losses: [String] = []) {
    self.added = added
    self.present = present
    self.losses = losses
  }
}

/// The result of adding an item.
public struct AddedItem: Sendable {
  /// Whether the item was added or completed; false if the account already had it.
  public var isNew: Bool
  /// The losses, as in `RestoredItem`.
  public var losses: [String]

  public init(isNew: Bool, losses: [String] = []) {
    self.isNew = isNew
    self.losses = losses
  }
}

/// An archived item.
public struct KeptItem: Sendable {
  /// A file of the bundle.
  public struct File: Sendable {
    public var role: Attachment.Role?
    /// The file's URL at the source, without fragment and signature.
    public var url: String?
    /// The file's path on disk.
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
  /// The source's own record; `nil` if the archive has none.
  public var record: [UInt8]?
  /// The HTML as delivered by the source; `nil` if the item has no text.
  public var html: [UInt8]?
  public var files: [File]
  /// The number of files that the source delivered with the item and that the bundle lacks.
  public var absent = 0

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

/// A file to import.
public struct RestoredFile: Sendable {
  public enum Content: Sendable {
    case bytes([UInt8])
    /// The path of a file to copy.
    case file(String)
  }

  /// The relative path, with slashes.
  public var name: String
  public var content: Content

  public init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}

/// The files of an item or of an index, and their losses.
public struct RestoredItem: Sendable {
  public var files: [RestoredFile]
  /// The losses, as words such as `highlight` or `picture`; one word for each loss.
  public var losses: [String]

  public init(files: [RestoredFile] = [], losses: [String] = []) {
    self.files = files
    self.losses = losses
  }
}
