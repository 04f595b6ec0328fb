import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

extension ReadeckTrapTests {
  /// The server's URL, the URL that it claims, and other servers in its place.
  struct Addresses {
    @Test func `distinguishes a wrong URL from a refused token`() async throws {
      let stage = try ReadeckStage(token: "wrong")
      stage.server.behaviour.redirectsToLogin = true
      let login = await stage.listingError()
      #expect(login?.code == .configuration)
      #expect(login?.message.contains("answered with a login page: READECK_URL must be") == true)

      stage.server.behaviour.isSomethingElse = true
      let page = await stage.listingError()
      #expect(page?.code == .malformed)
      #expect(page?.message.contains("sent text/html where application/json was expected") == true)
      #expect(page?.message.contains("READECK_URL") == true)

      let folder = try ReadeckStage("http://reads.test/elsewhere")
      folder.server.behaviour.prefix = ""
      let error = await folder.listingError()
      #expect(error?.code == .configuration)
      #expect(
        error?.message.hasPrefix("there is no Readeck at http://reads.test/elsewhere/") == true)
    }

    @Test func `asks for JSON so that errors come as JSON`() async throws {
      let stage = try ReadeckStage()
      let id = stage.fill(1)[0]
      stage.server.highlight(id, .init("Text"))
      _ = try await stage.adapter().listed()
      _ = try await stage.adapter().fetch(id)
      #expect(
        stage.client.requests.allSatisfy {
          $0.headers["Accept"]?.contains("application/json") == true
        })
    }

    @Test(arguments: ["http://internal:8000", "http://reads.test", "https://reads.test/sub"])
    func `fetches images from the configured address whatever the server calls itself`(
      claimed: String
    ) async throws {
      for version in [(0, 22, 3), (0, 18, 0)] {
        let stage = try ReadeckStage("https://reads.test/read/")
        stage.server.behaviour.version = version
        stage.server.behaviour.prefix = "/read"
        stage.server.behaviour.claimedAddress = claimed
        let id = stage.gallery(pictures: 1)
        stage.server.update(id) { $0.image = .init("image.jpeg", "image/jpeg", [1]) }
        let item = try await stage.adapter().fetch(id)
        let folder = "https://reads.test/read/bm/\(id.prefix(2))/\(id)"
        #expect(item.html.contains("<img src=\"\(folder)/_resources/p1.jpg\"/>"))
        #expect(item.attachment(.cover) == "\(folder)/img/image.jpeg")
        #expect(stage.client.unexpected.isEmpty)
      }
    }

    @Test func `follows no redirect, which would hand the token on`() async throws {
      let stage = try ReadeckStage()
      stage.fill(1)
      for path in ["/bookmarks/sync", "/bookmarks"] {
        stage.server.failNext(.redirect("http://reads.test/elsewhere")) { $0.path.hasSuffix(path) }
      }
      #expect(await stage.listingError()?.code == .configuration)
      #expect(!stage.client.requests.contains { $0.path == "/elsewhere" })
      #expect(stage.client.unexpected.isEmpty)
    }
  }
}
