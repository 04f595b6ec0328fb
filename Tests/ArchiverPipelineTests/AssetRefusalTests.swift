import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Downloads that are refused: whether they may succeed later, and what they say.
@Suite struct AssetRefusalTests {
  private static let page = Array("<html>".utf8) + [UInt8](repeating: 0x20, count: 64 << 10)

  @Test func `a web page in place of an image is final, in place of a file it may pass`()
    async throws
  {
    try await FetchBench.with { bench in
      bench.source.picture("/a", .data(Self.page, type: "text/html"))
      let image = try await bench.failure(of: bench.request("/a"))
      #expect(image.reason == "the server sent a web page instead of the image")
      #expect(image.cause == .wrongKind && !image.isTransient)
      bench.source.picture("/b", .data(Self.page, type: "text/html"))
      let file = try await bench.failure(of: bench.request("/b", .file(mediaType: nil)))
      #expect(file.reason == "the server sent a web page instead of the file")
      #expect(file.cause == .wrongKind && file.isTransient)
    }
  }

  @Test func `a short page in place of an image is final, in place of a file it may pass`()
    async throws
  {
    try await FetchBench.with { bench in
      bench.source.picture("/a", .text("<html>", type: "text/html"))
      let image = try await bench.failure(of: bench.request("/a"))
      #expect(image.cause == .wrongKind && !image.isTransient)
      bench.source.picture("/b", .text("<html>", type: "text/html"))
      let file = try await bench.failure(of: bench.request("/b", .file(mediaType: nil)))
      #expect(file.cause == .wrongKind && file.isTransient)
    }
  }

  @Test func `a file without a declared size that is too large is final`() async throws {
    try await FetchBench.with { bench in
      var limits = Limits()
      limits[.unannouncedSize] = 1_000
      bench.source.picture("/a", .data([UInt8](repeating: 1, count: 1_001)))
      let request = try bench.request("/a", .file(mediaType: nil), limits: limits)
      let failure = try await bench.failure(of: request)
      #expect(
        failure.reason == "the server did not declare its size, and it is too large "
          + "(limits.unannouncedSize is 1K)")
      #expect(!failure.isTransient)
    }
  }

  @Test func `an image beyond the limit is final and names the setting`() async throws {
    try await FetchBench.with { bench in
      var limits = Limits()
      limits[.imageSize] = 10
      let failure = try await bench.failure(of: bench.request("/a.gif", limits: limits))
      #expect(failure.reason.hasSuffix(" (limits.imageSize is 10)"))
      #expect(failure.cause == .other && !failure.isTransient)
    }
  }

  @Test func `a range that was not requested may pass`() async throws {
    try await FetchBench.with { bench in
      let bytes = ScriptedSource.gif("/a")
      bench.source.picture("/a", ServerResponse(206, body: .bytes(bytes)))
      let failure = try await bench.failure(of: bench.request("/a"))
      #expect(failure.reason == "the server sent a range that was not requested")
      #expect(failure.isTransient)
    }
  }

  @Test(arguments: [Fault.closeSilently, .truncateAfter(3), .resetAfter(3)])
  func `a connection that is cut may pass`(fault: Fault) async throws {
    try await FetchBench.with { bench in
      let whole = ServerResponse.data(ScriptedSource.gif("/a"), type: "image/gif")
      bench.source.picture("/a", whole.misbehaving(fault))
      let failure = try await bench.failure(of: bench.request("/a"))
      #expect(failure.cause == .cut && failure.isTransient)
    }
  }

  @Test func `a proxy without a server cuts the connection`() async throws {
    try await FetchBench.with { bench in
      for status in [500, 502, 503] {
        bench.source.picture("/\(status)", ServerResponse(status))
        let failure = try await bench.failure(of: bench.request("/\(status)"))
        #expect(failure.cause == (status == 502 ? .cut : .other), "\(status)")
        #expect(failure.isTransient)
      }
    }
  }

  @Test func `a drawing of more than 8 MB is refused for good`() async throws {
    try await FetchBench.with { bench in
      let start = Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8)
      let bytes = start + [UInt8](repeating: 0x20, count: 8_000_001 - start.count)
      bench.source.picture("/a", .data(bytes, type: "image/svg+xml"))
      let failure = try await bench.failure(of: bench.request("/a"))
      #expect(failure.reason == "the SVG image is too large (8M, a fixed limit)")
      #expect(!failure.isTransient)
    }
  }

  @Test func `an expired URL is not requested again without the page's Referer`() async throws {
    try await FetchBench.with { bench in
      bench.source.picture("/a.gif", ServerResponse(403))
      let page = try #require(WebURL("http://blog.example/article"))
      for (query, count) in [("?X-Amz-Signature=1", 1), ("?w=1", 3)] {
        let url = try #require(WebURL("http://elsewhere.example/a.gif\(query)"))
        let request = AssetRequest(url: url, content: .image, limits: Limits(), page: page)
        let failure = try await bench.failure(of: request)
        #expect(failure.isExpired == (count == 1))
        #expect(bench.requests == count)
      }
    }
  }

  @Test func `the progress of a file is reported, that of an image is not`() async throws {
    try await FetchBench.with { bench in
      bench.source.picture("/f", .data([1, 2, 3], headers: ["Content-Length": "3"]))
      let file = try bench.request("/f", .file(mediaType: nil), item: "a")
      _ = await bench.fetcher.fetch(file, for: bench.run())
      let progress = bench.record.progress
      #expect(progress.first == "scripted a 0 of 3" && progress.last == "scripted a -1 of -1")
      let image = try bench.request("/a.gif", item: "a")
      _ = await bench.fetcher.fetch(image, for: bench.run())
      bench.source.picture("/g", .data([1, 2, 3]))
      let nameless = try bench.request("/g", .file(mediaType: nil))
      _ = await bench.fetcher.fetch(nameless, for: bench.run())
      #expect(bench.record.progress == progress)
    }
  }

  @Test func `a resumed file is judged by its first bytes`() async throws {
    try await FetchBench.with { bench in
      let sink = AssetSink(
        bench.archive.objects.makeSink(), content: .image, limits: Limits())
      let url = try #require(WebURL("https://a.example/f"))
      func send(_ text: String, _ count: Int) throws {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count)
        try bytes.withUnsafeBytes { try sink.receive($0) }
      }
      try sink.begin(
        HTTPResponseHead(
          status: 200, headers: ["Content-Length": "100000", "ETag": "\"x\""], url: url))
      try send("<html>", 100)
      try sink.begin(
        HTTPResponseHead(
          status: 206,
          headers: ["Content-Length": "99900", "Content-Range": "bytes 100-99999/100000"],
          url: url))
      try send("", (64 << 10) - 101)
      #expect(throws: AssetSink.Refusal.self) { try send("", 1) }
      sink.discard()
    }
  }
}
