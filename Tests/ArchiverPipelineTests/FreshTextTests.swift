import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// The library uses the run's cached texts of new items; the result must not differ.
@Suite struct FreshTextTests {
  private static let bodies = [
    "plain": "<p>One harbour</p><p>Two <b>words</b></p><img src='/pic/0.gif' alt='Not a word'>",
    "missing": "<p>Before</p><img src='/gone.gif' alt='A lighthouse'><p>after</p>",
    "kept": "<div style='white-space:pre-wrap'>one   two\n\n  three</div>",
    "markup":
      "<pre>a\n  b</pre><details><summary>More</summary>text</details><math><mi>x</mi></math>",
    "film": "<p>See</p><video src='/film.mp4' poster='/pic/0.gif'></video><p>end</p>",
    "signed": "<p>https://files.example/a?X-Amz-Signature=0123456789abcdef&X-Amz-Expires=9</p>",
    "empty": "<p> </p>",
  ]

  @Test func `the library of a run is the one rebuilt from the bundles`() async throws {
    let source = ScriptedSource()
    for (id, html) in FreshTextTests.bodies {
      source.set(ScriptedSource.Item(id: id, title: "The \(id) one", html: html, date: Date()))
    }
    source.picture("/gone.gif", ServerResponse(404))
    source.picture("/film.mp4", ServerResponse(404))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let texts = try bench.libraryTexts()
      #expect(texts.contains { $0.contains("One harbour") })
      let before = try bench.snapshot().filter { $0.key.hasPrefix("library/") }
      _ = try LibraryBuilder(root: bench.archive.path, catalog: bench.archive.catalog).rebuild()
      #expect(try bench.libraryTexts() == texts)
      #expect(try bench.snapshot().filter { $0.key.hasPrefix("library/") } == before)
    }
  }
}
