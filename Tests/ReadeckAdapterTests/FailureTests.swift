import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct FailureTests {
  @Test func `says where to make a token when it is refused`() async throws {
    let stage = try ReadeckStage("http://reads.test/sub", token: "wrong")
    stage.server.behaviour.prefix = "/sub"
    let error = await stage.listingError()
    #expect(error?.code == .unauthorized)
    #expect(
      error?.message
        == "Readeck at http://reads.test/sub/ refused the token (401): set READECK_TOKEN to one "
        + "made at http://reads.test/sub/profile/tokens, or run 'archiver login readeck'")
  }

  @Test func `names the role that a token lacks`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.forbidsReading = true
    let id = stage.fill(1)[0]
    let error = await stage.listingError()
    #expect(error?.code == .unauthorized)
    #expect(error?.message.contains("\u{201C}Bookmarks : Read Only\u{201D}") == true)
    #expect(await (try stage.adapter()).failure(id)?.code == .unauthorized)
  }

  @Test(arguments: [401, 403])
  func `a refusal by a proxy is not reported as that of the token`(status: Int) async throws {
    let stage = try ReadeckStage()
    for _ in 1...2 {
      stage.server.failNext(.text("<h1>Forbidden</h1>", type: "text/html", status: status)) { _ in
        true
      }
    }
    let error = await stage.listingError()
    #expect(error?.code == .unavailable)
    #expect(
      error?.message
        == "a proxy or firewall in front of Readeck at http://reads.test/ refused the request "
        + "(\(status)); if it needs a key, set `headers`")
  }

  @Test func `finds titles in the pages of the list, as far as they go`() async throws {
    let stage = try ReadeckStage()
    let ids = stage.fill(150)
    let found = await (try stage.adapter()).titles(of: [ids[0], ids[149], "unknown"])
    #expect(found == [ids[0]: "Article 1", ids[149]: "Article 150"])
    #expect(stage.paths == ["bookmarks", "bookmarks"])
    let newest = await (try stage.adapter()).titles(of: [ids[149]])
    #expect(newest.count == 1 && stage.paths.count == 3)
    stage.server.behaviour.outage = (500, nil)
    #expect(await (try stage.adapter()).titles(of: ids).isEmpty)
  }

  @Test func `the token goes to the API and to what bookmarks hold`() throws {
    let access = try ReadeckAdapter.access(
      ReadeckConfiguration(url: "https://reads.test/sub", token: Secret("t")))
    for (path, isSent) in [
      ("sub/api/bookmarks", true), ("sub/bm/ab/cd/_resources/a.gif", true), ("sub/logo.svg", false),
      ("api/bookmarks", false), ("sub/profile/export", false), ("", false),
      ("sub/api/%2E%2e/logo.svg", false),
    ] {
      let url = try #require(WebURL("https://reads.test/\(path)"))
      #expect(access.sendsCredential(to: url) == isSent, "\(path)")
    }
    #expect(!access.sendsCredential(to: try #require(WebURL("https://other.test/sub/api/x"))))
  }

  @Test func `names the address that a redirect leads to`() async throws {
    let stage = try ReadeckStage()
    for _ in 1...2 {
      stage.server.failNext(.redirect("https://reads.test/api/x?token=1", status: 301)) { _ in true
      }
    }
    let error = await stage.listingError()
    #expect(error?.code == .configuration)
    #expect(
      error?.message
        == "http://reads.test/ redirects to https://reads.test/api/x: set READECK_URL to the "
        + "final URL")
  }

  @Test func `comes back later when asked to`() async throws {
    let stage = try ReadeckStage()
    for status in [408, 429] {
      stage.server.behaviour.outage = (status, 17)
      let limited = await stage.listingError()
      #expect(limited?.code == .rateLimited, "\(status)")
      #expect(limited?.retryAfter == .seconds(17), "\(status)")
    }
    stage.server.behaviour.outage = (503, 5)
    let down = await stage.listingError()
    #expect(down?.code == .unavailable)
    #expect(down?.retryAfter == .seconds(5))
    stage.server.behaviour.outage = (500, nil)
    #expect(await stage.listingError()?.retryAfter == nil)
  }

  @Test func `names the member that an answer lacks`() async throws {
    let stage = try ReadeckStage()
    stage.server.failNext(.json("{\"bookmarks\":[]}")) { $0.path.hasSuffix("/sync") }
    stage.server.failNext(.json("[{\"id\":")) { $0.path.hasSuffix("/bookmarks") }
    let error = await stage.listingError()
    #expect(error?.code == .malformed)
    #expect(
      error?.message
        == "Readeck at http://reads.test/ (/api/bookmarks) sent an invalid response: "
        + "it is not JSON")
    let id = stage.fill(1)[0]
    stage.server.behaviour.version = (0, 18, 0)
    stage.server.failNext(.json("{\"id\":7}")) { $0.path.hasSuffix(id) }
    let item = await (try stage.adapter()).failure(id)
    #expect(item?.code == .malformed)
    #expect(
      item?.message.hasSuffix("sent a bookmark that cannot be read: id is not of type String")
        == true)
  }

  @Test func `knows a bookmark that is gone from one that failed`() async throws {
    for version in [(0, 22, 3), (0, 17, 0)] {
      let stage = try ReadeckStage()
      stage.server.behaviour.version = version
      let id = stage.fill(1)[0]
      stage.server.delete(id)
      let error = await (try stage.adapter()).failure(id)
      #expect(error?.code == .notFound)
      #expect(error?.message == "Readeck no longer has the bookmark \(id)")
    }
  }

  @Test func `refuses a bookmark that is not the one requested`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 18, 0)
    let ids = stage.fill(2)
    stage.server.failNext(.json("{\"id\":\"\(ids[1])\"}")) { $0.path.hasSuffix(ids[0]) }
    let error = await (try stage.adapter()).failure(ids[0])
    #expect(error?.code == .malformed)
    #expect(error?.message.hasSuffix("sent the bookmark \(ids[1]) instead") == true)
  }

  @Test func `asks for the version again after a page that was not Readeck's`() async throws {
    let stage = try ReadeckStage()
    stage.fill(1)
    let adapter = try stage.adapter()
    stage.server.failNext(.text("<p>Wait</p>", type: "text/html")) { $0.path.hasSuffix("/info") }
    _ = try await adapter.listed()
    _ = try await adapter.listed()
    _ = try await adapter.listed()
    #expect(
      stage.paths == ["info", "bookmarks", "info", "bookmarks/sync", "bookmarks/sync"])
  }

  @Test func `sends no id as anything but one segment of a path`() async throws {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = (0, 18, 0)
    let error = await (try stage.adapter()).failure("../../profile?x#y")
    #expect(error?.code == .notFound)
    #expect(stage.client.requests.last?.path == "/api/bookmarks/..%2F..%2Fprofile%3Fx%23y")
  }
}
