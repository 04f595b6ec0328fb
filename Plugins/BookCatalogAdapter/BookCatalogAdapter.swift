package import ArchiverCore

/// Books, magazines and comics of an OPDS catalog, 1.x or 2.0, with their files.
package struct BookCatalogAdapter: SourceAdapter {
  package typealias Configuration = BookCatalogConfiguration
  package typealias Listing = PagedListing<CatalogCrawlState>

  package static let kind = "books"

  package static let properties = AdapterProperties(
    title: "Book catalog", summary: "Books, magazines and comics of an OPDS catalog",
    settings: AdapterSetting.bookCatalog)

  private let client: CatalogClient
  private let crawl: CatalogCrawl
  private let rules: BookRules
  private let context: AdapterContext
  private let pages = ListedPages()

  package static func access(
    _ configuration: BookCatalogConfiguration
  ) throws(AdapterError) -> SourceAccess {
    _ = try configuration.preferredFormats()
    let fields = (configuration.headers ?? [:]).sorted { $0.key < $1.key }
    let baseURL = try configuration.baseURL()
    return SourceAccess(
      baseURL: baseURL, credential: try configuration.credential(),
      headers: HTTPHeaders(fields.map { HTTPHeaders.Field($0.key, $0.value) }),
      caFile: configuration.caFile?.nonEmpty, requestsPerSecond: configuration.requestsPerSecond,
      secrets: CatalogAddress.keys(of: baseURL).map { Secret($0) })
  }

  package init(
    configuration: BookCatalogConfiguration, context: AdapterContext
  ) throws(AdapterError) {
    let credential = try configuration.credential()
    var client = CatalogClient(
      base: try configuration.baseURL(), http: context.http, clock: context.clock,
      hasCredential: credential != nil)
    if case .negotiated = credential { client.waitsForChallenge = true }
    self.client = client
    rules = BookRules(
      formats: try configuration.preferredFormats(),
      takesAll: configuration.allFormats ?? false, magazines: configuration.magazines ?? [])
    crawl = CatalogCrawl(
      client: client, selection: FeedSelection(configuration), rules: rules, clock: context.clock,
      log: context.log)
    self.context = context
  }

  /// Lists every book: a catalog cannot be asked for changes. The checkpoint is the `FeedMemory` of
  /// earlier listings.
  package func listing(since checkpoint: Checkpoint?) -> Listing {
    let crawl = crawl
    return PagedListing(CatalogCrawlState(memory: FeedMemory(checkpoint))) {
      state throws(AdapterError) in
      try await crawl.next(&state)
    }
  }

  package func wholeListing(knowing checkpoint: Checkpoint?) -> Listing {
    listing(since: checkpoint)
  }

  package func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    guard reference.payload != nil else {
      throw AdapterError(.notFound, "the catalog listed no book \(reference.id)")
    }
    guard let entry = BookPayload.entry(reference.payload) else {
      throw AdapterError(
        .malformed, "the stored data of \"\(reference.title)\" cannot be read; run with --full")
    }
    let fetcher = BookFetcher(
      client: client, rules: rules, pages: pages, log: context.log)
    do throws(AdapterError) {
      let book = try await fetcher.complete(entry)
      return BookAssembly(book, rules: rules, client: client).item(reference)
    } catch {
      throw error.ofOneBook
    }
  }
}
