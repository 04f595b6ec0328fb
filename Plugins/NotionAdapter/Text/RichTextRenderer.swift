import ArchiverCore
import ArchiverMarkup

/// Writes rich text with its styles, links, mentions and formulas.
struct RichTextRenderer: Sendable {
  let context: RenderContext

  func write(_ pieces: [RichText], to html: inout HTMLWriter) {
    for piece in pieces { write(piece, to: &html) }
  }

  private func write(_ piece: RichText, to html: inout HTMLWriter) {
    linked(piece, to: &html) { html in
      styled(piece, to: &html)
    }
  }

  private func linked(
    _ piece: RichText, to html: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
  ) {
    if case .mention = piece.content { return content(&html) }
    guard let link = piece.link, !link.isEmpty else { return content(&html) }
    html.element("a", ["href": RichTextRenderer.address(link)], content)
  }

  /// Returns the permanent form of a URL in Notion, any other URL unchanged.
  static func address(_ link: String) -> String {
    if let target = NotionAddress(link) { return target.absolute }
    guard link.hasPrefix("/") else { return link }
    return WebURL("https://www.notion.so/")?.resolving(link)?.absoluteString ?? link
  }

  private func styled(_ piece: RichText, to html: inout HTMLWriter) {
    nested(wrappers(piece.color, piece.style)[...], to: &html) { content(piece, to: &$0) }
  }

  private func wrappers(
    _ color: NotionColor, _ style: RichText.Style
  ) -> [(name: String, classes: String?)] {
    var wrappers: [(name: String, classes: String?)] = []
    if let color = color.className { wrappers.append(("span", color)) }
    if style.contains(.bold) { wrappers.append(("strong", nil)) }
    if style.contains(.italic) { wrappers.append(("em", nil)) }
    if style.contains(.strikethrough) { wrappers.append(("s", nil)) }
    if style.contains(.underline) { wrappers.append(("u", nil)) }
    if style.contains(.code) { wrappers.append(("code", nil)) }
    return wrappers
  }

  private func nested(
    _ wrappers: ArraySlice<(name: String, classes: String?)>, to html: inout HTMLWriter,
    _ content: (inout HTMLWriter) -> Void
  ) {
    guard let first = wrappers.first else { return content(&html) }
    html.element(first.name, ["class": first.classes]) { html in
      nested(wrappers.dropFirst(), to: &html, content)
    }
  }

  /// Writes other content, such as highlighted code, inside the link and styles of a piece.
  func wrapped(
    _ piece: RichText, to html: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
  ) {
    linked(piece, to: &html) { html in
      nested(wrappers(piece.color, piece.style.subtracting(.code))[...], to: &html, content)
    }
  }

  private func content(_ piece: RichText, to html: inout HTMLWriter) {
    switch piece.content {
    case .text(let text): html.lines(text)
    case .equation(let source): Formula.write(source, isBlock: false, to: &html)
    case .mention(let mention): self.mention(mention, piece, to: &html)
    }
  }

  private func mention(_ mention: JSONValue, _ piece: RichText, to html: inout HTMLWriter) {
    let type = mention["type"]?.string ?? ""
    let value = mention[type]
    switch type {
    case "page", "database", "data_source":
      guard let id = NotionID(value?["id"]) else { return html.lines(piece.plain) }
      html.element("span", ["class": "n-mention"]) { html in
        html.pageLink(id, fallback: piece.plain, context)
      }
    case "user":
      let name = value?["name"]?.string ?? NotionID(value?["id"]).flatMap { context.users[$0] }
      html.element("span", ["class": "n-mention n-user"]) { html in
        html.text(name.map { "@\($0)" } ?? piece.plain)
      }
    case "date": date(value, piece, to: &html)
    case "link_preview", "link_mention": linkMention(value, piece, to: &html)
    case "custom_emoji":
      html.element("span", ["class": "n-icon"]) { html in
        html.void("img", ["src": value?["url"]?.string, "alt": piece.plain])
      }
    case "template_mention":
      html.element("span", ["class": "n-mention"], text: piece.plain)
    default: unknown(mention, piece, to: &html)
    }
  }

  /// Writes a mention of an unknown type: its text, its link, and its other content.
  private func unknown(_ mention: JSONValue, _ piece: RichText, to html: inout HTMLWriter) {
    let content = UnknownContent(mention)
    let link = piece.link ?? content.links.first
    html.element("span", ["class": "n-mention"]) { html in
      guard let link, !link.isEmpty else { return html.lines(piece.plain) }
      html.element("a", ["href": RichTextRenderer.address(link)]) { $0.lines(piece.plain) }
    }
    let rest = content.without(piece.plain, link)
    guard !rest.pieces.isEmpty else { return }
    html.element("span", ["class": "n-note"]) { html in
      html.text(" (")
      rest.writeInline(context, to: &html)
      html.text(")")
    }
  }

  private func date(_ value: JSONValue?, _ piece: RichText, to html: inout HTMLWriter) {
    html.element("span", ["class": "n-mention"]) { html in
      guard let value, value["start"]?.string != nil else { return html.text(piece.plain) }
      html.date(value)
    }
  }

  private func linkMention(_ value: JSONValue?, _ piece: RichText, to html: inout HTMLWriter) {
    let address = value?["href"]?.string ?? value?["url"]?.string ?? piece.link ?? piece.plain
    if let target = NotionAddress(address), let page = target.page {
      return html.pageLink(page, fallback: piece.plain, anchor: target.block, context)
    }
    html.element("a", ["class": "n-mention", "href": address]) { html in
      html.text(value?["title"]?.string ?? piece.plain)
    }
  }
}

extension HTMLWriter {
  /// Writes text with its line feeds as line breaks.
  mutating func lines(_ text: String) {
    var isFirst = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !isFirst { void("br") }
      isFirst = false
      self.text(String(line))
    }
  }

  /// Writes a date or range `{start, end, time_zone}`.
  mutating func date(_ value: JSONValue) {
    guard let start = value["start"]?.string else { return }
    element("time", ["datetime": start], text: NotionTime.readable(start))
    if let end = value["end"]?.string {
      text(" → ")
      element("time", ["datetime": end], text: NotionTime.readable(end))
    }
    if let zone = value["time_zone"]?.string { text(" (\(zone))") }
  }
}
