/// A source: a Readeck, a Notion workspace, a book catalog.
///
/// The pipeline lists a source, decides which items to fetch, and requests them. Listing is
/// separate because it is cheap and shows what did not change, and because a page of it is the unit
/// after which a checkpoint may be stored.
///
/// Contract, each sentence checked by `AdapterConformance`:
/// 1. A listing may be repeated at any time and returns the same items by the same ids.
/// 2. A page may be delivered twice without harm.
/// 3. `item` may be called in any order, concurrently and repeatedly for the same reference.
/// 4. A reference delivered in an earlier run is still valid for `item`, also in another process.
/// 5. An item that was deleted fails with `.notFound`, never with an empty item.
/// 6. A refused credential fails with `.unauthorized` from the first request on.
/// 7. Cancelling the calling task ends the call with `.cancelled`.
/// 8. A built-in source keeps no state outside its own memory and makes requests only with
///    `AdapterContext.http`.
/// 9. `standings` reports nothing as gone or withheld that a listing returns.
public protocol Source: Sendable {
  associatedtype Listing: AsyncSequence<ListingPage, AdapterError> & Sendable

  /// Lists the source's items, newest first if the source can, and its deletions.
  ///
  /// With a checkpoint, only changes since it need be returned. A checkpoint that the source does
  /// not understand, or that belongs to other settings, is ignored.
  func listing(since checkpoint: Checkpoint?) -> Listing

  /// Lists the source's items like `listing(since: nil)`. A source that may omit items gets the
  /// last checkpoint, so that it can request known items. The default ignores it.
  func wholeListing(knowing checkpoint: Checkpoint?) -> Listing

  /// Fetches one item.
  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem

  /// Fetches several items, at most `properties.batchSize` of its kind, in one request if the
  /// source allows.
  ///
  /// Returns one result per reference, in their order. The default fetches them one by one.
  func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>]

  /// Returns the availability of archived items that a full listing did not return, by id; items of
  /// unknown availability are left out.
  ///
  /// For a source whose listing does not prove that other items are gone. Called with at most 100
  /// ids, after a listing without checkpoint. The default returns nothing.
  func standings(of ids: [String]) async throws(AdapterError) -> [String: ItemStanding]

  /// Returns titles of items that were listed without one, by id; unknown ones are left out.
  ///
  /// Used only for display before anything is fetched. The default returns none.
  ///
  /// - Parameter ids: At most 1,000, in the order of fetching.
  func titles(of ids: [String]) async -> [String: String]

  /// Returns the account that the items belong to; `nil`, the default, if unknown.
  ///
  /// Called before a full listing and after the credential changed. An archive with the items of
  /// another account is then not changed.
  func account() async throws(AdapterError) -> SourceAccount?

  /// Returns the account's data besides its items, such as saved searches and settings, as an
  /// object in the source's own format; `nil`, the default, if there are none.
  ///
  /// Called after a full listing and after one with changes. The archive keeps the last result, for `SourceRestorer`.
  func accountRecord() async throws(AdapterError) -> JSONValue?
}

/// The account that a source's items belong to.
public struct SourceAccount: Sendable, Hashable {
  /// A stable id, unique to the account as far as the source allows.
  public let id: String
  /// The account's name, for messages.
  public let name: String

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// The availability of an item at its source.
public enum ItemStanding: Sendable, Hashable {
  case available
  /// Deleted; the user's policy decides what happens to the bundle.
  case gone
  /// Possibly present but not readable, such as a page that is no longer shared. Its bundle stays.
  case withheld
}

/// A built-in kind of source, and how to make one from settings.
public protocol SourceAdapter: Source {
  associatedtype Configuration: Decodable & Sendable

  /// The name on the command line, in the configuration and of the directory: lower-case letters.
  static var kind: String { get }

  /// The properties that pipeline and command line need before a source is made.
  static var properties: AdapterProperties { get }

  /// Validates the configuration and returns how to access the source. Makes no requests.
  static func access(_ configuration: Configuration) throws(AdapterError) -> SourceAccess

  /// Makes a source. Makes no requests.
  init(configuration: Configuration, context: AdapterContext) throws(AdapterError)
}

extension Source {
  public func wholeListing(knowing checkpoint: Checkpoint?) -> Listing { listing(since: nil) }

