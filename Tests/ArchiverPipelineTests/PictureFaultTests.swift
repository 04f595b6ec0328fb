import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Testing

/// Images whose server cuts off, stalls or declares a wrong length, at every place of a body.
@Suite struct PictureFaultTests {
  private static let length = ScriptedSource.gif("/pic/0-0.gif").count

  /// Faults that may be transient.
  private static let passing: [Fault] =
    [0, 1, 6, 13, length / 2, length - 1].flatMap {
      [.resetAfter($0), .truncateAfter($0), .stallAfter($0, .seconds(60))] as [Fault]
    } + [.wrongLength(length + 1), .wrongLength(1_000_000), .closeSilently]

  @Test(arguments: passing)
  func `an image that was aborted is never stored and comes on a later night`(
    fault: Fault
  ) async throws {
    let source = ScriptedSource(count: 2)
    let path = "/pic/0-0.gif"
    source.picture(
      path, .data(ScriptedSource.gif(path), type: "image/gif").misbehaving(fault))
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect(first.archived == 2, "\(first.failed)")
      #expect(first.imagesMissing == 1)
      #expect(try bench.item("item0").missingImages == 1)
      #expect(try await bench.verify().isEmpty)
      let staging = try FileManager.default.contentsOfDirectory(
        atPath: bench.archive.path + "/.archiver/staging")
      #expect(staging.isEmpty, "\(staging)")

      source.picture(path, nil)
      bench.advance(hours: 2)
      let second = try await bench.run()
      #expect(second.archived == 1)
      #expect(try bench.item("item0").missingImages == 0)
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test(arguments: [2, 40_000])
  func `the size of an image is known although another comes first in it`(
    before: Int
  ) async throws {
    let source = ScriptedSource(count: 1)
    var jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1]
    jpeg += [UInt8((before + 2) >> 8), UInt8((before + 2) & 255)]
    jpeg += [UInt8](repeating: 7, count: before)
    jpeg += [0xFF, 0xC0, 0, 17, 8, 1, 194, 3, 32, 3] + [UInt8](repeating: 1, count: 2_000)
    source.picture("/pic/0-0.gif", .data(jpeg, type: "image/jpeg"))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let page = try bench.text("item0", "index.html")
      #expect(page.contains("width=\"800\" height=\"450\""), "\(page)")
    }
  }

  @Test func `an image without an address shows its words`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.id = "one"
    item.html = "<p>see <img alt=\"the words of it\"> and <img src=\"javascript:1\"> here</p>"
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("one")
      #expect(page.contains(">the words of it</span> "))
      #expect(page.ranges(of: "missing-image\"").count == 1)
    }
  }

  @Test(arguments: [Fault.endless, .invalidChunking, .invalidStatusLine, .raw([0x53])])
  func `an image whose server speaks nonsense is missing and nothing else`(
    fault: Fault
  ) async throws {
    let source = ScriptedSource(count: 2)
    source.picture(
      "/pic/1-0.gif", .data(ScriptedSource.gif("x"), type: "image/gif").misbehaving(fault))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 2)
      #expect(report.imagesMissing == 1)
      #expect(try bench.text("item1", "item.json").contains("/pic/1-0.gif"))
      #expect(try await bench.verify().isEmpty)
    }
  }

  /// Responses of malicious servers.
  private static let lies: [(status: Int, headers: HTTPHeaders)] = [
    (206, ["Content-Range": "bytes 5-9/10"]), (206, [:]),
    (200, ["Content-Encoding": "gzip", "Content-Length": "\(Int.max)"]),
    (200, ["Transfer-Encoding": "chunked", "Content-Length": "\(Int.max)"]),
    (200, ["Content-Length": "-5"]),
  ]

  @Test(arguments: lies.indices)
  func `an answer that nobody requested is one missing image at most`(
    _ number: Int
  ) async throws {
    let source = ScriptedSource(count: 3)
    let (status, headers) = PictureFaultTests.lies[number]
    let path = "/pic/1-0.gif"
    source.picture(
      path, ServerResponse(status, headers: headers, body: .bytes(ScriptedSource.gif(path))))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 3, "\(report.failed)")
      #expect(report.imagesMissing <= 1)
      #expect(try await bench.verify().isEmpty)
      guard status == 206 else { return }
      let record = try bench.text("item1", "item.json")
      #expect(record.contains("the server sent a range that was not requested"))
      source.picture(path, nil)
      bench.advance(hours: 2)
      _ = try await bench.run()
      #expect(try bench.item("item1").missingImages == 0)
    }
  }
}
