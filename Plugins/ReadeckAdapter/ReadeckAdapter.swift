package import ArchiverCore

/// Bookmarks of a Readeck server, 0.16 or later, with their articles, images and highlights.
package struct ReadeckAdapter: SourceAdapter {
  package typealias Configuration = ReadeckConfiguration
  package typealias Listing = PagedListing<ReadeckListingState>

  package static let kind = "readeck"

  package static let properties = AdapterProperties(
    title: "Readeck", summary: "Articles, photos and videos saved in Readeck, with highlights",
    settings: AdapterSetting.readeck, batchSize: 20, highlightElement: highlightElement)

  /// The element's attributes are missing in pages from the sync API.
  package static let highlightElement = HighlightElement(
    name: "rd-annotation", key: "data-annotation-id-value", idPrefix: "annotation-",
    color: "data-annotation-color", note: "data-annotation-note")

  private let api: ReadeckAPI
  private let facts: ServerFacts
  private let filter: BookmarkFilter
  private let context: AdapterContext
  private let pinLabel: String?
  private let originals: Set<OriginalType>

  package static func access(
    _ configuration: ReadeckConfiguration
  ) throws(AdapterError) -> SourceAccess {
    _ = try BookmarkFilter(configuration)
    _ = try configuration.originalTypes()
    let fields = (configuration.headers ?? [:]).sorted { $0.key < $1.key }
    let base = try configuration.baseURL()
    // The API, the images and files of bookmarks, and the import of an account.
    let paths = ["api/", "bm/", AccountImport.path].compactMap { base.resolving($0)?.path }
    return SourceAccess(
      baseURL: base, credential: .bearer(try configuration.bearer()),
      headers: HTTPHeaders(fields.map { HTTPHeaders.Field($0.key, $0.value) }),
      caFile: configuration.caFile?.filled, requestsPerSecond: configuration.requestsPerSecond,
      credentialPaths: paths)
  }

  package init(
    configuration: ReadeckConfiguration, context: AdapterContext
  ) throws(AdapterError) {
    filter = try BookmarkFilter(configuration)
    pinLabel = configuration.pinLabel?.filled
    originals = try configuration.originalTypes()
    api = ReadeckAPI(base: try configuration.baseURL(), http: context.http, clock: context.clock)
    facts = ServerFacts(api: api)
    self.context = context
  }

  package func listing(since checkpoint: Checkpoint?) -> Listing {
    let settings = "\(api.base.absoluteString) \(filter.fingerprint)"
    let listing = ReadeckListing(
      api: api, facts: facts, filter: filter, settings: settings, log: context.log)
    let since = ReadeckCheckpoint(checkpoint, settings: settings).flatMap { since in
      // A checkpoint in the future, from a wrong clock, would hide changes until then.
      since.time.date > context.clock.now().addingTimeInterval(300) ? nil : since
    }
    return PagedListing(ReadeckListingState(since: since)) { state throws(AdapterError) in
      try await listing.next(&state)
    }
  }

  package func titles(of ids: [String]) async -> [String: String] {
    await api.titles(of: ids)
  }

  package func account() async throws(AdapterError) -> SourceAccount? {
    do throws(AdapterError) {
      let profile: Profile = try await api.value("profile")
      return profile.account
    } catch {
      // A token may lack the right to read the profile, and a server without profiles has no
      // accounts.
      guard error.code == .notFound || error.code == .malformed || error.code == .unauthorized
      else { throw error }
      return nil
    }
  }

  package func accountRecord() async throws(AdapterError) -> JSONValue? {
    try await AccountRecord(api).json
  }

  package func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    guard let result = await items([reference]).first else {
      throw AdapterError(.cancelled, "Cancelled")
    }
    return try result.get()
  }

  package func items(
    _ references: [ItemReference]
  ) async -> [Result<SourceItem, AdapterError>] {
    guard !references.isEmpty else { return [] }
    let contents = await ContentFetcher(api: api, facts: facts).contents(references.map(\.id))
    return contents.map { outcome in
      outcome.map {
        ItemAssembly($0, base: api.base, pinLabel: pinLabel, originals: originals).item()
      }
    }
  }
}

extension ReadeckAdapter: RestorableSource {
  package static var restorer: any SourceRestorer { ReadeckRestorer() }
}

extension ReadeckAdapter: RestoreTarget {
  package func restoration() async throws(AdapterError) -> any Restoration {
    try await ReadeckRestoration(api: api, facts: facts)
  }
}

extension ReadeckAdapter: AccountReplacing {
  package func replaceableAccount() async throws(AdapterError) -> ReplaceableAccount {
    try await AccountImport(api: api, facts: facts).account()
  }

  package func replace(
    _ account: ReplaceableAccount, byFile path: String
  ) async throws(AdapterError) {
    try await AccountImport(api: api, facts: facts).send(path, name: account.name)
  }
}
