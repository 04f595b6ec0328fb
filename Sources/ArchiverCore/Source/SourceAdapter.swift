/// One source, ready to be read: a Readeck, a Notion workspace, a book catalog.
///
/// The pipeline lists a source, decides what is worth fetching, and asks for those items. The two
/// steps are apart because a cheap listing lets it skip what did not change, and because a page of
/// the listing is the unit after which a checkpoint may be stored.
///
/// Contract, each sentence checked by `AdapterConformance`:
/// 1. A listing may be started again at any time and then names the same items by the same ids.
/// 2. A page may be delivered twice without harm.
/// 3. `item` may be called in any order, concurrently and repeatedly for the same reference.
/// 4. A reference delivered in an earlier run is still good for `item`, in another process too.
/// 5. An item that is gone fails with `.notFound`, never with an empty item.
/// 6. A refused credential fails with `.unauthorized` from the first request on.
/// 7. Cancelling the calling task ends the call with `.cancelled`.
/// 8. One that is built in keeps no state outside its own memory and asks for nothing but over
///    `AdapterContext.http`.
/// 9. `standings` calls nothing gone or withheld that a listing names.
public protocol Source: Sendable {
  associatedtype Listing: AsyncSequence<ListingPage, AdapterError> & Sendable

  /// Names the source's items, newest first where the source can, and its deletions.
  ///
  /// With a checkpoint only what changed since it need be named. A checkpoint that the source no
  /// longer understands, or that belongs to other settings, is treated like none.
  func listing(since checkpoint: Checkpoint?) -> Listing

  /// Names the source's items as `listing(since: nil)` does, with the last listing's checkpoint at hand
  /// for a source that may not name again what it named once. The default makes nothing of it.
  func wholeListing(knowing checkpoint: Checkpoint?) -> Listing

  /// Fetches one item.
  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem

  /// Fetches several items, at most `properties.batchSize` of its kind, in one go where the source
  /// allows.
  ///
  /// Returns one result per reference, in their order. The default asks for one after the other.
  func items(_ references: [ItemReference]) async -> [Result<SourceItem, AdapterError>]

  /// Tells how archived items stand that a listing of everything did not name, by id; those of which
  /// it can tell nothing are left out.
  ///
  /// For a source whose listing is no proof that the rest is gone. Called with at most 100 ids, after
  /// a listing without checkpoint. The default knows nothing of any.
  func standings(of ids: [String]) async throws(AdapterError) -> [String: ItemStanding]

  /// Finds titles of items that its listing names without any, by id; those that it does not find are
  /// left out.
  ///
  /// Only for what is shown before anything is fetched. The default knows none.
  ///
  /// - Parameter ids: At most 1,000, those to be fetched first before the others.
  func titles(of ids: [String]) async -> [String: String]

  /// Tells whose items the source gives; `nil`, as by default, where it cannot say.
  ///
  /// Asked before a listing of everything and after the credential changed. An archive that has the
  /// items of another account is left alone then.
  func account() async throws(AdapterError) -> SourceAccount?
}

/// Whose items a source gives.
public struct SourceAccount: Sendable, Hashable {
  /// The same for ever and for no other account, as far as the source allows.
  public let id: String
  /// For messages.
  public let name: String

  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// How an item stands at its source.
public enum ItemStanding: Sendable, Hashable {
  case available
  /// Deleted: what becomes of the bundle is the user's choice.
  case gone
  /// Maybe there, but not to be read, such as a page that is no longer shared. Its bundle stays.
  case withheld
}

/// A kind of source that is built in, and how one of it is made from settings.
public protocol SourceAdapter: Source {
  associatedtype Configuration: Decodable & Sendable

  /// The name on the command line, in the configuration and as the folder: lower-case letters.
  static var kind: String { get }

  /// What the pipeline and the command line need to know beforehand.
  static var properties: AdapterProperties { get }

  /// Checks the configuration and tells how the source is reached. No requests.
  static func access(_ configuration: Configuration) throws(AdapterError) -> SourceAccess

  /// Makes an adapter. No requests.
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
}

/// A source that can hand out a credential in exchange for the user's consent in a browser.
public protocol InteractiveLogin: SourceAdapter {
  /// Asks the server at `baseURL` for a credential.
  ///
  /// Calls `prompt` once with the address to open and the code to enter, then waits until the
  /// user agreed, refused (`.unauthorized`) or let the code expire (`.unauthorized`).
  static func logIn(
    baseURL: WebURL, context: AdapterContext, prompt: @Sendable (LoginPrompt) -> Void
  ) async throws(AdapterError) -> Secret
}

/// What a user must do to agree to a login.
public struct LoginPrompt: Sendable, Hashable {
  /// The page to open.
  public let url: WebURL
  /// The code to enter there.
  public let code: String
  /// How long the code is good for.
  public let expiresIn: Duration

  public init(url: WebURL, code: String, expiresIn: Duration) {
    self.url = url
    self.code = code
    self.expiresIn = expiresIn
  }
}

/// What an adapter may use of the outside world.
public struct AdapterContext: Sendable {
  /// The name of this instance in the configuration; the kind when there is but one.
  public let name: String
  /// Adds the credential, limits the rate and repeats what failed for a moment.
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

  /// Sends a log line of this source.
  public func log(_ level: LogLevel, _ message: String) {
    events.send(.log(level, source: name, message: message))
  }
}

/// Plain facts about a kind of source.
public struct AdapterProperties: Sendable {
  /// The name as people write it: "Readeck".
  public let title: String
  /// One line for `archiver sources`.
  public let summary: String
  /// What can be configured, in the order it should be shown.
  public internal(set) var settings: [AdapterSetting]
  /// Most references that `items` takes at once; at least 1.
  public let batchSize: Int
  /// Class names that an adapter which writes its own HTML uses; all others are dropped.
  public let contentClasses: Set<String>
  /// Style rules for those classes, put into the page of each of its items; CSS without any
  /// address, light and dark.
  public let contentStyle: String
  /// Returns the one form in which links to an item of the kind are compared, whichever of the
  /// item's addresses is given, the fragment kept; `nil` for an address of anything else.
  public let linkForm: LinkForm?
  /// Hosts besides the source's own from which it delivers its files, such as an object store, in
  /// lower case: a picture missing there is an essential loss.
  public let ownHosts: Set<String>

  /// The class of the element that ends an item's HTML and holds what others remark on it, such as
  /// comments; `nil` where there is none. New remarks make no version.
  public let remarkClass: String?

  /// The class of links that show nothing but an icon and the title of the item they lead to; `nil` where
  /// there are none. When an item is called otherwise, they are too.
  public let titleClass: String?

  /// See `linkForm`.
  public typealias LinkForm = @Sendable (WebURL) -> WebURL?

  public init(
    title: String, summary: String, settings: [AdapterSetting], batchSize: Int = 1,
    contentClasses: Set<String> = [], contentStyle: String = "", linkForm: LinkForm? = nil,
    ownHosts: Set<String> = [], remarkClass: String? = nil, titleClass: String? = nil
  ) {
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
