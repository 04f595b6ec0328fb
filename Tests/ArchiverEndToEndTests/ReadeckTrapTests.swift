import ArchiverCore
import ArchiverTestKit
import Testing

/// Behaviour of a real Readeck that matters only for images and bundles.
struct ReadeckTrapTests {
  private func page(_ stage: Stage) throws -> String {
    let bundle = try #require(try stage.bundles().first)
    return String(
      decoding: try Data(contentsOf: URL(filePath: bundle + "/index.html")), as: UTF8.self)
  }

  @Test func `an SVG image that comes as raw deflate is archived`() async throws {
    try await Stage.with(articles: 0) { stage in
      stage.readeck.behaviour.deflatesSVG = true
      let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>drawn</title></svg>"
      var bookmark = FakeReadeck.Bookmark(
        url: "https://example.org/", title: "Drawing",
        html: "<p>Look: <img src=\"./_resources/a.svg\" alt=\"a\"></p>")
      bookmark.resources = [.init("a.svg", "image/svg+xml", Array(svg.utf8))]
      stage.readeck.add(bookmark)
      let run = try await stage.run()
      #expect(run.summary["imagesMissing"]?.integer == 0)
      let folder = try #require(try stage.bundles().first) + "/assets"
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
      let kept = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      #expect(String(decoding: kept, as: UTF8.self).contains("<title>drawn</title>"))
    }
  }

  @Test func `images are fetched once, requested again with a validator, and never by HEAD`()
    async throws
  {
    try await Stage.with(articles: 3) { stage in
      _ = try await stage.run()
      stage.readeck.update(stage.readeck.ids[0]) { $0.html = "<p>Shorter.</p>" + ($0.html ?? "") }
      #expect(try await stage.run().summary["archived"]?.integer == 1)
      let pictures = stage.server.requests.filter { $0.path.hasPrefix("/bm/") }
      #expect(pictures.allSatisfy { $0.method == "GET" })
      let fresh = pictures.filter { $0.headers["If-Modified-Since"] == nil }
      #expect(Set(fresh.map(\.path)).count == fresh.count)
      #expect(fresh.count < pictures.count)
    }
  }

  @Test func `the API gets no validators, which change with every upgrade`() async throws {
    try await Stage.with(articles: 2) { stage in
      stage.readeck.behaviour.etagSuffix = "-gzip"
      _ = try await stage.run()
      _ = try await stage.run("--force")
      let asked = stage.server.requests.filter { $0.path.hasPrefix("/api/") }
      #expect(asked.count >= 4)
      for request in asked {
        #expect(request.headers["If-None-Match"] == nil)
        #expect(request.headers["If-Modified-Since"] == nil)
      }
    }
  }

  @Test func `a star or a label makes no version and fetches no image again`() async throws {
    try await Stage.with(articles: 1) { stage in
      _ = try await stage.run()
      let before = stage.server.requests.count
      stage.readeck.update(stage.readeck.ids[0]) { $0.isMarked = true }
      stage.readeck.label(stage.readeck.ids[0], ["new one"])
      let run = try await stage.run()
      #expect(run.summary["archived"]?.integer == 1)
      let bundle = try #require(try stage.bundles().first)
      #expect(!FileManager.default.fileExists(atPath: bundle + "/versions"))
      #expect(try page(stage).contains("new one"))
      let pictures = stage.server.requests.dropFirst(before).filter { $0.path.hasPrefix("/bm/") }
      #expect(pictures.allSatisfy { $0.headers["If-Modified-Since"] != nil })
    }
  }

  @Test func `an item without changes of content updates its record only`() async throws {
    try await Stage.with(articles: 2) { stage in
      _ = try await stage.run()
      stage.readeck.update(stage.readeck.ids[0]) { _ in }
      let run = try await stage.run()
      #expect(run.summary["archived"]?.integer == 1)
      for bundle in try stage.bundles() {
        #expect(!FileManager.default.fileExists(atPath: bundle + "/versions"))
      }
      #expect(try await stage.run().summary["archived"]?.integer == 0)
    }
  }

  @Test func `images that an older server left elsewhere go through the queue as well`()
    async throws
  {
    let elsewhere = try LoopbackServer(handler: { request in
      .data(Stage.gif(request.path), type: "image/gif")
    })
    defer { elsewhere.stop() }
    try await Stage.with(articles: 0) { stage in
      let picture = elsewhere.baseURL.absoluteString + "far.gif"
      stage.readeck.add(
        FakeReadeck.Bookmark(
          url: "https://example.org/", title: "Far",
          html: "<p>Before</p><p></p><p><img src=\"\(picture)\" alt=\"far\"></p>"))
      let refused = try await stage.run()
      #expect(refused.summary["imagesMissing"]?.integer == 1)
      #expect(elsewhere.requests.isEmpty)
      let run = try await stage.run(
        "--force", "--allow-host", "127.0.0.1:\(elsewhere.port)")
      #expect(run.summary["imagesMissing"]?.integer == 0)
      #expect(elsewhere.requests.count == 1)
      #expect(elsewhere.requests.allSatisfy { $0.headers["Authorization"] == nil })
      #expect(try !page(stage).contains("<p></p>"))
    }
  }
}
