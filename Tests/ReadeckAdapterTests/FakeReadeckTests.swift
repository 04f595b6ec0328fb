import ArchiverCore
import ArchiverTestKit
import Testing

/// The fake server reproduces the real server's faults, on which other tests rely.
struct FakeReadeckTests {
  private let server = FakeReadeck()

  private func get(
    _ target: String, method: String = "GET", _ headers: HTTPHeaders = [:], token: Bool = true,
    json: Bool = true
  ) -> ServerResponse {
    var headers = headers
    headers["Host"] = "127.0.0.1:8790"
    if token { headers["Authorization"] = "Bearer \(server.behaviour.token)" }
    if json { headers["Accept"] = "application/json" }
    return server.handle(ServerRequest(method: method, target: target, headers: headers))
  }

  private func text(_ response: ServerResponse) -> String {
    if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  private func fill(_ count: Int) -> [String] {
    (1...count).map {
      server.add(FakeReadeck.Bookmark(url: "https://example.org/\($0)", title: "\($0)", html: "x"))
    }
  }

  @Test func `gives the same ids and times in every run`() {
    let ids = fill(6)
    let other = FakeReadeck()
    let again = (1...6).map {
      other.add(FakeReadeck.Bookmark(url: "https://example.org/\($0)", title: "\($0)", html: "x"))
    }
    #expect(ids == again)
    #expect(Set(ids).count == 6)
    #expect(ids.allSatisfy { (18...22).contains($0.utf8.count) })
    #expect(Set(ids.map(\.utf8.count)) == [21, 22])
    #expect(server.updated(ids[0]) == "2026-11-21T00:00:01.0002003Z")
  }

  @Test func `takes the time of a bookmark from its maker`() {
    var bookmark = FakeReadeck.Bookmark(url: "https://example.org/", title: "T")
    bookmark.created = "2024-05-06T07:08:09.5Z"
    #expect(server.updated(server.add(bookmark)) == "2024-05-06T07:08:09.5Z")
    bookmark.created = "2024-05-06T07:08:09.012+00:00"
    #expect(server.updated(server.add(bookmark)) == "2024-05-06T07:08:09.012Z")
  }

  @Test(arguments: ["101", "-1", "x"])
  func `answers an impossible limit with 404`(limit: String) {
    #expect(get("/api/bookmarks?limit=\(limit)").status == 404)
  }

  @Test func `describes its pages in headers`() {
    _ = fill(17)
    let response = get("/api/bookmarks?limit=5&offset=5")
    #expect(response.headers["Total-Count"] == "17")
    #expect(response.headers["Total-Pages"] == "4")
    #expect(response.headers["Current-Page"] == "2")
    let base = "<http://127.0.0.1:8790/api/bookmarks?limit=5&offset="
    #expect(
      response.headers.values("Link") == [
        "\(base)0>; rel=\"previous\"", "\(base)10>; rel=\"next\"", "\(base)0>; rel=\"first\"",
        "\(base)15>; rel=\"last\"",
      ])
    #expect(text(get("/api/bookmarks?offset=500")) == "[]")
    #expect(get("/api/bookmarks?limit=0").headers["Total-Pages"] == "1")
  }

  @Test func `sends ETags without quotation marks and with the encoding's suffix`() {
    let id = fill(1)[0]
    server.behaviour.etagSuffix = "-gzip"
    let tag = get("/api/bookmarks/\(id)").headers["Etag"]
    #expect(tag?.hasSuffix("-gzip") == true)
    #expect(tag?.contains("\"") == false)
  }

  @Test func `words errors as text for those who do not take JSON`() {
    #expect(text(get("/api/bookmarks", token: false, json: false)) == "Unauthorized")
    #expect(
      text(get("/api/bookmarks", token: false)) == "{\"status\":401,\"message\":\"Unauthorized\"}")
    #expect(get("/api/bookmarks", token: false).headers.values("Www-Authenticate").count == 2)
  }

  @Test func `serves images without a token, but no HEAD`() {
    var bookmark = FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: "x")
    bookmark.resources = [.init("a.svg", "image/svg+xml", Array("<svg/>".utf8))]
    let id = server.add(bookmark)
    let path = "/bm/\(id.prefix(2))/\(id)/_resources/a.svg"
    let answer = get(path, token: false)
    #expect(text(answer) == "<svg/>")
    #expect(answer.headers["Last-Modified"] == "Sat, 21 Nov 2026 00:00:01 GMT")
    #expect(get(path, method: "HEAD").status == 405)
    #expect(get(path, ["If-Modified-Since": "Sat, 21 Nov 2026 00:00:01 GMT"]).status == 304)
    #expect(get("/api/bookmarks/\(id)/x/_resources/a.svg").status == 200)
    #expect(get("/bm/xx/\(id)/_resources/b.svg").status == 404)
    server.behaviour.deflatesSVG = true
    let deflated = get(path, ["Accept-Encoding": "gzip, deflate"])
    #expect(deflated.headers["Content-Encoding"] == "deflate")
    #expect(text(deflated) == "\u{1}\u{6}\0" + text(deflated).dropFirst(3))
    #expect(text(deflated).hasSuffix("<svg/>"))
  }

  @Test func `fails for the article of a bookmark that is loading`() {
    var bookmark = FakeReadeck.Bookmark(url: "https://example.org/", title: "T", html: "x")
    bookmark.state = .loading
    let id = server.add(bookmark)
    #expect(get("/api/bookmarks/\(id)/article").status == 500)
    #expect(text(get("/api/bookmarks/\(id)")).contains("\"authors\":null"))
    #expect(text(get("/api/bookmarks/\(id)")).contains("\"resources\":{}"))
  }

  @Test func `has only what its version has`() {
    _ = fill(1)
    for (version, info, sync, since) in [
      ((0, 22, 3), 200, 200, 200), ((0, 21, 6), 200, 200, 500), ((0, 19, 0), 404, 404, 404),
    ] {
      server.behaviour.version = version
      #expect(get("/api/info", token: false).status == info)
      #expect(get("/api/bookmarks/sync").status == sync)
      #expect(get("/api/bookmarks/sync?since=2026-11-21").status == since)
    }
    server.behaviour.version = (0, 22, 3)
    #expect(get("/api/bookmarks/sync?since=soon").status == 422)
    #expect(get("/api/bookmarks", method: "POST").status == 403)
  }

  @Test func `breaks an answer off behind its closing boundary`() throws {
    let ids = fill(3)
    server.behaviour.syncBreaksAfter = 1
    let body = "{\"id\":[\"\(ids[0])\",\"\(ids[1])\"],\"with_json\":true}"
    let response = server.handle(
      ServerRequest(
        method: "POST", target: "/api/bookmarks/sync",
        headers: ["Authorization": "Bearer \(server.behaviour.token)"], body: Array(body.utf8)))
    guard case .stream(let chunks) = response.body else { throw AdapterError(.malformed, "?") }
    let text = String(decoding: chunks.joined(), as: UTF8.self)
    #expect(response.status == 200)
    #expect(text.contains(ids[0]))
    #expect(!text.contains(ids[1]))
    #expect(text.hasSuffix("--\r\n{\"status\":500,\"message\":\"Internal Server Error\"}"))
  }

  @Test func `believes the address it is called by`() {
    let id = fill(1)[0]
    #expect(
      text(get("/api/bookmarks/\(id)", ["X-Forwarded-Proto": "https"]))
        .contains("\"href\":\"https://127.0.0.1:8790/api/bookmarks/\(id)\""))
  }
}
