import ArchiverCore
import ArchiverMarkup
import Testing

@Suite struct HighlightTests {
  private let html = """
    <p>The <rd-annotation id="annotation-K1" data-annotation-id-value="K1" data-annotation-color="yellow">quick \
    fox</rd-annotation><rd-annotation data-annotation-id-value="K1" data-annotation-note="" title="A &lt;b&gt; &quot;note&quot;" \
    data-annotation-color="yellow"></rd-annotation> jumps.</p>
    <blockquote><p><rd-annotation id="annotation-K2" data-annotation-id-value="K2" data-annotation-color="pink">Quoted.</rd-annotation></p>\
    </blockquote><ul><li><rd-annotation data-annotation-id-value="K2" data-annotation-color="pink">One</rd-annotation></li></ul>
    """

  @Test func `turns highlights into marks whose first piece has the id`() throws {
    let result = text(try sanitized(html).bytes)
    #expect(
      result.contains("<mark id=\"hl-K1\" class=\"hl hl-yellow\" data-hl=\"K1\">quick fox</mark>"))
    #expect(
      result.contains(
        "<sup class=\"hl-note\"><a href=\"#note-K1\" target=\"_self\" title=\"A &lt;b&gt; &quot;note&quot;\">✎</a></sup>"
      ))
    #expect(
      result.contains("<mark id=\"hl-K2\" class=\"hl hl-other\" data-hl=\"K2\">Quoted.</mark>"))
    #expect(result.contains("<mark class=\"hl hl-other\" data-hl=\"K2\">One</mark>"))
  }

  @Test func `lists highlights with colour, note and words`() throws {
    let found = try sanitized(html).annotations
    #expect(
      found == [
        .init(id: "K1", color: "yellow", note: "A <b> \"note\"", text: "quick fox"),
        .init(id: "K2", color: "other", note: nil, text: "Quoted. One"),
      ])
  }

  @Test func `reads its own marks again`() throws {
    let once = try sanitized(html)
    let twice = try HTMLSanitizer().sanitize(once.bytes, baseURL: page)
    #expect(once.bytes == twice.bytes)
    #expect(once.annotations == twice.annotations)
  }

  @Test func `marks a bare highlight plainly`() throws {
    #expect(try canonical("<rd-annotation>x</rd-annotation>") == "<mark>x</mark>")
  }

  @Test func `puts no link of a note inside a link`() throws {
    let html =
      "<a href=/x>y<rd-annotation data-annotation-id-value=K data-annotation-note title=n></rd-annotation></a>"
    #expect(
      try canonical(html).hasSuffix("y<sup class=\"hl-note\" data-hl=\"K\" title=\"n\">✎</sup></a>")
    )
  }
}
