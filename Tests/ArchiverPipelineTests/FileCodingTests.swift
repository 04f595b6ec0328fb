import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// A compressed response that was cut before it was sent has the declared length.
@Suite struct FileCodingTests {
  @Test func `a file is requested without a content coding, an image with any`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: "<img src=\"/own.gif\">")
    item.kind = .book
    let url = try #require(WebURL(ScriptedSource.origin + "/file"))
    item.attachments = [
      Attachment(.file, .remote(url), name: "a", mediaType: "application/epub+zip")
    ]
    source.set(item)
    source.picture("/file", .data(SampleBook([]).bytes, type: "application/epub+zip"))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(bench.fields("/file").codings == ["identity"])
      #expect(bench.fields("/own.gif").codings == [nil])
    }
  }
}
