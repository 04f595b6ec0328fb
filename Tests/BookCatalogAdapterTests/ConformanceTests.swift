import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

@Suite struct ConformanceTests {
  @Test func `keeps the contract of a source`() async throws {
    let catalog = FakeCatalog((1...5).map { FakeCatalog.Book($0) }, pageSize: 2, token: "good")
    let good = try CatalogStage(catalog.respond, token: Secret("good"))
    let bad = try CatalogStage(catalog.respond, token: Secret("bad"))
    var gone = try #require(try await good.list().references.first)
    gone.id = "urn:book:99"
    gone.payload = gone.payload?.replacing("/files/1.epub", with: "/files/99.epub")
      .replacing("urn:book:1\"", with: "urn:book:99\"")
    let conformance = AdapterConformance<BookCatalogAdapter>(
      .init(
        client: good.client, refusedClient: bad.client, secret: Secret("good"), gone: gone)
    ) { client in
      var configuration = BookCatalogConfiguration(url: CatalogStage.base + "/opds")
      configuration.token = Secret("good")
      return try BookCatalogAdapter(
        configuration: configuration, context: AdapterContext(name: "books", http: client))
    }
    #expect(await conformance.violations() == [])
  }
}
