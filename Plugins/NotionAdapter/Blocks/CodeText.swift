import ArchiverCore
import ArchiverMarkup

/// Writes code with syntax highlighting. Text with a link or a colour of its own keeps that.
struct CodeText {
  let text: RichTextRenderer
  let language: String

  func write(_ pieces: [RichText], to html: inout HTMLWriter) {
    let whole = pieces.map(\.plain).joined()
    var tokens = CodeColoring.tokens(in: whole, language: language)[...]
    var start = 0
    for piece in pieces {
      let range = start..<start + piece.plain.utf8.count
      start = range.upperBound
      text.wrapped(piece, to: &html) { html in
        write(piece, range, &tokens, &html)
      }
    }
  }

  private func write(
    _ piece: RichText, _ range: Range<Int>, _ tokens: inout ArraySlice<CodeToken>,
    _ html: inout HTMLWriter
  ) {
    let bytes = Array(piece.plain.utf8)
    var place = range.lowerBound
    func plain(to end: Int) -> String {
      defer { place = max(place, end) }
      guard end > place else { return "" }
      return String(
        decoding: bytes[place - range.lowerBound..<end - range.lowerBound], as: UTF8.self)
    }
    while let token = tokens.first, token.range.lowerBound < range.upperBound {
      html.text(plain(to: max(place, token.range.lowerBound)))
      let words = plain(to: min(token.range.upperBound, range.upperBound))
      if piece.link != nil || piece.color.className != nil {
        html.text(words)
      } else if !words.isEmpty {
        html.element("span", ["class": "n-s-\(token.kind.rawValue)"], text: words)
      }
      // A token that continues in the next piece is completed there.
      guard token.range.upperBound <= range.upperBound else { return }
      tokens.removeFirst()
    }
    html.text(plain(to: range.upperBound))
  }
}
