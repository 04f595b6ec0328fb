import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// A change of the rendering reaches existing pages only if the revision is raised.
@Suite struct PageRevisionTests {
  /// The hash of the sample's page at a revision. If the test fails, raise `PageRenderer.revision`
  /// and insert the new pair here.
  private static let known: (revision: Int, digest: UInt64) = (19, 11_126_170_049_983_461_273)

  /// A sample of everything that sanitiser, converters and layout process.
  private static let html = """
    <h2 id="top">Heading</h2><p>Words with <b>bold</b>, <i>italics</i>, <code>a  b</code>, <mark>a mark</mark>,
    <a href="https://elsewhere.example/x?utm_source=y">a link</a>, <a href="#top">one inside</a>, H<sub>2</sub>O,
    \\(\\frac{a}{b} \\cancel{x} \\widehat{AB}\\) and <script>alert(1)</script><a href="javascript:alert(1)">none</a>.</p>
    <blockquote>Quoted</blockquote><ul><li>One<ol start="3"><li>Three</li></ol></li></ul>
    <table><caption>Numbers</caption><tr><th scope="col">A</th><td colspan="2">B</td></tr></table>
    <pre><code class="language-swift">let x = 1 // one</code></pre>
    <figure><img src="/pic/0-0.gif" alt="p" width="9" height="9"><figcaption>Below</figcaption></figure>
    <p><img src="/pic/absent.gif" alt="absent"></p>
    <math><mfrac><mi>a</mi><menclose notation="box"><mi>b</mi></menclose></mfrac></math>
    <svg width="90" height="90" viewBox="0 0 9 9"><style>rect { fill: red }</style><rect width="9" height="9"/></svg>
    <details><summary>More</summary><p>Less</p></details><dl><dt>Term</dt><dd>Meaning</dd></dl>
    <iframe src="https://www.youtube.com/embed/abc"></iframe><video src="/film.mp4" controls></video>
    <form><input type="checkbox" checked> <button>Send</button></form><hr>
    <p dir="rtl" lang="ar" style="color: red; position: fixed">مرحبا</p>
    """

  private static func sample() -> ScriptedSource {
    let source = ScriptedSource(count: 2)
    source.change("item0") {
      $0.html = html
      $0.labels = ["one", "two"]
      $0.links = []
      $0.properties = [ItemProperty("Pages", "312")]
    }
    var book = ScriptedSource.Item(id: "b", title: "A Book", html: nil)
    book.kind = .book
    book.attachments = [
      Attachment(
        .file, .inline(SampleBook([]).bytes), name: "a.epub", mediaType: "application/epub+zip")
    ]
    source.set(book)
    source.picture("/pic/absent.gif", .text("", status: 404))
    return source
  }

  @Test func `a different page has another revision`() async throws {
    try await Bench.with(Self.sample()) { bench in
      _ = try await bench.run()
      let pages =
        try ["item0", "item1", "b"].map { try bench.page($0) }
        + [try bench.text("b", "book/text/0001.html")]
      // The day of the run is on the page.
      let text = pages.joined().replacing(/<time[^>]*>[^<]*<\/time>/, with: "")
        .replacing(/20\d\d-\d\d-\d\d[T0-9:.Z]*/, with: "")
      let digest = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      #expect(
        PageRenderer.revision == Self.known.revision && digest == Self.known.digest,
        "revision \(PageRenderer.revision) makes \(digest); raise it and note both here")
    }
  }
}
