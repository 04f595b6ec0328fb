import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct ClientTests {
  private static let paragraphs = (0..<60).map { FakeBlock.text("paragraph", "Line \($0)") }

  @Test func `asks for less when Notion is too slow`() async throws {
    let stage = try NotionStage()
    stage.server.behaviour.slowAbove = 25
    let page = stage.server.addPage("Slow", blocks: Self.paragraphs)
    let html = try await stage.html(page)
    #expect(html.contains("Line 0<") && html.contains("Line 59<"))
    let sizes = stage.client.requests.compactMap { request in
      request.path.hasSuffix("/children") ? request.parameter("page_size") : nil
    }
    #expect(sizes.contains("100") && sizes.contains("50") && sizes.contains("25"))
  }

  @Test func `repeats a conflict after a pause`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    stage.server.failNext(FakeNotion.error(409, "conflict_error", "Conflict.")) {
      $0.path.contains("/pages/")
    }
    #expect(try await stage.item(page).metadata.title == "Page")
    #expect(stage.clock.slept == [.seconds(1)])
  }

  @Test(arguments: [
    (429, "rate_limited", AdapterError.Code.rateLimited), (529, "service_overload", .rateLimited),
    (500, "internal_server_error", .unavailable), (502, "bad_gateway", .unavailable),
    (503, "service_unavailable", .unavailable), (504, "gateway_timeout", .unavailable),
    (401, "unauthorized", .unauthorized), (404, "object_not_found", .notFound),
    (403, "restricted_resource", .notFound), (400, "validation_error", .malformed),
  ])
  func `says what each error means`(
    status: Int, word: String, code: AdapterError.Code
  ) async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    stage.server.failNext(
      FakeNotion.error(status, word, "No.", headers: ["Retry-After": "7"])
    ) { $0.path.contains("/pages/") }
    let error = await #expect(throws: AdapterError.self) {
      _ = try await stage.adapter().item(
        ItemReference(id: page, revision: "", payload: ReferencePayload(kind: .page).text))
    }
    #expect(error?.code == code)
    #expect(error?.retryAfter == (code == .rateLimited ? .seconds(7) : nil))
    #expect(error?.message.contains("ntn_good") == false)
  }

  @Test(arguments: ["", "<html>", "[]", "{\"object\":\"page\"}", "{\"object\":\"list\"}", "null"])
  func `an invalid response fails its item only`(body: String) async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    stage.server.failNext(.json(body)) { $0.path.contains("/pages/") }
    let error = await #expect(throws: AdapterError.self) {
      _ = try await stage.adapter().item(
        ItemReference(id: page, revision: "", payload: ReferencePayload(kind: .page).text))
    }
    #expect(error?.code == .malformed)
    #expect(error?.endsSource == false)
  }

  @Test func `sends the version, and the token only to Notion`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page")
    _ = try await stage.item(page)
    #expect(stage.client.requests.allSatisfy { $0.headers["Notion-Version"] == "2026-03-11" })
    #expect(stage.client.requests.allSatisfy { $0.path.hasPrefix("/v1/") })
    #expect(stage.client.unexpected.isEmpty)
  }

  @Test(arguments: [
    ("", "NOTION_TOKEN is empty"), ("  \n", "NOTION_TOKEN is empty"),
    ("ntn_ä", "NOTION_TOKEN contains invalid characters"),
  ])
  func `refuses a token that cannot be one`(token: String, words: String) {
    let error = #expect(throws: AdapterError.self) {
      _ = try NotionAdapter.access(NotionConfiguration(token: Secret(token)))
    }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains(words) == true)
  }

  @Test func `refuses settings that cannot work`() {
    var configuration = NotionConfiguration(token: Secret("ntn_x"))
    configuration.roots = ["my handbook"]
    #expect(throws: AdapterError.self) { _ = try NotionAdapter.access(configuration) }
    configuration.roots = nil
    configuration.apiVersion = "2021-01-01"
    let error = #expect(throws: AdapterError.self) { _ = try NotionAdapter.access(configuration) }
    #expect(
      error?.message == "apiVersion is “2021-01-01”; it can be 2022-06-28, 2025-09-03, 2026-03-11")
  }

  @Test func `asks three times a second unless told otherwise`() throws {
    let access = try NotionAdapter.access(NotionConfiguration(token: Secret("ntn_x ")))
    #expect(access.requestsPerSecond == 3)
    #expect(access.baseURL.absoluteString == "https://api.notion.com/")
    #expect(access.credential == .bearer(Secret("ntn_x")))
  }

  @Test func `reads its settings from a configuration file`() throws {
    let text = """
      {"token":"ntn_x","roots":["\(IdentityTests.digits)"],"comments":"blocks","discovery":"search",
      "requestsPerSecond":2.5,"apiVersion":"2022-06-28","url":"http://127.0.0.1:8080"}
      """
    let configuration = try JSONDecoder().decode(NotionConfiguration.self, from: Data(text.utf8))
    let settings = try NotionSettings(configuration)
    #expect(settings.roots.map(\.hex) == [IdentityTests.digits])
    #expect(settings.comments == .blocks && settings.depth == .search && settings.version == .v2022)
  }
}
