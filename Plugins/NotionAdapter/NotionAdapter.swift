package import ArchiverCore

/// Notion as a source: the pages and databases shared with an integration.
///
/// Uses the API version 2026-03-11 (developers.notion.com/reference) and reads the forms of
/// 2025-09-03 and 2022-06-28 too. An item is a page, a row or a database; its id is Notion's, as 32
/// digits.
package struct NotionAdapter: SourceAdapter {
  package static let kind = "notion"

  package static let properties = AdapterProperties(
    title: "Notion", summary: "Pages and databases of a Notion workspace",
    settings: AdapterSetting.notion, contentClasses: NotionStyle.classes,
    contentStyle: NotionStyle.css, linkForm: { NotionAddress.linkForm($0) },
    ownHosts: NotionFile.hosts, remarkClass: "n-comments",
    titleClass: "n-page")

  private let settings: NotionSettings
  private let client: NotionClient
  private let lookup: NotionLookup

  package static func access(
    _ configuration: NotionConfiguration
  ) throws(AdapterError) -> SourceAccess {
    let settings = try NotionSettings(configuration)
    return SourceAccess(
      baseURL: settings.baseURL, credential: .bearer(settings.token),
      requestsPerSecond: settings.requestsPerSecond,
      credentialPaths: settings.baseURL.resolving("v1/").map { [$0.path] })
  }

  package init(
    configuration: NotionConfiguration, context: AdapterContext
  ) throws(AdapterError) {
    settings = try NotionSettings(configuration)
    client = NotionClient(
      baseURL: settings.baseURL, version: settings.version, context: context)
    lookup = NotionLookup(client: client, directory: NotionDirectory())
  }

  package func listing(since checkpoint: Checkpoint?) -> PagedListing<Discovery> {
    listing(since: checkpoint, knowing: nil)
  }

  package func wholeListing(knowing checkpoint: Checkpoint?) -> PagedListing<Discovery> {
    listing(since: nil, knowing: checkpoint)
  }

  private func listing(
    since: Checkpoint?, knowing: Checkpoint?
  ) -> PagedListing<Discovery> {
    let discovery = Discovery(
      settings: settings, client: client, lookup: lookup, since: since, knowing: knowing)
    return PagedListing(discovery) { (state) async throws(AdapterError) in
      try await state.next()
    }
  }

  package func standings(
    of ids: [String]
  ) async throws(AdapterError) -> [String: ItemStanding] {
    var standings: [String: ItemStanding] = [:]
    for id in ids {
      guard let page = NotionID(id) else { continue }
      standings[id] = try await lookup.standing(page)
    }
    return standings
  }

  package func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem {
    try await ItemAssembly(settings: settings, client: client, lookup: lookup).item(reference)
  }
}
