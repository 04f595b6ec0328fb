import ArchiverCore
import ArchiverMarkup

extension UnknownContent {
  /// Writes each piece as a paragraph.
  func writeBlocks(_ context: RenderContext, to html: inout HTMLWriter) {
    for piece in pieces {
      html.element("p") { UnknownContent.write(piece, context, to: &$0) }
    }
  }

  /// Writes the pieces as inline content.
  func writeInline(_ context: RenderContext, to html: inout HTMLWriter) {
    for (index, piece) in pieces.enumerated() {
      if index > 0 { html.text(", ") }
      UnknownContent.write(piece, context, to: &html)
    }
  }

  private static func write(
    _ piece: Piece, _ context: RenderContext, to html: inout HTMLWriter
  ) {
    switch piece {
    case .text(let text): RichTextRenderer(context: context).write(text, to: &html)
    case .words(let words): html.lines(words)
    case .file(let file) where file.isPicture:
      html.void("img", ["src": file.url, "alt": file.displayName])
    case .file(let file):
      html.element("a", ["class": "n-file-link", "href": file.url], text: file.displayName)
    case .link(let address):
      html.element(
        "a", ["href": RichTextRenderer.address(address)], text: SignedAddress.cleaned(address))
    case .page(let id): html.pageLink(id, fallback: "", context)
    }
  }
}