  public func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>] {
    var results: [Result<SourceItem, AdapterError>] = []
    for reference in references {
      do throws(AdapterError) {
        results.append(.success(try await item(reference)))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }

  public func standings(of ids: [String]) async throws(AdapterError) -> [String: ItemStanding] {
    [:]
  }

  public func titles(of ids: [String]) async -> [String: String] { [:] }

  public func account() async throws(AdapterError) -> SourceAccount? { nil }

  public func accountRecord() async throws(AdapterError) -> JSONValue? { nil }
}

/// A source that issues a credential after the user's consent in a browser.
public protocol InteractiveLogin: SourceAdapter {
  /// Requests a credential from the server at `baseURL`.
  ///
  /// Calls `prompt` once with the URL to open and the code to enter. Then waits until the user
  /// agrees, refuses (`.unauthorized`) or lets the code expire (`.unauthorized`).
  static func logIn(
    baseURL: WebURL, context: AdapterContext, prompt: @Sendable (LoginPrompt) -> Void
  ) async throws(AdapterError) -> Secret
}

/// The action that the user must take to agree to a login.
public struct LoginPrompt: Sendable, Hashable {
  /// The page to open.
  public let url: WebURL
  /// The code to enter there.
  public let code: String
  /// The lifetime of the code.
  public let expiresIn: Duration

  public init(url: WebURL, code: String, expiresIn: Duration) {
    self.url = url
    self.code = code
    self.expiresIn = expiresIn
  }
}

/// The services that an adapter may use.
public struct AdapterContext: Sendable {
  /// The name of this source in the configuration; its kind if there is only one.
  public let name: String
  /// The client for all requests. It adds the credential, limits the rate, and retries after transient failures.
  public let http: any HTTPClient
  public let clock: ArchiverClock
  public let events: any EventSink

  public init(
    name: String, http: any HTTPClient, clock: ArchiverClock = .system,
    events: any EventSink = SilentEventSink()
  ) {
    self.name = name
    self.http = http
    self.clock = clock
    self.events = events
  }

  /// Logs a line for this source.
  public func log(_ level: LogLevel, _ message: String) {
    events.send(.log(level, source: name, message: message))
  }
}

/// The properties of a kind of source.
public struct AdapterProperties: Sendable {
  /// The name to display: "Readeck".
  public let title: String
  /// One line of description for `archiver sources`.
  public let summary: String
  /// The settings, in display order.
  public internal(set) var settings: [AdapterSetting]
  /// The maximum number of references per call of `items`; at least 1.
  public let batchSize: Int
  /// The class names in HTML written by the adapter; all others are removed.
  public let contentClasses: Set<String>
  /// CSS for those classes, put into the page of each of its items: without any URL, for light and
  /// dark.
  public let contentStyle: String
  /// Returns the normal form of any URL of an item of this kind, by which links are compared, with
  /// its fragment; `nil` for any other URL.
  public let linkForm: LinkForm?
  /// Hosts other than the source's own from which it delivers files, such as an object store, in
  /// lower case: a missing image from there is an essential loss.
  public let ownHosts: Set<String>

  /// The class of the element at the end of an item's HTML that holds remarks of others, such as
  /// comments; `nil` if there is none. New remarks make no version.
  public let remarkClass: String?

  /// The class of links that show only an icon and the title of their target; `nil` if there are
  /// none. If the target is renamed, they are updated.
  public let titleClass: String?

  /// The elements by which its HTML marks highlights; `nil` for the general mark.
  public let highlightElement: HighlightElement?

  /// The type of `AdapterProperties.linkForm`.
  public typealias LinkForm = @Sendable (WebURL) -> WebURL?

  public init(
    title: String, summary: String, settings: [AdapterSetting], batchSize: Int = 1,
    contentClasses: Set<String> = [], contentStyle: String = "", linkForm: LinkForm? = nil,
    ownHosts: Set<String> = [], remarkClass: String? = nil, titleClass: String? = nil,
    highlightElement: HighlightElement? = nil
  ) {
    self.highlightElement = highlightElement
    self.titleClass = titleClass
    self.ownHosts = ownHosts
    self.remarkClass = remarkClass
    precondition(batchSize >= 1)
    self.title = title
    self.summary = summary
    self.settings = settings
    self.batchSize = batchSize
    self.contentClasses = contentClasses
    self.contentStyle = contentStyle
    self.linkForm = linkForm
  }
}
