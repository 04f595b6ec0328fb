import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Transfers that are aborted before completion.
@Suite struct AssetSinkTests {
  private static let piece = 16 << 10

  /// Feeds a sink until it refuses; returns the number of bytes and the reason.
  private func feed(
    _ text: String, _ content: AssetRequest.Content, announced: Int? = nil,
    unannounced: Int = 1 << 30
  ) async throws -> (bytes: Int, reason: String?) {
    var limits = Limits()
    limits[.unannouncedSize] = unannounced
    var ending: (Int, String?) = (0, nil)
    try await Bench.with(ScriptedSource()) { bench in
      let sink = AssetSink(bench.archive.objects.makeSink(), content: content, limits: limits)
      var headers = HTTPHeaders()
      if let announced { headers["Content-Length"] = String(announced) }
      let url = try #require(WebURL("https://example.org/"))
      try sink.begin(HTTPResponseHead(status: 200, headers: headers, url: url))
      var piece = Array(text.utf8)
      piece += [UInt8](repeating: 0x20, count: AssetSinkTests.piece - piece.count)
      for number in 1...32 {
        do {
          try piece.withUnsafeBytes { try sink.receive($0) }
          ending.0 = number * AssetSinkTests.piece
        } catch let refusal as AssetSink.Refusal {
          ending.1 = refusal.reason
          break
        }
      }
      sink.discard()
    }
    return ending
  }

  @Test func `a download that is not an image is aborted after its first bytes`() async throws {
    let page = try await feed("<!doctype html>", .image)
    #expect(page.bytes < 64 << 10)
    #expect(page.reason?.contains("web page") == true)
    let book = try await feed("<!doctype html>", .file(mediaType: "application/epub+zip"))
    #expect(book.bytes < 64 << 10)
    let picture = try await feed("GIF89a", .image)
    #expect(picture.reason == nil)
    #expect(picture.bytes == 512 << 10)
  }

  @Test func `a file without an end is aborted at a limit that is named`() async throws {
    let endless = try await feed("%PDF-1.4", .file(mediaType: nil), unannounced: 100_000)
    #expect(endless.bytes <= 100_000)
    #expect(endless.reason?.contains("(limits.unannouncedSize is 100K)") == true)
    let announced = try await feed(
      "%PDF-1.4", .file(mediaType: nil), announced: 512 << 10, unannounced: 100_000)
    #expect(announced.reason == nil)
  }

  /// A transfer into a sink.
  private struct Transfer {
    let sink: AssetSink
    let url: WebURL

    func begin(_ headers: HTTPHeaders = [:]) throws {
      try sink.begin(HTTPResponseHead(status: 200, headers: headers, url: url))
    }

    /// Sends a text and spaces after it; returns the refusal, if any.
    func send(_ text: String, _ count: Int) throws -> AssetSink.Refusal? {
      let bytes = Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count)
      do {
        try bytes.withUnsafeBytes { try sink.receive($0) }
        return nil
      } catch let refusal as AssetSink.Refusal {
        return refusal
      }
    }
  }

  private func withTransfer(
    _ content: AssetRequest.Content, unannounced: Int = 1 << 30,
    _ body: (Transfer) throws -> Void
  ) async throws {
    var limits = Limits()
    limits[.unannouncedSize] = unannounced
    try await Bench.with(ScriptedSource()) { bench in
      let sink = AssetSink(bench.archive.objects.makeSink(), content: content, limits: limits)
      try body(Transfer(sink: sink, url: try #require(WebURL("https://example.org/"))))
      sink.discard()
    }
  }

  @Test func `the first bytes are judged when they have arrived, and again from the start`()
    async throws
  {
    try await withTransfer(.image) { transfer in
      try transfer.begin()
      #expect(try transfer.send("GIF89a", 64 << 10) == nil)
      #expect(try transfer.send("<html>", 64 << 10) == nil)
      try transfer.begin()
      #expect(try transfer.send("<html>", (64 << 10) - 1) == nil)
      let refusal = try #require(try transfer.send(" ", 1))
      #expect(refusal.isOfKind)
      #expect(refusal.reason == "the server sent a web page instead of the image")
    }
  }

  @Test func `a file whose length is unknown has a limit, to the byte`() async throws {
    try await withTransfer(.file(mediaType: nil), unannounced: 1_000) { transfer in
      try transfer.begin()
      #expect(try transfer.send("x", 1_000) == nil)
      let refusal = try #require(try transfer.send("x", 1))
      #expect(!refusal.isOfKind)
      try transfer.begin(["Content-Length": "2000"])
      #expect(try transfer.send("x", 2_000) == nil)
      try transfer.begin()
      #expect(try transfer.send("x", 1_001) != nil)
    }
  }

  @Test func `an item says which file was too long, and for good`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    let url = try #require(WebURL(ScriptedSource.origin + "/pic/0-0.gif"))
    item.attachments = [Attachment(.file, .remote(url), name: "long.bin")]
    source.set(item)
    source.picture("/pic/0-0.gif", .data([UInt8](repeating: 1, count: 300_000)))
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.limits[.unannouncedSize] = 200_000 }
      #expect(report.archived == 1)
      let record = try bench.text("item0", "item.json")
      #expect(record.contains("(limits.unannouncedSize is 200K)"), "\(record)")
    }
  }
}
