import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Servers with hotlink protection check the Referer.
@Suite struct ReferrerTests {
  @Test func `the Referer origin is sent to other hosts, not to the source's own server`()
    async throws
  {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.url = "http://blog.example/2026/article?id=1"
      $0.html = "<p>x</p><img src=\"http://elsewhere.example/a.gif\"><img src=\"/own.gif\">"
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(bench.fields("/a.gif").referrers == ["http://blog.example/"])
      #expect(bench.fields("/own.gif").referrers == [nil])
    }
  }

  @Test func `a server that refuses the page's Referer is asked without it, once`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.url = "http://blog.example/2026/article"
      $0.html = "<p>x</p><img src=\"http://elsewhere.example/a.gif\">"
    }
    source.picture("/a.gif", ServerResponse(403))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 1)
      #expect(bench.fields("/a.gif").referrers == ["http://blog.example/", nil])
    }
  }

  @Test(arguments: [
    ("https://blog.example:8443/a#b", "https://h.example/p.png", "https://blog.example:8443/"),
    ("http://blog.example/a", "https://h.example/p.png", "http://blog.example/"),
    // Nothing of an encrypted page is sent in the clear.
    ("https://blog.example/a", "http://h.example/p.png", nil),
  ])
  func `the origin is all that is reported, and nothing over an open connection`(
    page: String, picture: String, referrer: String?
  ) throws {
    let request = AssetRequest(
      url: try #require(WebURL(picture)), content: .image, limits: Limits(),
      page: WebURL(page))
    #expect(request.referrer == referrer)
  }
}
