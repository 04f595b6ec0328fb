import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Runs with images that exist, moved, were deleted or are other files.
@Suite struct RunPicturesTests {
  @Test func `an address is requested once, however many items show it`() async throws {
    let source = ScriptedSource()
    for number in 0..<12 {
      var item = ScriptedSource.article(number, pictures: 0)
      item.html? += "<img src=\"/shared.gif\"><img src=\"/shared.gif#x\">"
      source.set(item)
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 12)
      #expect(bench.requests("/shared.gif") == 1)
      #expect(try bench.page("item3").contains("assets/"))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `an image that is gone leaves words and is not requested every night`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 1)
      #expect(try bench.page("item0").contains("404 Not Found"))
      let again = try await bench.run()
      #expect(again.archived == 0)
      #expect(bench.requests("/pic/0-0.gif") == 1)
    }
  }

  @Test func `an image that failed for a moment is fetched on a later run`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().imagesMissing == 1)
      #expect(try await bench.run().archived == 0)
      source.picture("/pic/0-0.gif", nil)
      bench.advance(hours: 30)
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 0)
      #expect(try bench.item("item0").missingImages == 0)
      #expect(try bench.item("item0").versions.isEmpty)
    }
  }

  @Test func `a retry that finds as much missing as before writes nothing`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(503))
    source.change("item0") {
      $0.missing = [MissingPart(.comments, name: "", reason: "status 503")]
    }
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let before = try bench.text("item0", "item.json")
      for turn in 2...5 {
        bench.advance(hours: 30)
        let report = try await bench.run()
        #expect((report.archived, report.failed.map(\.id)) == (0, ["item0"]))
        #expect(bench.requests("/pic/0-0.gif") == turn, "not given up")
      }
      #expect(try bench.text("item0", "item.json") == before)
    }
  }

  @Test func `the next candidate serves when the best image fails`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.html? += "<img src=\"/small.gif\" srcset=\"/large.gif 1600w, /small.gif 400w\">"
    source.set(item)
    source.picture("/large.gif", ServerResponse(410))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      #expect(report.images == 1)
      #expect(bench.requests("/large.gif") == 1)
      #expect(bench.requests("/small.gif") == 1)
    }
  }

  @Test func `a web page in place of an image is refused`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", .text("<!doctype html><title>Log in</title>", type: "image/gif"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 1)
      #expect(try bench.page("item0").contains("web page instead of the image"))
    }
  }

  @Test func `an image that vanished from the source stays in the bundle`() async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.picture("/pic/0-0.gif", ServerResponse(404))
      source.change("item0") {
        $0.html = ($0.html ?? "") + "<p>A new ending.</p>"
        $0.revision = "2"
      }
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 0)
      #expect(try bench.item("item0").imageCount == 1)
    }
  }

  @Test func `an attached image stands at the top unless the text shows it`() async throws {
    let source = ScriptedSource(count: 2)
    for (id, name) in [("item0", "0-0"), ("item1", "apart")] {
      let url = try #require(WebURL(ScriptedSource.origin + "/pic/\(name).gif"))
      source.change(id) { $0.attachments = [.init(.image, .remote(url), name: "scan.gif")] }
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try !bench.page("item0").contains("<figure class=\"cover\">"))
      #expect(try bench.page("item1").contains("<figure class=\"cover\">"))
    }
  }

  @Test func `without images the text is archived with words for each`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      let report = try await bench.run { $0.fetchImages = false }
      #expect(report.archived == 2)
      #expect(bench.requests("/pic/0-0.gif") == 0)
      #expect(try bench.page("item0").contains("--no-images"))
    }
  }

  @Test func `without images those that are archived stay`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      _ = try await bench.run()
      bench.source.change("item0") {
        $0.revision = "2"
        $0.html = ($0.html ?? "") + "<p>More.</p><img src=\"/pic/late.gif\">"
      }
      let report = try await bench.run { $0.fetchImages = false }
      #expect(report.archived == 1)
      #expect(report.images == 1)
      #expect(report.imagesMissing == 1)
      #expect(bench.requests("/pic/0-0.gif") == 1)
      #expect(bench.requests("/pic/late.gif") == 0)
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `the first image of at least 160 by 90 pixels is the thumbnail`() async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0, pictures: 4))
    for (number, size) in [(159, 90), (160, 89), (160, 90), (1600, 900)].enumerated() {
      let path = "/pic/0-\(number).gif"
      let picture = ScriptedSource.gif(path, width: size.0, height: size.1)
      source.picture(path, .data(picture, type: "image/gif"))
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let thumbnail = try bench.item("item0").thumbnail
      #expect(thumbnail?.width == 160 && thumbnail?.height == 90)
    }
  }

  @Test func `the poster of a video is fetched`() async throws {
    let source = ScriptedSource()
    let html = "<p>See</p><video src=\"/film.mp4\" poster=\"/pic/0.gif\"></video><p>end</p>"
    source.set(ScriptedSource.Item(id: "film", title: "Film", html: html))
    source.picture("/film.mp4", ServerResponse(404))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(bench.requests("/pic/0.gif") == 1)
      let files = try bench.files("film")
      #expect(files.count == 1)
    }
  }
}
